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
#include <map>
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
/// What a round leaves of what margins are off by, and how far they are, where no shares have them.
constexpr double noBetter = 0.99, notSettled = 1e-6;
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

PointerTargets::PointerTargets(std::vector<PerRun> c, std::vector<PerRun> e,
                               std::vector<Sites> callers)
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
  callers.emplace_back(calls.size());
  std::iota(callers.back().begin(), callers.back().end(), size_t{0});
  findGroups(std::move(callers));
  std::vector<Design> designs; // the same for all targets of a group
  for (const Group &group : groups)
    designs.push_back(designOf(group, runsWith(nullptr)));
  fits.resize(entries.size());
  forEachParallel(entries.size(), [&](size_t t) {
    const auto target = static_cast<uint32_t>(t);
    const Design &all = designs[groupOf[t]];
    fits[t] = fitOf(target, all);
    std::vector<size_t> runs = runsWith(&entries[t]);
    if (fits[t].holds || runs.size() == all.runs.size())
      return;
    if (Fit whereEntered = fitOf(target, designOf(groups[groupOf[t]], std::move(runs)));
        whereEntered.holds)
      fits[t] = std::move(whereEntered);
  });
  settleShares();
  prepareBounds();
  std::vector<uint8_t> isKnown(calls.size());
  forEachParallel(calls.size(), [&](size_t s) { isKnown[s] = findKnown(s); });
  known.assign(isKnown.begin(), isKnown.end());
}

/// Targets with the same callers.
void PointerTargets::findGroups(std::vector<Sites> callers) {
  std::map<Sites, uint32_t> known;
  for (Sites &of : callers) {
    const auto [at, isNew] = known.try_emplace(of, static_cast<uint32_t>(groups.size()));
    groupOf.push_back(at->second);
    if (!isNew)
      continue;
    Group group{std::move(of), std::vector<bool>(calls.size()), PerRun(total.size())};
    for (const size_t s : group.sites) {
      group.has[s] = true;
      for (size_t d = 0; d < total.size(); ++d)
        group.calls[d] += calls[s][d];
    }
    groups.push_back(std::move(group));
  }
}

PointerTargets PointerTargets::split(size_t site, const PerRun &first) const {
  std::vector<PerRun> two = calls;
  PerRun others = calls[site];
  for (size_t d = 0; d < others.size(); ++d)
    others[d] = std::max(0.0, others[d] - first[d]);
  two[site] = first;
  two.push_back(std::move(others));
  std::vector<Sites> callers;
  for (uint32_t t = 0; t < elsewhere(); ++t) {
    callers.push_back(groupFor(t).sites);
    if (groupFor(t).has[site])
      callers.back().push_back(calls.size());
  }
  return {std::move(two), {entries.begin(), entries.end() - 1}, std::move(callers)};
}

double PointerTargets::at(const double *column, size_t run) { return column ? column[run] : 1; }

PointerTargets::Design PointerTargets::designOf(const Group &group,
                                                std::vector<size_t> runs) const {
  std::vector<const double *> columns;
  for (const size_t s : group.sites)
    columns.push_back(calls[s].data());
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
  const Sites &sites = groupFor(target).sites;
  const size_t n = columns.size();
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
    for (size_t i = 0; i < sites.size(); ++i)
      variance += at(columns[i], d) * std::min(1.0, x[i]) * (1 - std::min(1.0, x[i]));
    most = std::max(most, std::fabs(rest)), largest = std::max(largest, own[d]);
    squares += rest * rest / total[d], varied += variance / total[d];
  }
  const auto used = static_cast<double>(runs.size());
  const double freedom = std::max(1.0, used - static_cast<double>(equations.rank()));
  const bool exact = most <= noRest + noRestOfLargest * largest;
  const double phi = varied > 0 ? squares / varied * used / freedom : HUGE_VAL;
  const double wide = exact ? 0 : studentQuantile(freedom, 0.95) * std::sqrt(squares / freedom);
  Fit fit;
  fit.exact = exact;
  fit.holds = runs.size() >= equations.rank() + minFreedom &&
              (exact || phi <= 1 + chance * std::sqrt(2 / freedom));
  fit.share.resize(calls.size());
  fit.error.resize(calls.size());
  fit.told.assign(calls.size(), true); // who cannot call it does not
  fit.limit.resize(calls.size());
  for (size_t i = 0; i < sites.size(); ++i) {
    const size_t s = sites[i];
    fit.share[s] = std::min(1.0, x[i]);
    fit.error[s] = wide * std::sqrt(equations.variance(i));
    fit.told[s] = equations.isKnown(i);
    fit.limit[s] = 1;
    fit.holds = fit.holds && x[i] <= 1 + noRestOfShare + fit.error[s];
  }
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
  shares.resize(calls.size());
  for (uint32_t t = 0; t < entries.size(); ++t) {
    const double all = sum(groupFor(t).calls);
    double left = sum(entries[t]);
    for (const size_t s : groupFor(t).sites)
      left -= fits[t].share[s] * sum(calls[s]);
    const double more = fits[t].holds || all <= 0 ? 0 : std::max(0.0, left) / all;
    for (const size_t s : groupFor(t).sites)
      if (const double share = std::min(1.0, fits[t].share[s] + more); share > noShare)
        shares[s].push_back({t, PerRun(total.size(), share)});
  }
  for (size_t s = 0; s < calls.size(); ++s)
    if (shares[s].empty())
      spread(s);
  std::vector<std::vector<Moved>> moved(total.size());
  forEachParallel(total.size(), [&](size_t d) { moved[d] = settleRun(d); });
  for (size_t d = 0; d < total.size(); ++d)
    for (const Moved &more : moved[d]) {
      const auto at = std::ranges::find(shares[more.site], more.target, &Share::target);
      Share &share = at != shares[more.site].end()
                         ? *at
                         : shares[more.site].emplace_back(more.target, PerRun(total.size()));
      share.value[d] += more.share;
    }
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

  /// Brings rows to 1 each and adds their calls to `column`, per target.
  void fitRows(std::vector<double> &column) {
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
    }
    isSettled = true;
  }
  /// Rows are sites and `entered` from outside, `come` in all; columns are targets. Last are the
  /// rows.
  void fitMargins(const PointerTargets &of, std::vector<double> entered, double come) {
    const double all = sum(entries);
    std::vector<double> column, factor(entered.size());
    double before = HUGE_VAL;
    for (int round = 0;; ++round) {
      if (const double most = sum(entered); most > 0)
        for (double &o : entered)
          o *= come / most;
      column = entered;
      fitRows(column);
      double off = 0;
      for (uint32_t t = 0; t < factor.size(); ++t)
        off += std::fabs(column[t] - entries[t]);
      if (off <= settled * all || round == maxRounds)
        return;
      if (off > notSettled * all && off > noBetter * before)
        return moveSurplus(of, column);
      before = off;
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

  /// Where no shares of these cells have both margins: what a target gets too much goes to others
  /// that get too little and that the site may call, else elsewhere.
  void moveSurplus(const PointerTargets &of, const std::vector<double> &column) {
    std::vector<double> missing;
    for (uint32_t t = 0; t < entries.size(); ++t)
      missing.push_back(std::max(0.0, entries[t] - column[t]));
    for (Row &row : rows) {
      if (row.calls <= 0)
        continue;
      double kept = 0, open = 0;
      for (Cell &cell : row.cells) {
        cell.share *= std::min(1.0, entries[cell.target] / column[cell.target]);
        kept += cell.share;
      }
      const double surplus = std::max(0.0, 1 - kept) * row.calls;
      const auto mayCall = [&](uint32_t t) { return of.groupFor(t).has[row.site]; };
      for (uint32_t t = 0; t < entries.size() && surplus > 0; ++t)
        open += mayCall(t) ? missing[t] : 0;
      const double part = open > 0 ? std::min(1.0, surplus / open) : 0;
      for (uint32_t t = 0; t < entries.size() && surplus > 0; ++t)
        if (const double more = mayCall(t) ? part * missing[t] : 0; more > 0) {
          row.cells.push_back({more / row.calls, t, noShareOf});
          missing[t] -= more;
        }
      if (surplus > part * open)
        row.cells.push_back({(surplus - part * open) / row.calls, of.elsewhere(), noShareOf});
    }
  }
};

/// What is called and what is entered both have to add up.
std::vector<PointerTargets::Moved> PointerTargets::settleRun(size_t run) {
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
  // From outside come surely those that exact shares leave.
  const auto isSure = [&](uint32_t t) { return fits[t].holds && fits[t].exact; };
  double sure = 0;
  for (uint32_t t = 0; t < elsewhere(); ++t)
    sure += isSure(t) ? std::max(0.0, entered[t]) : 0;
  const double come = std::max(sure, outside[run]);
  own.entries[elsewhere()] += come - outside[run];
  for (uint32_t t = 0; t < entered.size(); ++t) {
    const double seed = come - sure > noRest && t != elsewhere() ? noShare * own.entries[t] : 0;
    entered[t] = isSure(t) || seed > 0 ? std::max(entered[t], seed) : 0;
  }
  own.fitMargins(*this, std::move(entered), come);
  std::vector<Moved> moved;
  for (const RunShares::Row &row : own.rows)
    for (const RunShares::Cell &cell : row.cells)
      if (cell.number != noShareOf)
        shares[row.site][cell.number].value[run] = cell.share;
      else
        moved.push_back({row.site, cell.target, cell.share});
  return moved;
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
  if (!groupFor(target).has[site])
    return {0, share};
  const double possible = n > 0 ? std::min(1.0, entries[target][run] / n) : 1;
  const double other =
      groupFor(target).calls[run] - n + outside[run]; // these may have entered it in place of it
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

bool PointerTargets::isPossible(size_t site, uint32_t target, size_t run) const {
  if (known[site])
    return shareOf(site, target, run) > 0;
  return groupFor(target).has[site] && calls[site][run] > 0 && entries[target][run] > 0;
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
