// quincunx simulate: a model, event by event. Here are only the options; the simulator is
// lib/pamela's, the text lib/report's.
#include "Verbs.h"
#include "arguments/ModelFile.h"
#include "system/TerminalTraits.h"

#include "quincunx/report/Simulate.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct Options {
  std::string file;
  pamela::SimulateOptions simulate;
  std::vector<std::string> define;
  bool json = false;
};

int runSimulate(Options &options) {
  Result<std::map<std::string, double>> parameters = parseDefines(options.define);
  if (!parameters)
    return failUsage(parameters.error());
  options.simulate.parameters = std::move(*parameters);
  const Result<pamela::Model> model = readModel(options.file);
  if (!model)
    return failInModel(model.error());
  const Result<pamela::Simulated> simulated = pamela::simulate(*model, options.simulate);
  if (!simulated)
    return failInModel(simulated.error());
  std::ios::sync_with_stdio(false);
  if (!options.json)
    printSimulated(options.simulate.target, *simulated, wantsColour(), std::cout);
  else if (Status s = printSimulatedJson(options.file, options.simulate, *simulated, std::cout); !s)
    return fail(s.error());
  return finishOutput("the answer");
}

} // namespace

void addSimulate(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
  CLI::App *verb = app.add_subcommand("simulate", "Simulate a PAMELA+ model, event by event");
  verb->footer("Examples:\n"
               "  quincunx simulate mrm.pam -D P=100 -D N=1000\n"
               "  quincunx simulate mrm.pam -D P=100 -D N=1000 -n 10000 --seed 7 --json");
  verb->add_option("model", options->file, "Model (.pam)")->required()->type_name("MODEL");
  verb->add_option("-n,--replications", options->simulate.replications,
                   "How often it is simulated (default: 1000)")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("N");
  verb->add_option("--seed", options->simulate.seed, "Of the random numbers (default: 1)")
      ->type_name("N");
  verb->add_option("-D,--define", options->define, "The value of a parameter; may be repeated")
      ->type_name("NAME=NUMBER")
      ->allow_extra_args(false);
  verb->add_option("--target", options->simulate.target, "The process (default: main)")
      ->type_name("NAME");
  verb->add_flag("--json", options->json, "Everything, for programs");
  verb->callback([options, &status] { status = runSimulate(*options); });
}

} // namespace quincunx::tool
