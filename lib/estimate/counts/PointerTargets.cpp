// Targets of calls through pointers.
// The idea: a function that nobody calls by name is entered by sites, each of which calls it in
// some share of its calls: entries_t = sum_s share_st calls_s, a non-negative regression over the
// runs. Where nothing is left, or no more than independent outcomes leave, that is the share, with
// its error; else all that is known is what each run allows: no more calls than entries. Then the
// shares of each run are brought to its margins (iterative proportional fitting, Deming & Stephan
// 1940), so that every entry is called from somewhere. A single site is exact by that alone.
// Reference: docs/17-what-if.md. It knows no types: who could be called is only told by counts.
#include "PointerTargets.h"

#include "quincunx/base/Parallel.h"
#include "quincunx/numeric/NonNegative.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

namespace {

/// Runs that are left to contradict a regression, at least.
constexpr size_t minFreedom = 3;
/// Of a count that is told without a remainder.
constexpr double noRest = 1e-3, noRestOfLargest = 1e-8;
/// Of a share that is told so.
constexpr double noRestOfShare = 1e-6;
/// Standard deviations up to which what is left may be chance.
constexpr double chance = 3;
constexpr int maxRounds = 200;
constexpr double settled = 1e-13;
constexpr double noShare = 1e-9;
constexpr uint32_t noShareOf = UINT32_MAX;

double sum(std::span<const double> x) { return std::accumulate(x.begin(), x.end(), 0.0); }

} // namespace

/// Runs weigh by 1 / calls, as what is left varies with these. One more column is what enters a
/// function once a run, from outside, unless all entries are as many as all calls.
struct PointerTargets::Design {
  std::vector<size_t> runs;
  std::vector<const double *> columns; ///< null: 1
  NonNegativeFit equations;
};

PointerTargets::PointerTargets(std::vector<PerRun> c, std::vector<PerRun> e)
    : calls(std::move(c)), entries(std::move(e)) {
  total.assign(calls.empty() ? 0 : calls.front().size(), 0.0);
  for (const PerRun &site : calls)
    for (size_t d = 0; d < total.size(); ++d)
      total[d] += site[d];
  PerRun other = total;
  for (const PerRun &of : entries)
    for (size_t d = 0; d < total.size(); ++d)
      other[d] -= of[d];
  for (double &n : other) {
    outside.push_back(std::max(0.0, -n));
    closed = closed && std::fabs(n) <= noRest;
    n = std::max(0.0, n);
  }
  entries.push_back(std::move(other));
  const Design all = designOf(runsWith(nullptr)); // the same for all targets
  fits.resize(entries.size());
  forEachParallel(entries.size(), [&](size_t t) {
    const auto target = static_cast<uint32_t>(t);
    fits[t] = fitOf(target, all);
    std::vector<size_t> runs = runsWith(&entries[t]);
    if (fits[t].holds || runs.size() == all.runs.size())
      return;
    if (Fit whereEntered = fitOf(target, designOf(std::move(runs))); whereEntered.holds)
      fits[t] = std::move(whereEntered);
  });
  settleShares();
  prepareBounds();
  std::vector<uint8_t> isKnown(calls.size());
  forEachParallel(calls.size(), [&](size_t s) { isKnown[s] = findKnown(s); });
  known.assign(isKnown.begin(), isKnown.end());
}

PointerTargets PointerTargets::split(size_t site, const PerRun &first) const {
  std::vector<PerRun> two = calls;
  PerRun others = calls[site];
  for (size_t d = 0; d < others.size(); ++d)
    others[d] = std::max(0.0, others[d] - first[d]);
  two[site] = first;
  two.push_back(std::move(others));
  return {std::move(two), {entries.begin(), entries.end() - 1}};
}

double PointerTargets::at(const double *column, size_t run) { return column ? column[run] : 1; }

PointerTargets::Design PointerTargets::designOf(std::vector<size_t> runs) const {
  std::vector<const double *> columns;
  for (const PerRun &site : calls)
    columns.push_back(site.data());
  if (!closed)
    columns.push_back(nullptr);
  const size_t n = columns.size();
  std::vector<double> gram(n * n);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (const size_t d : runs)
        sum += at(columns[i], d) / total[d] * at(columns[j], d);
      gram[i * n + j] = gram[j * n + i] = sum;
    }
  return {std::move(runs), std::move(columns), NonNegativeFit(gram)};
}

/// Runs with calls; of these those that entered the target.
std::vector<size_t> PointerTargets::runsWith(const PerRun *entered) const {
  std::vector<size_t> runs;
  for (size_t d = 0; d < total.size(); ++d)
    if (total[d] > 0 && (!entered || (*entered)[d] > 0))
      runs.push_back(d);
  return runs;
}

PointerTargets::Fit PointerTargets::fitOf(uint32_t target, const Design &design) const {
  const auto &[runs, columns, equations] = design;
  const PerRun &own = entries[target];
  const size_t sites = calls.size(), n = columns.size();
  std::vector<double> right(n);
  for (size_t i = 0; i < n; ++i)
    for (const size_t d : runs)
      right[i] += at(columns[i], d) / total[d] * own[d];
  const std::vector<double> x = equations.solve(right);
  double most = 0, largest = 0, squares = 0, varied = 0;
  for (const size_t d : runs) {
    double rest = own[d], variance = 0;
    for (size_t i = 0; i < n; ++i)
      rest -= x[i] * at(columns[i], d);
    for (size_t s = 0; s < sites; ++s)
      variance += calls[s][d] * std::min(1.0, x[s]) * (1 - std::min(1.0, x[s]));
    most = std::max(most, std::fabs(rest)), largest = std::max(largest, own[d]);
    squares += rest * rest / total[d], varied += variance / total[d];
  }
  const auto used = static_cast<double>(runs.size());
  const double freedom = std::max(1.0, used - static_cast<double>(equations.rank()));
  const bool exact = most <= noRest + noRestOfLargest * largest;
  const double phi = varied > 0 ? squares / varied * used / freedom : HUGE_VAL;
  const double wide = exact ? 0 : studentQuantile(freedom, 0.95) * std::sqrt(squares / freedom);
  Fit fit;
  fit.holds = runs.size() >= equations.rank() + minFreedom &&
              (exact || phi <= 1 + chance * std::sqrt(2 / freedom));
  for (size_t s = 0; s < sites; ++s) {
    fit.share.push_back(std::min(1.0, x[s]));
    fit.error.push_back(wide * std::sqrt(equations.variance(s)));
    fit.told.push_back(equations.isKnown(s));
    fit.holds = fit.holds && x[s] <= 1 + noRestOfShare + fit.error[s];
  }
  fit.limit.assign(sites, 1.0);
  if (fit.holds && exact)
    findLimits(target, runs, fit);
  return fit;
}

/// What the sites that can be told leave of the target is the most that another may call.
void PointerTargets::findLimits(uint32_t target, const std::vector<size_t> &runs, Fit &fit) const {
  for (const size_t d : runs) {
    double rest = entries[target][d];
    for (size_t s = 0; s < calls.size(); ++s)
      rest -= fit.told[s] ? fit.share[s] * calls[s][d] : 0;
    for (size_t s = 0; s < calls.size(); ++s)
      if (calls[s][d] > 0)
        fit.limit[s] = std::clamp(rest / calls[s][d], 0.0, fit.limit[s]);
  }
}

/// First guesses: what regression says, and what it leaves of a target in proportion to all calls.
void PointerTargets::settleShares() {
  const double all = sum(total);
  shares.resize(calls.size());
  for (uint32_t t = 0; t < entries.size(); ++t) {
    double left = sum(entries[t]);
    for (size_t s = 0; s < calls.size(); ++s)
      left -= fits[t].share[s] * sum(calls[s]);
    const double more = fits[t].holds || all <= 0 ? 0 : std::max(0.0, left) / all;
    for (size_t s = 0; s < calls.size(); ++s)
      if (const double share = std::min(1.0, fits[t].share[s] + more); share > noShare)
        shares[s].push_back({t, PerRun(total.size(), share)});
  }
  for (size_t s = 0; s < calls.size(); ++s)
    if (shares[s].empty())
      spread(s);
  forEachParallel(total.size(), [&](size_t d) { settleRun(d); });
}

/// Of a site that regression leaves without a target, as where others are executed in proportion to
/// it: in proportion to the entries of those that it may call as well as another.
void PointerTargets::spread(size_t site) {
  double all = 0;
  for (uint32_t t = 0; t < entries.size(); ++t)
    all += fits[t].told[site] ? 0 : sum(entries[t]);
  for (uint32_t t = 0; t < entries.size() && all > 0; ++t)
    if (const double share = fits[t].told[site] ? 0 : sum(entries[t]) / all; share > noShare)
      shares[site].push_back({t, PerRun(total.size(), share)});
}

/// A run's shares side by side, as fitting them goes over them again and again.
struct PointerTargets::RunShares {
  struct Cell {
    double share = 0;
    uint32_t target = 0, number = 0; ///< number: among the shares of the site
  };
  struct Row {
    size_t site = 0;
    double calls = 0;
    std::vector<Cell> cells; ///< that may be above 0
  };
  std::vector<Row> rows;
  std::vector<double> entries; ///< per target
  bool isSettled = false;      ///< rows without calls are

  /// Brings rows to 1 each and adds their calls to `column`, per target. How far a row was off.
  double fitRows(std::vector<double> &column) {
    double moved = 0;
    for (Row &row : rows) {
      if (row.calls <= 0 && isSettled)
        continue;
      double all = 0;
      for (const Cell &cell : row.cells)
        all += cell.share;
      for (Cell &cell : row.cells) {
        cell.share /= all > 0 ? all : 1;
        column[cell.target] += cell.share * row.calls;
      }
      moved = std::max(moved, all > 0 ? std::fabs(all - 1) : 0);
    }
    isSettled = true;
    return moved;
  }
  /// Rows are sites and `entered` from outside, `come` in all; columns are targets. Last are the
  /// rows.
  void fitMargins(std::vector<double> entered, double come) {
    std::vector<double> column, factor(entered.size());
    for (int round = 0;; ++round) {
      if (const double all = sum(entered); all > 0)
        for (double &o : entered)
          o *= come / all;
      column = entered;
      if (const double moved = fitRows(column);
          (round > 0 && moved < settled) || round == maxRounds)
        return;
      for (uint32_t t = 0; t < factor.size(); ++t) {
        factor[t] = column[t] > 0 ? entries[t] / column[t] : 1;
        entered[t] *= factor[t];
      }
      for (Row &row : rows)
        if (row.calls > 0) // else as it calls elsewhere
          for (Cell &cell : row.cells)
            cell.share *= factor[cell.target];
    }
  }
};

/// What is called and what is entered both have to add up.
void PointerTargets::settleRun(size_t run) {
  RunShares own;
  for (const PerRun &target : entries)
    own.entries.push_back(target[run]);
  std::vector<double> entered = own.entries;
  for (size_t s = 0; s < calls.size(); ++s) {
    RunShares::Row row{s, calls[s][run], {}};
    for (uint32_t i = 0; i < shares[s].size(); ++i) {
      const uint32_t target = shares[s][i].target;
      double &share = shares[s][i].value[run];
      if (row.calls > 0 && own.entries[target] <= 0)
        share = 0;
      if (share > 0)
        row.cells.push_back({share, target, i});
      entered[target] -= share * row.calls;
    }
    own.rows.push_back(std::move(row));
  }
  const double come = outside[run];
  for (uint32_t t = 0; t < entered.size(); ++t)
    entered[t] = come > noRest ? std::max(entered[t], noShare * own.entries[t]) : 0;
  own.fitMargins(std::move(entered), come);
  for (const RunShares::Row &row : own.rows)
    for (const RunShares::Cell &cell : row.cells)
      shares[row.site][cell.number].value[run] = cell.share;
}

/// What bounds of all runs have in common.
void PointerTargets::prepareBounds() {
  numbers.assign(calls.size(), std::vector<uint32_t>(entries.size(), noShareOf));
  for (size_t s = 0; s < calls.size(); ++s)
    for (uint32_t i = 0; i < shares[s].size(); ++i)
      numbers[s][shares[s][i].target] = i;
  expected.resize(entries.size());
  for (uint32_t t = 0; t < entries.size(); ++t) {
    if (!fits[t].holds)
      continue;
    expected[t].resize(total.size());
    for (size_t s = 0; s < calls.size(); ++s)
      for (size_t d = 0; d < total.size(); ++d)
        expected[t][d] += fits[t].share[s] * calls[s][d];
  }
}

double PointerTargets::shareOf(size_t site, uint32_t target, size_t run) const {
  const uint32_t number = numbers[site][target];
  return number == noShareOf ? 0 : shares[site][number].value[run];
}

PointerTargets::Bounds PointerTargets::bounds(size_t site, uint32_t target, size_t run) const {
  const double n = calls[site][run], share = shareOf(site, target, run);
  const double possible = n > 0 ? std::min(1.0, entries[target][run] / n) : 1;
  const double other = total[run] - n + outside[run]; // these may have entered it in place of it
  const double least =
      n > 0 ? std::max(0.0, std::min(share, (entries[target][run] - other) / n)) : 0;
  const Fit &fit = fits[target];
  if (!fit.holds)
    return {least, std::max(share, possible)};
  if (!fit.told[site])
    return {least, std::max(share, std::min(possible, fit.limit[site]))};
  // A target may be entered more often in this run than it is elsewhere: so is what is not known of
  // it. And what regression says may have given way to the margins of the run.
  const double usual = expected[target][run];
  const double scale = usual > 0 ? entries[target][run] / usual : 1;
  const double told = std::min(1.0, scale * fit.share[site]);
  const double error = std::max(1.0, scale) * fit.error[site];
  return {std::max(least, std::min(share, told) - error),
          std::max(share, std::min(possible, std::max(share, told) + error))};
}

std::vector<PointerTargets::Part> PointerTargets::extreme(size_t site, size_t run,
                                                          std::span<const double> costs, bool most,
                                                          double portion) const {
  struct Choice {
    uint32_t target;
    Bounds share;
  };
  std::vector<Choice> all;
  double left = 1;
  for (uint32_t t = 0; t < entries.size(); ++t) {
    Bounds b = bounds(site, t, run);
    b.high = std::min(1.0, b.high / portion);
    b.low = std::min(b.high, std::max(0.0, 1 - (1 - b.low) / portion)); // above it by rounding
    if (b.high <= noRestOfShare)
      continue;
    all.push_back({t, b});
    left -= b.low;
  }
  std::stable_sort(all.begin(), all.end(), [&](const Choice &a, const Choice &b) {
    return most ? costs[a.target] > costs[b.target] : costs[a.target] < costs[b.target];
  });
  std::vector<Part> parts;
  for (const Choice &c : all) {
    const double more = std::clamp(left, 0.0, c.share.high - c.share.low);
    left -= more;
    parts.emplace_back(c.target, c.share.low + more);
  }
  if (left > noRestOfShare) // bounds that contradict each other: by what is estimated
    for (const Share &share : shares[site])
      parts.emplace_back(share.target, left * share.value[run]);
  return parts;
}

/// What is left for targets of which the share is open, once the others have theirs.
bool PointerTargets::findKnown(size_t site) const {
  for (size_t d = 0; d < total.size(); ++d) {
    double low = 0, open = 0;
    for (uint32_t t = 0; t < entries.size() && calls[site][d] > 0; ++t) {
      const Bounds b = bounds(site, t, d);
      low += b.low, open += b.high - b.low;
    }
    if (std::min(1 - low, open) > noRestOfShare)
      return false;
  }
  return true;
}

} // namespace quincunx
