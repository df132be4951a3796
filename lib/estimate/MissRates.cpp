// The idea: misses and executions of a block are both added up over all runs, so that what runs
// longer counts for more. A block that never ran there has no rate.
#include "MissRates.h"

#include <algorithm>
#include <set>

namespace quincunx {

uint32_t ordinalOf(const Map &map, uint32_t function) {
  uint32_t before = 0;
  for (uint32_t f = 0; f < function; ++f)
    before += map.functions[f].name == map.functions[function].name;
  return before;
}

MissRates::MissRates(const CountMatrix &matrix, const std::vector<Map> &maps) {
  const std::vector<double> one(matrix.rows.size(), 1.0), sums = matrix.perColumn(one);
  for (const CountMatrix::Columns &columns : matrix.functions) {
    const Map &map = maps[columns.map];
    const Function &f = map.functions[columns.function];
    std::vector<double> counters(f.counterCount);
    for (size_t i = 0; i < counters.size(); ++i)
      counters[i] = columns.counters[i] == none ? 0 : sums[columns.counters[i]];
    const Flow flow = Conservation(f).flow(counters);
    std::vector<MissRate> own(f.blocks.size());
    bool any = false;
    for (const EventCounter &e : eventCounters(f))
      if (counters[e.counter] > 0 && flow.blocks[e.block] > 0) {
        own[e.block][static_cast<size_t>(e.event)] += counters[e.counter] / flow.blocks[e.block];
        any = true;
      }
    if (any)
      rates[{f.name, ordinalOf(map, columns.function)}] = std::move(own);
  }
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
  const Function &f = map.functions[function];
  const auto at = rates.find({f.name, ordinalOf(map, function)});
  return at != rates.end() && at->second.size() == f.blocks.size() ? at->second
                                                                   : std::vector<MissRate>{};
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

} // namespace

Result<MissRates> carriedTo(const CountMatrix &matrix, const std::vector<Map> &maps,
                            const SimulatedRuns *from) {
  const auto [some, all] = simulated(matrix, maps);
  if (some && !all)
    return Error{
        "some of the counted programs were built with record=predictor and some without; keep "
        "their runs in two corpora"};
  if (from == nullptr)
    return MissRates();
  if (some)
    return Error{"the runs have simulated misses of their own; calibrate without --misses"};
  MissRates rates(from->matrix, from->maps);
  const auto isKnown = [&](const CountMatrix::Columns &c) {
    return !rates.of(maps[c.map], c.function).empty();
  };
  if (rates.empty())
    return Error{"the runs of --misses have no simulated misses; build the program with "
                 "-fplugin-arg-quincunx-record=counts,predictor and run it again"};
  if (std::none_of(matrix.functions.begin(), matrix.functions.end(), isKnown))
    return Error{"the runs of --misses are of another program: no function has the same name and "
                 "blocks"};
  if (std::all_of(matrix.rows.begin(), matrix.rows.end(),
                  [](const CountMatrix::Row &r) { return r.branchMisses.has_value(); }))
    rates.forget(Event::mispredict); // the processor knows better
  return rates;
}

} // namespace quincunx
