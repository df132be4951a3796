// Laws of growth, fitted relative to what they predict.
// The idea: any law fits inside its data; what counts is what it says outside. So every form is
// fitted to the smaller half of the sizes and judged by the means of the larger half, the simplest
// of the good ones is fitted again to all, and the same comparison is the check that an answer has
// to pass. Deviations grow as a power of the size, by their own regression. Seeded. It knows one
// covariate.
#include "quincunx/estimate/SizeLaw.h"

#include "estimate/figures/Notes.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/LineFit.h"
#include "quincunx/numeric/LinearSystem.h"
#include "quincunx/numeric/Quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

namespace quincunx {

namespace {

using Form = SizeLaw::Form;
constexpr std::array forms{Form::constant, Form::linear, Form::logLinear, Form::square,
                           Form::cube,     Form::power,  Form::all};
constexpr size_t terms = 5;
constexpr size_t minRuns = 20, largeGroups = 8;
constexpr int bootstraps = 200;
/// A simpler form is taken when its error is not more than this much larger, or below 0.1 %.
constexpr double asGood = 1.1, exactly = 1e-3;
/// A form may be the right one as well when its error is not more than this much larger.
constexpr double asSure = 1.5;
/// Relative errors at the larger half with which a law holds.
constexpr double maxMean = 0.03, maxP99 = 0.06;

struct Point {
  double n, y;
};
using Points = std::vector<Point>;

std::array<double, terms> growth(double n) {
  return {1, n, n * std::log2(std::max(n, 1.0)), n * n, n * n * n};
}

/// May the law of this form have the term?
bool mayHave(Form form, size_t term) {
  return term == 0 || form == Form::all || static_cast<size_t>(form) == term;
}

double meanOf(const Points &points) {
  double sum = 0;
  for (const Point &p : points)
    sum += p.y / static_cast<double>(points.size());
  return sum;
}

/// Slope of ln y against ln n, over points where y > 0.
double logSlope(const Points &points) {
  LineFit line;
  for (const Point &p : points)
    if (p.y > 0)
      line.add(std::log(p.n), std::log(p.y));
  return line.slope();
}

/// Normal equations of the terms; every point counts in proportion to its weight.
struct Equations {
  std::array<std::array<double, terms>, terms> matrix{};
  std::array<double, terms> right{};
  void add(const Point &p, double weight) {
    const auto g = growth(p.n);
    for (size_t i = 0; i < terms; ++i) {
      right[i] += weight * g[i] * p.y;
      for (size_t j = 0; j < terms; ++j)
        matrix[i][j] += weight * g[i] * g[j];
    }
  }
};

/// The least squares of these terms alone; empty when they are not told apart.
std::vector<double> solved(const Equations &e, const std::vector<size_t> &used) {
  const size_t k = used.size();
  std::vector<double> matrix, right, scale;
  for (const size_t i : used)
    scale.push_back(1 / std::sqrt(e.matrix[i][i]));
  for (size_t i = 0; i < k; ++i) {
    right.push_back(scale[i] * e.right[used[i]]);
    for (size_t j = 0; j < k; ++j)
      matrix.push_back(scale[i] * scale[j] * e.matrix[used[i]][used[j]]);
  }
  Result<std::vector<double>> x = solveLinear(matrix, right);
  if (!x)
    return {};
  for (size_t i = 0; i < k; ++i)
    (*x)[i] *= scale[i];
  return std::move(*x);
}

/// Least squares with no term below 0: the best of all sets of terms that have none (there are
/// few).
std::array<double, terms> notNegative(const Equations &e, Form form) {
  std::array<double, terms> best{};
  double gain = 0; // by how much the sum of squares falls, x . right
  for (unsigned set = 1; set < 1u << terms; ++set) {
    std::vector<size_t> used;
    bool allowed = true;
    for (size_t i = 0; i < terms; ++i)
      if ((set >> i & 1) != 0) {
        allowed = allowed && mayHave(form, i) && e.matrix[i][i] > 0;
        used.push_back(i);
      }
    if (!allowed)
      continue;
    const std::vector<double> x = solved(e, used);
    if (x.empty() || std::any_of(x.begin(), x.end(), [](double v) { return v < 0; }))
      continue;
    double falls = 0;
    for (size_t i = 0; i < used.size(); ++i)
      falls += x[i] * e.right[used[i]];
    if (falls <= gain * (1 + 1e-12))
      continue;
    gain = falls;
    best = {};
    for (size_t i = 0; i < used.size(); ++i)
      best[used[i]] = x[i];
  }
  return best;
}

/// Weighted least squares; weights are 1 over the square of what the law says, found in rounds.
SizeLaw fitted(Form form, const Points &points) {
  SizeLaw law;
  law.form = form;
  const double mean = meanOf(points);
  if (form == Form::power)
    law.power = logSlope(points);
  for (int round = 0; round < 4; ++round) {
    Equations e;
    double gg = 0, gy = 0; // of the power
    for (const Point &p : points) {
      const double scale = round == 0 ? p.n : std::max(law.at(p.n), 1e-3 * mean);
      const double weight = scale > 0 ? 1 / (scale * scale) : 1, g = std::pow(p.n, law.power);
      e.add(p, weight);
      gg += weight * g * g;
      gy += weight * g * p.y;
    }
    if (form == Form::power)
      law.b = std::max(0.0, gy / gg);
    else
      law.of = notNegative(e, form);
  }
  return law;
}

/// The root mean square of the relative error for means of groups of neighbours.
double errorOf(const SizeLaw &law, const Points &large) {
  const size_t groups = std::min(largeGroups, large.size());
  double squares = 0;
  for (size_t g = 0; g < groups; ++g) {
    const size_t from = g * large.size() / groups, to = (g + 1) * large.size() / groups;
    double is = 0, should = 0;
    for (size_t i = from; i < to; ++i) {
      is += law.at(large[i].n);
      should += large[i].y;
    }
    const double error = should > 0 ? is / should - 1 : (is == 0 ? 0 : 1);
    squares += error * error / static_cast<double>(groups);
  }
  return std::sqrt(squares);
}

/// Points by size, and where the larger half begins (sizes that are equal stay together).
struct Halves {
  Points all, small, large;
};

Result<Halves> halves(std::span<const double> n, std::span<const double> y) {
  Halves h;
  for (size_t i = 0; i < n.size(); ++i) {
    if (!(n[i] > 0) || !std::isfinite(n[i]) || !std::isfinite(y[i]))
      return Error{"sizes must be positive numbers"};
    h.all.push_back({n[i], y[i]});
  }
  if (h.all.size() < minRuns)
    return Error{"a size law needs at least " + std::to_string(minRuns) + " runs, there are " +
                 std::to_string(h.all.size())};
  std::stable_sort(h.all.begin(), h.all.end(),
                   [](const Point &a, const Point &b) { return a.n < b.n; });
  if (h.all.back().n < 2 * h.all.front().n)
    return Error{"a size law needs sizes that differ by a factor of two; they are from " +
                 exact(h.all.front().n) + " to " + exact(h.all.back().n)};
  const double middle = h.all[h.all.size() / 2].n;
  for (const Point &p : h.all)
    (p.n < middle || middle == h.all.front().n ? h.small : h.large).push_back(p);
  if (h.large.empty() || h.small.size() < 2)
    return Error{"a size law needs runs of more than one size in the smaller half"};
  return h;
}

std::array<SizeLaw, forms.size()> candidates(const Halves &h) {
  std::array<SizeLaw, forms.size()> all;
  for (size_t i = 0; i < forms.size(); ++i) {
    const double error = errorOf(fitted(forms[i], h.small), h.large);
    all[i] = fitted(forms[i], h.all);
    all[i].error = error;
  }
  return all;
}

SizeLaw chosen(const std::array<SizeLaw, forms.size()> &all) {
  double best = all[0].error;
  for (const SizeLaw &law : all)
    best = std::min(best, law.error);
  for (const SizeLaw &law : all)
    if (law.error <= std::max(best * asGood, exactly))
      return law;
  return all[0];
}

/// Exponent with which deviations from the law grow.
double spreadPower(const SizeLaw &law, const Points &points) {
  Points away;
  for (const Point &p : points)
    away.push_back({p.n, std::fabs(p.y - law.at(p.n))});
  const double largest =
      std::max_element(away.begin(), away.end(), [](const Point &a, const Point &b) {
        return a.y < b.y;
      })->y;
  std::erase_if(away, [&](const Point &p) { return p.y <= 1e-9 * largest; });
  return away.size() < 3 ? 0 : std::clamp(logSlope(away), 0.0, 4.0);
}

double moved(const SizeLaw &law, double power, const Point &p, double target) {
  return std::max(0.0, law.at(target) + std::pow(target / p.n, power) * (p.y - law.at(p.n)));
}

double mean(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Relative errors of mean and p99 of what small runs say of large ones, and how far sampling alone
/// moves these errors.
struct Check {
  double mean, p99, meanFloor = 0, p99Floor = 0;
};

Check check(Form form, const Halves &h) {
  constexpr size_t each = 8; // predictions for the size of every large run
  const SizeLaw law = fitted(form, h.small);
  const double power = spreadPower(law, h.small);
  std::mt19937_64 random(1);
  std::vector<double> predicted, truth;
  for (const Point &p : h.large) {
    truth.push_back(p.y);
    for (size_t i = 0; i < each; ++i)
      predicted.push_back(moved(law, power, h.small[random() % h.small.size()], p.n));
  }
  const auto errors = [](const std::vector<double> &is, const std::vector<double> &should) {
    return Check{mean(is) / mean(should) - 1, percentile(is, 0.99) / percentile(should, 0.99) - 1};
  };
  Check c = errors(predicted, truth);
  std::vector<double> is(predicted.size()), should(truth.size());
  for (int i = 0; i < bootstraps; ++i) {
    for (size_t k = 0; k < truth.size(); ++k) {
      const size_t drawn = random() % truth.size();
      should[k] = truth[drawn];
      for (size_t j = 0; j < each; ++j)
        is[each * k + j] = predicted[each * drawn + random() % each];
    }
    const Check again = errors(is, should);
    c.meanFloor += std::pow(again.mean - c.mean, 2) / bootstraps;
    c.p99Floor += std::pow(again.p99 - c.p99, 2) / bootstraps;
  }
  c.meanFloor = std::sqrt(c.meanFloor);
  c.p99Floor = std::sqrt(c.p99Floor);
  return c;
}

/// How far the targets are from the runs, by the logarithm of the size, as a multiple of how far
/// the larger half is from the smaller one; at least 1.
double reach(const Halves &h, std::span<const double> n, std::span<const double> targets) {
  const auto meanLog = [](const Points &points) {
    double sum = 0;
    for (const Point &p : points)
      sum += std::log(p.n);
    return sum / static_cast<double>(points.size());
  };
  double asked = 0;
  for (size_t i = 0; i < n.size(); ++i)
    asked += std::log(targets[i] / n[i]) / static_cast<double>(n.size());
  return std::max(1.0, asked / (meanLog(h.large) - meanLog(h.small)));
}

/// What the runs would cost at their targets, by the form as it fits them.
std::vector<double> costsAt(Form form, const Points &points, const std::vector<double> &targets) {
  const SizeLaw law = fitted(form, points);
  const double power = spreadPower(law, points);
  std::vector<double> costs;
  for (size_t i = 0; i < points.size(); ++i)
    costs.push_back(moved(law, power, points[i], targets[i]));
  return costs;
}

/// Over samples of runs, and over forms that predict the larger half about as well.
void forEachOther(const Points &points, std::span<const double> targets,
                  const std::array<SizeLaw, forms.size()> &all, double error,
                  const TakePrediction &take) {
  std::mt19937_64 random(2);
  std::vector<uint32_t> runs(points.size());
  Points again(points.size());
  std::vector<double> to(points.size());
  for (const SizeLaw &law : all) {
    if (law.error > std::max(asSure * error, 2 * exactly))
      continue;
    for (int i = 0; i < bootstraps; ++i) {
      for (size_t k = 0; k < runs.size(); ++k) {
        runs[k] = static_cast<uint32_t>(random() % points.size());
        again[k] = points[runs[k]];
        to[k] = targets[runs[k]];
      }
      take(runs, costsAt(law.form, again, to));
    }
  }
}

} // namespace

double SizeLaw::at(double n) const {
  if (form == Form::power)
    return b * std::pow(n, power);
  const auto g = growth(n);
  return std::inner_product(of.begin(), of.end(), g.begin(), 0.0);
}

std::string SizeLaw::text(const std::string &n) const {
  const auto number = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", x);
    return std::string(text);
  };
  if (form == Form::power)
    return number(b) + " " + n + "^" + number(power);
  const std::array<std::string, terms> names{"", " " + n, " " + n + " log2 " + n, " " + n + "^2",
                                             " " + n + "^3"};
  std::string text;
  for (size_t i = 0; i < terms; ++i)
    if (of[i] != 0)
      text += (text.empty() ? "" : " + ") + number(of[i]) + names[i];
  return text.empty() ? "0" : text;
}

Result<SizeLaw> fitSizeLaw(std::span<const double> n, std::span<const double> y) {
  const Result<Halves> h = halves(n, y);
  if (!h)
    return h.error();
  return chosen(candidates(*h));
}

Result<SizePrediction> predictAtSizes(std::span<const double> n, std::span<const double> y,
                                      std::span<const double> targets,
                                      const TakePrediction &others) {
  const Result<Halves> h = halves(n, y);
  if (!h)
    return h.error();
  const auto all = candidates(*h);
  SizePrediction out;
  out.law = chosen(all);
  const Check c = check(out.law.form, *h);
  const double further = reach(*h, n, targets);
  out.meanCheck = c.mean;
  out.p99Check = c.p99;
  if (c.meanFloor > maxMean || c.p99Floor > maxP99)
    return Error{"there are too few runs to check a size law: sampling alone moves the mean of the "
                 "larger half of the sizes by " +
                 signedPercent(c.meanFloor) + " and its p99 by " + signedPercent(c.p99Floor)};
  if (further * std::fabs(c.mean) > maxMean + 2 * c.meanFloor ||
      further * std::fabs(c.p99) > maxP99 + 2 * c.p99Floor)
    return Error{"no size law holds: from the smaller half of the sizes the larger half is "
                 "predicted with an error of " +
                 signedPercent(c.mean) + " in the mean and " + signedPercent(c.p99) + " in p99" +
                 (further > 1 ? ", and what is asked lies " + brief(further, 2) + " times as far"
                              : std::string()) +
                 "; run sizes up to that which you ask for"};
  const double power = spreadPower(out.law, h->all);
  Points points;
  for (size_t i = 0; i < n.size(); ++i) {
    points.push_back({n[i], y[i]});
    out.costs.push_back(moved(out.law, power, points[i], targets[i]));
  }
  if (others)
    forEachOther(points, targets, all, out.law.error, others);
  return out;
}

} // namespace quincunx
