// From probed costs to a .machine file.
// The idea: four digits are more than a clock knows and few enough to read. Rounding must not make
// moments that no cost has, so the kurtosis is rounded up. The lines are those of printMachine(),
// with a comment behind each. Reference: docs/13-machines.md. It writes no date and no name of a
// machine: the same machine gives files that can be compared.
#include "quincunx/probe/Probe.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace quincunx {

namespace {

using Kind = ProbedCost::Kind;

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

double fourDigits(double x) {
  double value = x;
  parseNumber(number(x), value);
  return value;
}

Moments rounded(const Moments &m) {
  Moments out{fourDigits(m.mean), fourDigits(m.variance), fourDigits(m.skewness), 3};
  if (out.variance == 0)
    return {out.mean, 0, 0, 3};
  const double least = std::max(m.kurtosis, 1 + out.skewness * out.skewness);
  out.kurtosis = std::ceil(least * 1e3) / 1e3;
  return out;
}

std::string keyOf(const ProbedCost &cost) {
  return cost.kind == Kind::callee ? "callee " + cost.word : cost.word;
}

std::string percent(double part) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * part);
  return text;
}

std::string comment(const ProbedCost &cost) {
  std::string out = cost.kind == Kind::event
                        ? number(cost.latency)
                        : number(cost.latency) + " / " + number(cost.throughput);
  return out + ", " + percent(cost.spread) + "; " + cost.what;
}

std::string header(const ProbedMachine &probed, const std::string &processor) {
  std::string out = "# Measured by quincunx calibrate --machine.\n"
                    "# processor: " +
                    escape(processor) + "\n# clock: " + probed.clock +
                    "\n# batches: " + std::to_string(probed.effort.batches) + " of " +
                    exact(probed.effort.batch * 1e3) + " ms of each loop\n";
  out += "# Behind each cost: ns when every execution waits for the one before / when none does "
         "(an event: its\n"
         "# cost), how far batches spread, what was measured. An instruction costs the first with "
         "probability " +
         exact(exposed) + ".\n";
  out +=
      "# programSpread: programs take longer or less than such prices say, each by a factor of its "
      "own: the\n# deviation of its logarithm, as found with 13 programs.\n";
  for (const std::string &note : noiseNotes(probed))
    out += "# " + note + '\n';
  return out;
}

} // namespace

Machine machineOf(const ProbedMachine &probed, const std::string &name) {
  Machine machine{name, "ns", {{"construct", {}}}, {}, {}};
  machine.programSpread = measuredProgramSpread;
  for (const ProbedCost &cost : probed.costs) {
    const Cumulants k = cumulants(rounded(cost.law));
    if (cost.kind == Kind::callee)
      machine.callees[cost.word] = k;
    else
      (cost.kind == Kind::event ? machine.events : machine.classes).emplace_back(cost.word, k);
  }
  return machine;
}

std::string describe(const ProbedMachine &probed, const std::string &name,
                     const std::string &processor) {
  std::string out = header(probed, processor);
  std::istringstream lines(printMachine(machineOf(probed, name)));
  for (std::string line; std::getline(lines, line);) {
    const auto cost =
        std::find_if(probed.costs.begin(), probed.costs.end(),
                     [&](const ProbedCost &c) { return line.starts_with(keyOf(c) + ' '); });
    constexpr size_t column = 60;
    if (cost != probed.costs.end())
      line +=
          std::string(line.size() < column ? column - line.size() : 1, ' ') + "# " + comment(*cost);
    out += line + '\n';
  }
  return out;
}

std::vector<std::string> noiseNotes(const ProbedMachine &probed) {
  std::vector<std::string> out;
  for (const ProbedCost &cost : probed.costs)
    if (cost.spread > noisySpread)
      out.push_back("note: batches of " + keyOf(cost) + " spread by " + percent(cost.spread) +
                    "; repeat on a quiet machine");
  return out;
}

} // namespace quincunx
