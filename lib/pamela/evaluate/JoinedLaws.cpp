// Joins of random numbers by their laws.
// The idea: what is equal is one class with a count, and what is always below another (a constant,
// or with a gap of many deviations) need not be joined at all: most joins of a model are decided by
// their means. What takes a few values has a join that takes a few of them.
#include "JoinedLaws.h"

#include "quincunx/base/Text.h"
#include "quincunx/cost/Join.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace quincunx::pamela {

namespace {

/// Deviations below or above its mean that a law is taken to stay within here: an exponential one
/// leaves them once in 4 * 10^5 draws, a normal one never.
constexpr double far = 12, beyond = 1e-6;
/// Different laws that are joined at once, which takes a second or two.
constexpr size_t maxLaws = 300;

bool byMean(const Copies &a, const Copies &b) { return a.k.k1 < b.k.k1; }

/// Parts with the same cumulants are the same: laws that were made in the same way are.
bool sameLaw(const RandomNumber &a, const RandomNumber &b) {
  if (a.parts == b.parts || !a.parts || !b.parts)
    return a.parts == b.parts;
  return std::equal(a.parts->begin(), a.parts->end(), b.parts->begin(), b.parts->end(),
                    [](const LawPart &p, const LawPart &q) {
                      return p.weight == q.weight && p.k == q.k && !p.law == !q.law;
                    });
}

/// In the order in which they first occur.
void unite(std::vector<Copies> &all) {
  std::map<std::array<double, 4>, std::vector<size_t>> places;
  std::vector<Copies> classes;
  for (const Copies &c : all) {
    std::vector<size_t> &here = places[{c.k.k1, c.k.k2, c.k.k3, c.k.k4}];
    const auto at = std::find_if(here.begin(), here.end(),
                                 [&](size_t i) { return sameLaw(classes[i].k, c.k); });
    if (at != here.end()) {
      classes[*at].count += c.count;
      continue;
    }
    here.push_back(classes.size());
    classes.push_back(c);
  }
  all = std::move(classes);
}

/// Each law takes a table of its own, and all of them are looked at at each place.
Status few(const std::vector<Copies> &classes) {
  if (classes.size() <= maxLaws)
    return Done{};
  return Error{"more than " + std::to_string(maxLaws) +
               " different random numbers of which one is the first or the last; make their laws "
               "alike, or simulate"};
}

double sd(const Cumulants &k) { return std::sqrt(std::max(0.0, k.k2)); }
/// Ends of where it nearly always is; of a constant just that.
double low(const RandomNumber &x) {
  double least = x.parts ? std::numeric_limits<double>::infinity() : x.k1 - far * sd(x);
  for (const LawPart &p : partsOf(x))
    least = std::min({least, p.k.k1 - far * sd(p.k), p.law ? p.law->quantile(beyond) : p.k.k1});
  return least;
}
double high(const RandomNumber &x) {
  double most = x.parts ? -std::numeric_limits<double>::infinity() : x.k1 + far * sd(x);
  for (const LawPart &p : partsOf(x))
    most = std::max({most, p.k.k1 + far * sd(p.k), p.law ? p.law->upperQuantile(beyond) : p.k.k1});
  return most;
}

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

Result<std::vector<Task>> tasksOf(const std::vector<Copies> &classes, size_t &pairs) {
  pairs += classes.size() * classes.size();
  std::vector<Task> tasks;
  for (const Copies &c : classes) {
    const Result<DistributionPtr> law = lawOf(c.k);
    if (!law)
      return law.error();
    tasks.push_back({*law, c.count});
  }
  return tasks;
}

/// The values of numbers that take few; none when one of them has a density.
std::vector<double> valuesOf(const std::vector<Copies> &classes) {
  std::vector<double> values;
  for (const Copies &c : classes)
    for (const LawPart &p : partsOf(c.k)) {
      if (!isConstant(p.k))
        return {};
      values.push_back(p.k.k1);
    }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Is what is left of a spread (the first of 0 and a gamma law) only what integration rounds? No
/// law has such moments.
bool isRounding(const Cumulants &joined, const std::vector<Copies> &classes) {
  const double largest = std::max_element(classes.begin(), classes.end(), byMean)->k.k1;
  return sd(joined) <= 1e-14 * std::fabs(largest);
}

/// A join with its law: of numbers that take few values the masses between them.
RandomNumber numberOf(const Join &join, const std::vector<Copies> &classes) {
  if (isRounding(join.k, classes))
    return Cumulants{join.k.k1, 0, 0, 0};
  const std::vector<double> values = valuesOf(classes);
  std::vector<LawPart> parts;
  Tails before{0, 1};
  for (const double x : values) {
    const Tails here{join.law->cdf(x), join.law->survival(x)};
    const double mass = here.below < 0.5 ? here.below - before.below : before.above - here.above;
    if (mass > 0)
      parts.push_back({mass, {x, 0, 0, 0}, nullptr, true});
    before = here;
  }
  if (!values.empty()) {
    std::vector<Cumulants> points;
    std::vector<double> weights;
    for (const LawPart &p : parts)
      points.push_back(p.k), weights.push_back(p.weight);
    return withLaw(mixture(points, weights), std::move(parts));
  }
  const bool exact =
      std::all_of(classes.begin(), classes.end(), [](const Copies &c) { return c.k.isExact(); });
  RandomNumber x(join.k);
  x.parts = std::make_shared<const std::vector<LawPart>>(
      std::vector<LawPart>{{1, join.k, join.law, exact}});
  return x;
}

Result<RandomNumber> joined(JoinFunction *join, double k, const std::vector<Copies> &all,
                            size_t &pairs) {
  if (all.size() == 1 && (all[0].count == 1 || isConstant(all[0].k)))
    return all[0].k;
  if (const Status s = few(all); !s)
    return s.error();
  const Result<std::vector<Task>> tasks = tasksOf(all, pairs);
  if (!tasks)
    return tasks.error();
  const Result<Join> j = join(k, *tasks);
  if (!j)
    return j.error();
  return numberOf(*j, all);
}

bool allConstant(const std::vector<Copies> &all) {
  return std::all_of(all.begin(), all.end(), [](const Copies &c) { return isConstant(c.k); });
}

/// Are they one number that was computed in two ways?
bool alike(const Cumulants &a, const Cumulants &b) {
  const double scale = sd(a) + sd(b) + 1e-9 * std::fabs(a.k1);
  double power = 1;
  for (const auto &[x, y] : {std::pair{a.k1, b.k1}, {a.k2, b.k2}, {a.k3, b.k3}, {a.k4, b.k4}})
    if (!(std::fabs(x - y) <= 1e-9 * (power *= scale)) && x != y)
      return false;
  return true;
}

} // namespace

Result<RandomNumber> largest(std::vector<Copies> all, size_t &pairs) {
  if (all.empty())
    return RandomNumber();
  if (allConstant(all))
    return std::max_element(all.begin(), all.end(), byMean)->k;
  unite(all);
  dropLower(all);
  return joined(joinLast, 0, all, pairs);
}

Result<RandomNumber> smallest(std::vector<Copies> all, size_t &pairs) {
  if (all.empty())
    return RandomNumber();
  if (allConstant(all))
    return std::min_element(all.begin(), all.end(), byMean)->k;
  unite(all);
  return joined(joinFirst, 0, all, pairs);
}

Result<RandomNumber> kth(double k, std::vector<Copies> all, size_t &pairs) {
  double count = 0;
  for (const Copies &c : all)
    count += c.count;
  if (!(k >= 1 && k <= count))
    return Error{"the " + exact(k) + "-th of " + exact(count) + " parts is none of them"};
  if (allConstant(all)) {
    std::sort(all.begin(), all.end(), byMean);
    double seen = 0;
    for (const Copies &c : all)
      if ((seen += c.count) >= k)
        return c.k;
  }
  unite(all);
  return joined(joinKth, k, all, pairs);
}

Result<RandomNumber> largestOfDependent(std::vector<RandomNumber> all, size_t &pairs) {
  std::vector<Copies> classes;
  for (const RandomNumber &k : all)
    classes.push_back({k, 1});
  if (classes.empty())
    return RandomNumber();
  if (allConstant(classes)) {
    return std::max_element(classes.begin(), classes.end(), byMean)->k;
  }
  unite(classes);
  dropLower(classes);
  if (classes.size() == 1)
    return classes[0].k;
  if (const Status s = few(classes); !s)
    return s.error();
  for (size_t i = 0; i < classes.size(); ++i)
    std::erase_if(classes, [&, k = classes[i].k](const Copies &c) {
      return &c > &classes[i] && alike(c.k, k);
    });
  if (classes.size() == 1)
    return classes[0].k;
  for (Copies &c : classes)
    c.count = 1; // equal ones are large at once
  const Result<std::vector<Task>> tasks = tasksOf(classes, pairs);
  if (!tasks)
    return tasks.error();
  const Result<JoinBounds> bounds = boundLast(*tasks);
  if (!bounds)
    return bounds.error();
  return numberOf(bounds->comonotone, classes);
}

} // namespace quincunx::pamela
