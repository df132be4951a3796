// quincunx simulate: a model, event by event. Here are only the options; the simulator is
// lib/pamela's, the text lib/report's.
#include "Verbs.h"
#include "arguments/ModelFile.h"
#include "system/Progress.h"
#include "system/ReplaceFile.h"
#include "system/TerminalTraits.h"
#include "system/WrappedNotes.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Simulate.h"

#include <charconv>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <sstream>

namespace quincunx::tool {

namespace {

struct SimulateArguments {
  std::string file;
  pamela::SimulateOptions simulate;
  std::vector<std::string> define;
  std::string replications, seed, until, maxEvents, maxProcesses, trace;
  double seconds = 0;
  bool json = false;
};

/// Most replications where a precision or a time ends them.
constexpr uint64_t withoutEnd = 1'000'000'000;
/// Seconds after which one wants to know how far it is.
constexpr double longSilence = 1;
/// That viewers still show.
constexpr size_t mostSlices = 1'000'000;

volatile std::sig_atomic_t interrupted = 0;

/// While it lives, Ctrl-C asks for what is known so far; a second one ends the process.
struct Interruptible {
  Interruptible() {
    struct sigaction action{};
    action.sa_handler = [](int) { interrupted = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, &before);
  }
  ~Interruptible() { ::sigaction(SIGINT, &before, nullptr); }
  Interruptible(const Interruptible &) = delete;
  Interruptible &operator=(const Interruptible &) = delete;

private:
  struct sigaction before{};
};

/// "1%" or "0.01".
Result<double> precisionOf(std::string_view text) {
  const bool percent = text.ends_with('%');
  double part = 0;
  const bool isNumber = parseNumber(text.substr(0, text.size() - (percent ? 1 : 0)), part);
  part /= percent ? 100 : 1;
  if (!isNumber || !(part > 0 && part < 1))
    return Error{"--until takes a part of the mean, as 1% or 0.01, not '" + escape(text) + "'"};
  return part;
}

/// A whole number from `least` on; what is not given stays.
Status readCount(const char *option, const std::string &text, uint64_t least, uint64_t &into) {
  if (text.empty())
    return Done{};
  const char *const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, into);
  if (problem == std::errc() && stopped == end && into >= least)
    return Done{};
  return Error{std::string(option) + " takes a whole number from " + std::to_string(least) +
               " to 18446744073709551615, not '" + escape(text) + "'"};
}

Status readOptions(SimulateArguments &o) {
  Result<std::map<std::string, double>> parameters = parseDefines(o.define);
  if (!parameters)
    return parameters.error();
  o.simulate.parameters = std::move(*parameters);
  if (!o.until.empty()) {
    const Result<double> part = precisionOf(o.until);
    if (!part)
      return part.error();
    o.simulate.precision = *part;
  }
  o.simulate.mostSlices = o.trace.empty() ? 0 : mostSlices;
  if (o.seconds < 0)
    return Error{"--seconds takes a time above 0"};
  if (o.simulate.precision || o.seconds > 0)
    o.simulate.replications = withoutEnd;
  for (const Status &s : {readCount("-n", o.replications, 1, o.simulate.replications),
                          readCount("--seed", o.seed, 0, o.simulate.seed),
                          readCount("--max-events", o.maxEvents, 1, o.simulate.maxEvents),
                          readCount("--max-processes", o.maxProcesses, 1, o.simulate.maxLive)})
    if (!s)
      return s;
  return Done{};
}

Status writeTrace(const SimulateArguments &options, pamela::Simulated &simulated) {
  if (options.trace.empty())
    return Done{};
  if (simulated.slices.size() == mostSlices)
    simulated.notes.push_back("the trace has the first " + std::to_string(mostSlices) +
                              " delays, waits and uses");
  std::ostringstream text;
  printSimulatedTrace(simulated, text);
  return replaceFile(options.trace, text.str());
}

int runSimulate(SimulateArguments &options) {
  if (const Status s = readOptions(options); !s)
    return failUsage(s.error());
  const Result<pamela::Model> model = readModel(options.file);
  if (!model)
    return failInModel(model.error());
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun = Clock::now();
  const bool hasTotal = !options.simulate.precision && options.seconds <= 0;
  Progress progress(hasTotal ? options.simulate.replications : 0, false, "replications");
  bool outOfTime = false;
  options.simulate.goesOn = [&](uint64_t done) {
    const double passed = std::chrono::duration<double>(Clock::now() - begun).count();
    if (passed > longSilence)
      progress.reach(done);
    outOfTime = options.seconds > 0 && passed > options.seconds;
    return interrupted == 0 && !outOfTime;
  };
  const Interruptible untilHere;
  Result<pamela::Simulated> simulated = pamela::simulate(*model, options.simulate);
  progress.clear();
  if (!simulated)
    return failInModel(simulated.error());
  if (const Status s = writeTrace(options, *simulated); !s)
    return fail(s.error());
  writeInLargePieces();
  if (!options.json)
    printSimulated(options.simulate.target, *simulated, readersDisplay(), std::cout);
  else if (Status s = printSimulatedJson(options.file, options.simulate, *simulated, std::cout); !s)
    return fail(s.error());
  return finishOutput("the answer", interrupted != 0 ? interruptedStatus : ok);
}

} // namespace

void addSimulate(CLI::App &app, int &status) {
  auto options = std::make_shared<SimulateArguments>();
  CLI::App *verb = app.add_subcommand("simulate", "Simulate a PAMELA+ model, event by event");
  verb->footer("Examples:\n"
               "  quincunx simulate mrm.pam -D P=100 -D N=1000\n"
               "  quincunx simulate mrm.pam -D P=100 -D N=1000 -n 10000 --seed 7 --json\n"
               "  quincunx simulate mrm.pam -D P=100 -D N=1000 --until 1% --seconds 60\n"
               "  quincunx simulate mrm.pam -D P=4 -D N=10 -n 1 --trace mrm.json");
  verb->add_option("model", options->file, "Model (.pam)")->required()->type_name("MODEL");
  verb->add_option("-n,--replications", options->replications,
                   "How often it is simulated, at most (default: 1000)")
      ->type_name("N");
  verb->add_option("--until", options->until,
                   "Stop when the 90 % interval of the mean is this part of it to each side")
      ->type_name("PART");
  verb->add_option("--seconds", options->seconds, "Stop after this time")->type_name("S");
  verb->add_option("--seed", options->seed, "Of the random numbers (default: 1)")->type_name("N");
  verb->add_option("--max-events", options->maxEvents,
                   "Ends of delays and uses, turns and parts, in all (default: 1000000000)")
      ->type_name("N");
  verb->add_option("--max-processes", options->maxProcesses, "At once (default: 1000000)")
      ->type_name("N");
  verb->add_option("-D,--define", options->define, "The value of a parameter; may be repeated")
      ->type_name("NAME=NUMBER")
      ->allow_extra_args(false);
  verb->add_option("--target", options->simulate.target, "The process (default: main)")
      ->type_name("NAME");
  verb->add_option("--trace", options->trace,
                   "Write what processes do in the first replication, for ui.perfetto.dev and "
                   "chrome://tracing")
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "Everything, for programs");
  verb->callback([options, &status] { status = runSimulate(*options); });
}

} // namespace quincunx::tool
