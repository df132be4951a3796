// Misses per execution of blocks, and the runs they are carried to.
// The idea: misses and executions of a block are both added up over all runs, and over all images
// and builds that have the function, so that what runs longer counts for more. A block that never
// ran there has no rate.
#include "MissRates.h"

#include "estimate/figures/Notes.h"
#include "quincunx/estimate/BlockCosts.h"

#include <algorithm>

namespace quincunx {

uint32_t ordinalOf(const Map &map, uint32_t function) {
  uint32_t before = 0;
  for (uint32_t f = 0; f < function; ++f)
    before += map.functions[f].name == map.functions[function].name;
  return before;
}

MissRates::Key MissRates::keyOf(const Map &map, uint32_t function) {
  const Function &f = map.functions[function];
  return {f.name, ordinalOf(map, function), f.blocks.size()};
}

MissRates::MissRates(const CountMatrix &matrix, const std::vector<Map> &maps) {
  std::vector<bool> simulated;
  for (const Map &map : maps) {
    simulated.push_back(simulates(map));
    for (uint32_t f = 0; f < map.functions.size() && simulated.back(); ++f)
      known.insert(keyOf(map, f));
  }
  std::map<Key, std::vector<double>> executions; // per block; of misses they are in `rates` so far
  const std::vector<double> one(matrix.rows.size(), 1.0), sums = matrix.perColumn(one);
  for (const CountMatrix::Columns &columns : matrix.functions) {
    if (!simulated[columns.map])
      continue;
    const Function &f = maps[columns.map].functions[columns.function];
    std::vector<double> counters(f.counterCount);
    for (size_t i = 0; i < counters.size(); ++i)
      counters[i] = columns.counters[i] == noIndex ? 0 : sums[columns.counters[i]];
    const FlowValues flow = FlowSolver(f).flow(counters);
    const Key key = keyOf(maps[columns.map], columns.function);
    std::vector<double> &ran = executions[key];
    std::vector<MissRate> &missed = rates[key];
    ran.resize(f.blocks.size());
    missed.resize(f.blocks.size());
    for (size_t b = 0; b < ran.size(); ++b)
      ran[b] += flow.blocks[b];
    for (const EventCounter &e : eventCounters(f))
      missed[e.block][static_cast<size_t>(e.event)] += counters[e.counter];
  }
  for (auto &[key, blocks] : rates)
    for (size_t b = 0; b < blocks.size(); ++b)
      for (double &rate : blocks[b])
        rate = rate > 0 && executions[key][b] > 0 ? rate / executions[key][b] : 0;
}

bool MissRates::empty() const {
  for (size_t e = 0; e < eventCount; ++e)
    if (has(static_cast<Event>(e)))
      return false;
  return true;
}

bool MissRates::has(Event event) const {
  return std::any_of(rates.begin(), rates.end(), [&](const auto &f) {
    return std::any_of(f.second.begin(), f.second.end(),
                       [&](const MissRate &rate) { return rate[static_cast<size_t>(event)] > 0; });
  });
}

void MissRates::forget(Event event) {
  for (auto &[function, blocks] : rates)
    for (MissRate &rate : blocks)
      rate[static_cast<size_t>(event)] = 0;
}

std::vector<MissRate> MissRates::of(const Map &map, uint32_t function) const {
  if (rates.empty())
    return {};
  const auto at = rates.find(keyOf(map, function));
  return at != rates.end() ? at->second : std::vector<MissRate>{};
}

bool MissRates::knows(const Map &map, uint32_t function) const {
  return known.contains(keyOf(map, function));
}

namespace {

/// Of those that ran: were some built with record=predictor, or all?
std::pair<bool, bool> simulated(const CountMatrix &matrix, const std::vector<Map> &maps) {
  std::set<uint32_t> ran;
  for (const CountMatrix::Columns &c : matrix.functions)
    ran.insert(c.map);
  const auto is = [&](uint32_t map) { return simulates(maps[map]); };
  return {std::any_of(ran.begin(), ran.end(), is), std::all_of(ran.begin(), ran.end(), is)};
}

/// What the rates reach. An error when they are of another program.
Result<ImputedMisses> reach(const CountMatrix &matrix, const std::vector<Map> &maps,
                            const Machine &guess, const MissRates &rates) {
  const BlockCosts costs(matrix, maps, guess);
  const std::vector<double> one(matrix.rows.size(), 1.0), sums = matrix.perColumn(one);
  ImputedMisses to{0, matrix.functions.size(), 0};
  size_t known = 0;
  double all = 0, ofKnown = 0;
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const CountMatrix::Columns &c = matrix.functions[f];
    const double work = costs.dot(f, 0, sums);
    all += work;
    if (rates.knows(maps[c.map], c.function))
      ++known, ofKnown += work;
    if (!rates.of(maps[c.map], c.function).empty())
      ++to.functions, to.work += work;
  }
  if (known == 0 || ofKnown < enoughWork * all)
    return Error{"the runs of --miss-rates-from are of another program or build: only " +
                 std::to_string(known) + " of " + std::to_string(to.all) + " functions, " +
                 brief(all > 0 ? 100 * ofKnown / all : 0, 2) +
                 " % of the work, have the same name and blocks; build this program with "
                 "-fplugin-arg-quincunx-record=counts,predictor and count some inputs"};
  to.work = all > 0 ? to.work / all : 0;
  return to;
}

} // namespace

Result<MissImputation> imputeMisses(const CountMatrix &matrix, const std::vector<Map> &maps,
                                    const Machine &guess, const SimulatedRuns *from) {
  const auto [some, all] = simulated(matrix, maps);
  if (some && !all)
    return Error{
        "some of the counted programs were built with record=predictor and some without; keep "
        "their runs in two corpora"};
  if (from == nullptr)
    return MissImputation{};
  if (some)
    return Error{
        "the runs have simulated misses of their own; calibrate without --miss-rates-from"};
  MissRates rates(from->matrix, from->maps);
  if (rates.empty())
    return Error{"the runs of --miss-rates-from have no simulated misses; build the program with "
                 "-fplugin-arg-quincunx-record=counts,predictor and run it again"};
  const Result<ImputedMisses> to = reach(matrix, maps, guess, rates);
  if (!to)
    return to.error();
  if (std::all_of(matrix.rows.begin(), matrix.rows.end(),
                  [](const CountMatrix::Row &r) { return r.branchMisses.has_value(); }))
    rates.forget(Event::mispredict); // the processor knows better
  return MissImputation{std::move(rates), *to};
}

} // namespace quincunx
