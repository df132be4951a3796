// quincunx validate: how well one half of a corpus predicts the other.
#include "Verbs.h"

#include "quincunx/report/Validate.h"

#include "Reader.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct Options {
  std::string corpus, machine = defaultMachine;
  bool json = false;
};

int runValidate(const Options &options) {
  const Result<Machine> machine = machineByName(options.machine);
  if (!machine)
    return fail(machine.error());
  const Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::read);
  if (!corpus)
    return fail(corpus.error());
  const Result<Validation> validation = validate(*corpus, *machine);
  if (!validation)
    return fail(validation.error());
  if (options.json)
    printValidationJson(*validation, options.corpus, std::cout);
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
               "  quincunx validate --machine unit --json prog.qx");
  verb->add_option("corpus", options->corpus, "Corpus file (.qx)")->required()->type_name("CORPUS");
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  verb->add_option("--machine", options->machine,
                   "What instructions cost: unit, x86-64 or a .machine file (default: " +
                       std::string(defaultMachine) + ")")
      ->type_name("NAME|FILE");
  verb->callback([options, &status] { status = runValidate(*options); });
}

} // namespace quincunx::tool
