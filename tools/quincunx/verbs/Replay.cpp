// quincunx replay: a C program that does a run again, with threads that sleep. Here are only the
// options.
#include "Verbs.h"

#include "quincunx/report/Replay.h"

#include "arguments/PricedCorpus.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct ReplayArguments {
  CorpusOptions corpus;
  std::string run;
};

int runReplay(const ReplayArguments &options) {
  const Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  const Result<Observed> observed = observe(*priced);
  if (!observed)
    return fail(observed.error());
  const Result<ReplayedRun> run = replayedRun(priced->corpus, *observed, options.run);
  if (!run)
    return fail(run.error());
  printReplay(*run, std::cout);
  return finishOutput("the program");
}

} // namespace

void addReplay(CLI::App &app, int &status) {
  auto options = std::make_shared<ReplayArguments>();
  CLI::App *verb = app.add_subcommand(
      "replay", "Write a C program whose threads sleep as long as those of a run worked");
  verb->footer(
      "Examples:\n"
      "  quincunx replay prog.qx 'large.txt threads=64' > replay.c\n"
      "  quincunx replay --machine server.machine prog.qx 3f9a > replay.c    # its identity\n"
      "  cc -O2 -pthread replay.c -o replay && ./replay 10    # ten times as slow");
  addCorpusArgument(*verb, options->corpus);
  verb->add_option("run", options->run, "The run: its label, or its identity")
      ->required()
      ->type_name("RUN");
  addPricingOptions(*verb, options->corpus.pricing);
  verb->callback([options, &status] { status = runReplay(*options); });
}

} // namespace quincunx::tool
