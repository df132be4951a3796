// Chooses the machine that prices a corpus, and the unit of time. The idea: a calibrated corpus is
// asked about time, unless the user says otherwise. How long runs take is known roughly from when
// they were counted, which is enough to choose between ns and s. It prices nothing.
#include "PricingOptions.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <vector>

namespace quincunx::tool {

void addPricingOptions(CLI::App &verb, PricingOptions &options) {
  CLI::Option *machine =
      verb.add_option("--machine", options.machine,
                      "What instructions cost: unit, x86-64 or a .machine file (default: what "
                      "the corpus has, else " +
                          std::string(usualMachine) + ")")
          ->type_name("NAME|FILE");
  verb.add_option("--unit,--units", options.units,
                  "Time by the prices of the corpus, or counts of work (default: time where it "
                  "has prices)")
      ->check(CLI::IsMember({"time", "counts"}).description(""))
      ->type_name("time|counts")
      ->excludes(machine);
}

Result<Machine> machineOf(const PricingOptions &options) {
  return machineByName(options.machine.empty() ? usualMachine : options.machine);
}

namespace {

/// Returns the median time of a run when it was counted, in seconds; 0 without runs.
Result<double> usualRun(const Corpus &corpus) {
  std::vector<double> walls;
  const Status read = corpus.forEachRun(
      [&](Run &&run) -> Status {
        walls.push_back(run.wall);
        return Done{};
      },
      Corpus::ReadMask::description);
  if (!read)
    return read.error();
  if (walls.empty())
    return 0.0;
  const auto middle = walls.begin() + static_cast<ptrdiff_t>(walls.size() / 2);
  std::nth_element(walls.begin(), middle, walls.end());
  return *middle;
}

Result<Machine> suited(Machine machine, const Corpus &corpus, const std::string &per) {
  machine.fit.ofRuns = per != "request";
  if (per != "run")
    return machine.unit == "ns" ? inUnit(std::move(machine), "us", 1e-3) : machine;
  if (machine.unit != "ns")
    return machine;
  const Result<double> seconds = usualRun(corpus);
  if (!seconds)
    return seconds.error();
  if (*seconds >= 1)
    return inUnit(std::move(machine), "s", 1e-9);
  if (*seconds >= 1e-3)
    return inUnit(std::move(machine), "ms", 1e-6);
  return inUnit(std::move(machine), "us", 1e-3);
}

} // namespace

Machine inUnit(Machine m, const std::string &unit, double factor) {
  m.unit = unit;
  for (auto *costs : {&m.classes, &m.events})
    for (auto &[name, cost] : *costs)
      cost = scaled(factor, cost);
  for (auto *costs : {&m.callees, &m.bytes})
    for (auto &[name, cost] : *costs)
      cost = scaled(factor, cost);
  for (ProgramFit::Function &f : m.fit.functions)
    for (auto *costs : {&f.weights, &f.prices, &f.carried, &f.calls})
      for (double &c : *costs)
        c *= factor;
  m.fit.once *= factor;
  return m;
}

Result<Machine> machineFor(const Corpus &corpus, const PricingOptions &options,
                           const std::string &per) {
  Result<std::string> text = corpus.calibration();
  if (!text)
    return text.error();
  const bool wantsTime =
      options.units == "time" || (options.units.empty() && options.machine.empty());
  if (options.units == "time" && text->empty())
    return Error{
        escape(corpus.path()) +
        " is not calibrated: time the plain program (quincunx run --timed) and run quincunx "
        "calibrate " +
        escape(corpus.path())};
  Result<Machine> machine = wantsTime && !text->empty()
                                ? parseMachine(*text, "calibration of " + corpus.path())
                                : machineOf(options);
  return machine ? suited(std::move(*machine), corpus, per) : machine;
}

} // namespace quincunx::tool
