// quincunx validate: how well one half of a corpus predicts the other.
#include "Verbs.h"

#include "quincunx/report/Validate.h"

#include "Reader.h"
#include "Source.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct Options {
  SourceOptions source;
  bool json = false;
};

int runValidate(const Options &options) {
  const Result<Source> source = openSource(options.source);
  if (!source)
    return fail(source.error());
  const Result<Validation> validation = validate(source->runs(), source->machine);
  if (!validation)
    return fail(validation.error());
  if (options.json)
    printValidationJson(*validation, options.source.corpus, std::cout);
  else
    printValidation(*validation, wantsColour(), std::cout);
  std::cout.flush();
  return std::cout ? ok : fail(Error{"cannot write the validation"});
}

} // namespace

void addValidate(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
  CLI::App *verb =
      app.add_subcommand("validate", "Predict one half of the runs from the other, by every model");
  verb->footer("Examples:\n"
               "  quincunx validate prog.qx\n"
               "  quincunx validate --machine unit --json prog.qx\n"
               "  quincunx validate --per request server.qx");
  verb->add_option("corpus", options->source.corpus, "Corpus file (.qx)")
      ->required()
      ->type_name("CORPUS");
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  addSource(*verb, options->source,
            "Whole runs, or requests: calls of a marked function (default: run)");
  verb->callback([options, &status] { status = runValidate(*options); });
}

} // namespace quincunx::tool
