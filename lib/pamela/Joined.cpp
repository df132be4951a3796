// Joins by laws that are fitted to cumulants.
// The idea: what is equal is one class with a count, and what is always below another (a constant,
// or with a gap of many deviations) need not be joined at all: most joins of a model are decided by
// their means.
#include "Joined.h"

#include "quincunx/cost/Join.h"
#include "quincunx/dist/Fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quincunx::pamela {

namespace {

/// Deviations below or above its mean that a law is taken to stay within here: an exponential one
/// leaves them once in 4 * 10^5 draws, a normal one never.
constexpr double far = 12;

Result<DistributionPtr> lawOf(const Cumulants &k) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Range range{k.k1 >= 0 ? 0 : -inf, inf};
  const Result<Fit> fit = fitLaw(project(moments(k)).moments, range);
  if (!fit)
    return fit.error();
  return fit->law;
}

bool byMean(const Copies &a, const Copies &b) { return a.k.k1 < b.k.k1; }

void unite(std::vector<Copies> &all) {
  std::vector<Copies> classes;
  for (const Copies &c : all) {
    const auto same =
        std::find_if(classes.begin(), classes.end(), [&](const Copies &o) { return o.k == c.k; });
    if (same == classes.end())
      classes.push_back(c);
    else
      same->count += c.count;
  }
  all = std::move(classes);
}

double sd(const Cumulants &k) { return std::sqrt(std::max(0.0, k.k2)); }
/// Ends of where it nearly always is; of a constant just that.
double low(const Cumulants &k) { return k.k1 - far * sd(k); }
double high(const Cumulants &k) { return k.k1 + far * sd(k); }

/// Leaves out what is (nearly) never the last of them.
void dropLower(std::vector<Copies> &all) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const Copies &c : all)
    highest = std::max(highest, low(c.k));
  // What has a mean above 0 is a cost, and never below 0 (but for rounding).
  const double mean = std::max_element(all.begin(), all.end(), byMean)->k.k1;
  std::erase_if(all, [&](const Copies &c) {
    return high(c.k) < highest || (mean > 0 && isConstant(c.k) && c.k.k1 <= 1e-13 * mean);
  });
}

Result<Cumulants> joined(JoinFunction *join, double k, const std::vector<Copies> &all) {
  if (all.size() == 1 && (all[0].count == 1 || isConstant(all[0].k)))
    return all[0].k;
  std::vector<Task> tasks;
  for (const Copies &c : all) {
    const Result<DistributionPtr> law = lawOf(c.k);
    if (!law)
      return law.error();
    tasks.push_back({*law, c.count});
  }
  const Result<Join> j = join(k, tasks);
  if (!j)
    return j.error();
  return j->k;
}

bool allConstant(const std::vector<Copies> &all) {
  return std::all_of(all.begin(), all.end(), [](const Copies &c) { return isConstant(c.k); });
}

/// The same number, computed in two ways.
bool alike(const Cumulants &a, const Cumulants &b) {
  const double scale = sd(a) + sd(b) + 1e-9 * std::fabs(a.k1);
  double power = 1;
  for (const auto &[x, y] : {std::pair{a.k1, b.k1}, {a.k2, b.k2}, {a.k3, b.k3}, {a.k4, b.k4}})
    if (!(std::fabs(x - y) <= 1e-9 * (power *= scale)) && x != y)
      return false;
  return true;
}

} // namespace

Result<Cumulants> largest(std::vector<Copies> all) {
  if (all.empty())
    return Cumulants{};
  if (allConstant(all))
    return std::max_element(all.begin(), all.end(), byMean)->k;
  unite(all);
  dropLower(all);
  return joined(joinLast, 0, all);
}

Result<Cumulants> smallest(std::vector<Copies> all) {
  if (all.empty())
    return Cumulants{};
  if (allConstant(all))
    return std::min_element(all.begin(), all.end(), byMean)->k;
  unite(all);
  return joined(joinFirst, 0, all);
}

Result<Cumulants> kth(double k, std::vector<Copies> all) {
  double count = 0;
  for (const Copies &c : all)
    count += c.count;
  if (!(k >= 1 && k <= count))
    return Error{"the " + std::to_string(static_cast<long>(k)) + "-th of " +
                 std::to_string(static_cast<long>(count)) + " parts is none of them"};
  if (allConstant(all)) {
    std::sort(all.begin(), all.end(), byMean);
    double seen = 0;
    for (const Copies &c : all)
      if ((seen += c.count) >= k)
        return c.k;
  }
  unite(all);
  return joined(joinKth, k, all);
}

Result<Dependent> largestOfDependent(std::vector<Cumulants> all) {
  std::vector<Copies> classes;
  for (const Cumulants &k : all)
    if (std::none_of(classes.begin(), classes.end(),
                     [&](const Copies &c) { return alike(c.k, k); }))
      classes.push_back({k, 1});
  if (classes.empty())
    return Dependent{};
  if (allConstant(classes)) {
    const Cumulants k = std::max_element(classes.begin(), classes.end(), byMean)->k;
    return Dependent{k, k};
  }
  dropLower(classes);
  if (classes.size() == 1)
    return Dependent{classes[0].k, classes[0].k};
  std::vector<Task> tasks;
  for (const Copies &c : classes) {
    const Result<DistributionPtr> law = lawOf(c.k);
    if (!law)
      return law.error();
    tasks.push_back({*law, 1});
  }
  const Result<JoinBounds> bounds = boundLast(tasks);
  if (!bounds)
    return bounds.error();
  return Dependent{bounds->comonotone.k, bounds->extreme.k};
}

} // namespace quincunx::pamela
