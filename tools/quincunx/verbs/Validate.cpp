// quincunx validate: how well one half of a corpus predicts the other. Here are only the options.
#include "Verbs.h"

#include "quincunx/report/Validate.h"

#include "arguments/PricedCorpus.h"
#include "system/NextStep.h"
#include "system/TerminalTraits.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct ValidateArguments {
  CorpusOptions corpus;
  bool json = false;
};

int runValidate(const ValidateArguments &options) {
  const Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  const Result<Validation> validation = validate(priced->runs(), priced->machine);
  if (!validation)
    return fail(validation.error());
  if (options.json)
    printValidationJson(*validation, options.corpus.path, std::cout);
  else {
    printValidation(*validation, readersDisplay(), std::cout);
    printNext(std::cout, questionFor(options.corpus, "report"));
  }
  return finishOutput("the validation");
}

} // namespace

void addValidate(CLI::App &app, int &status) {
  auto options = std::make_shared<ValidateArguments>();
  CLI::App *verb =
      app.add_subcommand("validate", "Predict one half of the runs from the other, by every model");
  verb->footer("Examples:\n"
               "  quincunx validate prog.qx\n"
               "  quincunx validate --machine unit --json prog.qx\n"
               "  quincunx validate --per request server.qx");
  addCorpusArgument(*verb, options->corpus);
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  addCorpusOptions(*verb, options->corpus,
                   "Whole runs, or requests: calls of a marked function (default: run)");
  verb->callback([options, &status] { status = runValidate(*options); });
}

} // namespace quincunx::tool
