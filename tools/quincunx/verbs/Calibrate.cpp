// quincunx calibrate: prices in nanoseconds, of a corpus from its timed runs (CalibrateCorpus.cpp),
// or of this machine by benchmarks (lib/probe). Here are the options, and the machine.
#include "Verbs.h"

#include "CalibrateCorpus.h"
#include "arguments/PricingOptions.h"
#include "arguments/SelectedBuild.h"
#include "record/MeasuredMachine.h"
#include "system/Processor.h"
#include "system/ReplaceFile.h"

#include <filesystem>
#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct CalibrateArguments {
  bool machine = false;
  CalibrateOptions corpus; ///< its `out` is that of both
};

int write(const std::string &text, const std::string &out) {
  if (!out.empty()) {
    const Status written = replaceFile(out, text);
    return written ? ok : fail(written.error());
  }
  std::cout << text;
  return finishOutput("the machine");
}

/// So that nobody waits for a file that cannot be written.
Status checkFolder(const std::string &out) {
  const std::filesystem::path folder = std::filesystem::path(out).parent_path();
  std::error_code no;
  if (folder.empty() || std::filesystem::is_directory(folder, no))
    return Done{};
  return Error{"there is no folder for it; make one first", out};
}

int calibrateMachine(const std::string &out) {
  const Result<ProbedMachine> probed = measureMachine({}, false);
  if (!probed)
    return fail(probed.error());
  return write(describe(*probed, machineName(out), processorModel()), out);
}

/// Options about a corpus, which a measured machine does without; returns --miss-rates-from.
CLI::Option *addFit(CLI::App &verb, CalibrateOptions &o, CLI::Option *machine) {
  verb.add_option("--guess", o.guess,
                  "What to think of prices beforehand: unit, x86-64 or a .machine file (default: " +
                      std::string(usualMachine) +
                      "); without timed runs, a measured machine whose prices are taken")
      ->type_name("NAME|FILE")
      ->excludes(machine);
  CLI::Option *missRates =
      verb.add_option(
              "--miss-rates-from", o.missRatesFrom,
              "Corpus with some of the inputs, counted by a build with record=predictor: how "
              "often what is executed misses caches and is predicted wrong")
          ->type_name("CORPUS")
          ->excludes(machine);
  addBuildOption(verb, o.build)->excludes(machine);
  verb.add_option("--top", o.top, "Inputs to show that are missed most (default: 5)")
      ->type_name("N")
      ->excludes(machine);
  verb.add_flag("--json", o.json, "Everything at full precision, for programs")->excludes(machine);
  return missRates;
}

int runCalibrate(const CalibrateArguments &o, bool emptyMissRates) {
  if (emptyMissRates)
    return fail(Error{"--miss-rates-from needs the name of a corpus"});
  if (const Status s = checkFolder(o.corpus.out); !s)
    return fail(s.error());
  return o.machine ? calibrateMachine(o.corpus.out) : calibrateCorpus(o.corpus);
}

} // namespace

void addCalibrate(CLI::App &app, int &status) {
  const auto o = std::make_shared<CalibrateArguments>();
  CLI::App *verb = app.add_subcommand("calibrate", "Learn prices in nanoseconds from timed runs");
  CLI::Option *machine = verb->add_flag("--machine", o->machine,
                                        "Instead: measure this machine with benchmarks of single "
                                        "instructions and events; takes about "
                                        "ten seconds");
  CLI::Option *corpus =
      verb->add_option("corpus", o->corpus.corpus,
                       "Corpus (.qx) with counted and timed runs (only counted ones with a "
                       "--guess in nanoseconds); keeps the result")
          ->type_name("CORPUS")
          ->excludes(machine);
  verb->add_option("-o,--out", o->corpus.out,
                   "Machine file to write: prices without what was learnt about the program")
      ->type_name("FILE");
  CLI::Option *missRates = addFit(*verb, o->corpus, machine);
  verb->footer("Examples:\n"
               "  quincunx run --timed -o prog.qx -- ./plain {} ::: inputs/*\n"
               "  quincunx calibrate prog.qx && quincunx report prog.qx\n"
               "  quincunx calibrate --machine -o mine.machine\n"
               "  quincunx calibrate prog.qx --miss-rates-from simulated.qx --guess mine.machine\n"
               "  quincunx calibrate --machine | grep mispredict\n"
               "Let nothing else run while something is timed.");
  verb->callback([o, corpus, missRates, &status] {
    if (!o->machine && corpus->count() == 0)
      throw CLI::RequiredError("a corpus, or --machine");
    status = runCalibrate(*o, missRates->count() > 0 && o->corpus.missRatesFrom.empty());
  });
}

} // namespace quincunx::tool
