// Laws of growth, fitted relative to what they predict.
// The idea: any law fits inside its data; what counts is what it says outside. So every form is
// fitted to the smaller half of the sizes and judged by the means of the larger half, and the
// simplest of the good ones is fitted again to all. What a law says of single runs, and whether it
// may, is SizePrediction's business.
#include "SizeFit.h"

#include "quincunx/base/Text.h"
#include "quincunx/numeric/LineFit.h"
#include "quincunx/numeric/LinearSystem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace quincunx {

namespace {

using Form = SizeLaw::Form;
constexpr std::array ofSize{Form::constant, Form::linear, Form::logLinear, Form::square,
                            Form::cube,     Form::power,  Form::all};
constexpr std::array besideAnother{Form::besideLinear, Form::besideLogLinear, Form::besideSquare,
                                   Form::besideCube, Form::besidePower};
constexpr size_t terms = 5;
constexpr size_t minSizedRuns = 20, largeGroups = 8;

using Terms = std::array<double, terms>;

bool isBeside(Form form) { return form >= Form::besideLinear; }
bool isPower(Form form) { return form == Form::power || form == Form::besidePower; }

Terms growth(double n) { return {1, n, n * std::log2(std::max(n, 1.0)), n * n, n * n * n}; }

/// Which of these stands beside the other feature.
size_t growthOf(Form form) {
  return static_cast<size_t>(form) - static_cast<size_t>(Form::besideLinear) + 1;
}

/// Of which a law of this form is the sum.
Terms termsAt(Form form, double n, double other) {
  Terms all = growth(n);
  if (!isBeside(form))
    return all;
  const double g = all[growthOf(form)];
  return {1, g, other, g * other, 0};
}

/// May the law of this form have the term?
bool mayHave(Form form, size_t term) {
  return term == 0 || form == Form::all || (isBeside(form) && term < 4) ||
         static_cast<size_t>(form) == term;
}

double meanOf(const SizePoints &points) {
  double sum = 0;
  for (const SizePoint &p : points)
    sum += p.y / static_cast<double>(points.size());
  return sum;
}

/// Normal equations of the terms; every point counts in proportion to its weight.
struct Equations {
  std::array<std::array<double, terms>, terms> matrix{};
  Terms right{};
  void add(const Terms &g, double y, double weight) {
    for (size_t i = 0; i < terms; ++i) {
      right[i] += weight * g[i] * y;
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
Terms notNegative(const Equations &e, Form form) {
  Terms best{};
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

/// Powers of both features, by least squares of logarithms.
void fitPowers(SizeLaw &law, const SizePoints &points) {
  law.power = logSlope(points);
  if (law.form != Form::besidePower)
    return;
  Equations e; // of 1, ln n and ln of the other
  for (const SizePoint &p : points)
    if (p.y > 0 && p.other > 0)
      e.add({1, std::log(p.n), std::log(p.other), 0, 0}, std::log(p.y), 1);
  if (const std::vector<double> x = solved(e, {0, 1, 2}); !x.empty())
    law.power = x[1], law.otherPower = x[2];
}

/// The root mean square of the relative error for means of groups: of neighbours in size, and with
/// another feature of the smaller and the larger half of that in each.
double errorOf(const SizeLaw &law, SizePoints large) {
  const size_t groups = std::min(largeGroups, large.size()), cells = isBeside(law.form) ? 2 : 1;
  double squares = 0;
  for (size_t g = 0; g < groups; ++g) {
    const size_t band = g / cells * cells;
    const size_t begin = band * large.size() / groups,
                 end = std::min(groups, band + cells) * large.size() / groups;
    if (g == band)
      std::stable_sort(large.begin() + static_cast<ptrdiff_t>(begin),
                       large.begin() + static_cast<ptrdiff_t>(end),
                       [](const SizePoint &a, const SizePoint &b) { return a.other < b.other; });
    double is = 0, should = 0;
    for (size_t i = g * large.size() / groups; i < (g + 1) * large.size() / groups; ++i) {
      is += law.at(large[i].n, large[i].other);
      should += large[i].y;
    }
    const double error = should > 0 ? is / should - 1 : (is == 0 ? 0 : 1);
    squares += error * error / static_cast<double>(groups);
  }
  return std::sqrt(squares);
}

} // namespace

double logSlope(const SizePoints &points) {
  LineFit line;
  for (const SizePoint &p : points)
    if (p.y > 0)
      line.add(std::log(p.n), std::log(p.y));
  return line.slope();
}

/// Weights are found in rounds.
SizeLaw fitted(Form form, const SizePoints &points) {
  SizeLaw law;
  law.form = form;
  const double mean = meanOf(points);
  if (isPower(form))
    fitPowers(law, points);
  for (int round = 0; round < 4; ++round) {
    Equations e;
    double gg = 0, gy = 0; // of the power
    for (const SizePoint &p : points) {
      const double scale = round == 0 ? p.n : std::max(law.at(p.n, p.other), 1e-3 * mean);
      const double weight = scale > 0 ? 1 / (scale * scale) : 1;
      const double g = std::pow(p.n, law.power) * std::pow(p.other, law.otherPower);
      if (!isPower(form)) // which has no terms
        e.add(termsAt(form, p.n, p.other), p.y, weight);
      gg += weight * g * g;
      gy += weight * g * p.y;
    }
    if (isPower(form))
      law.b = gg > 0 ? std::max(0.0, gy / gg) : 0;
    else
      law.of = notNegative(e, form);
  }
  return law;
}

Result<SizeHalves> halvesOf(std::span<const double> n, std::span<const double> y,
                            std::span<const double> other) {
  SizeHalves h;
  for (size_t i = 0; i < n.size(); ++i) {
    if (!(n[i] > 0) || !std::isfinite(n[i]) || !std::isfinite(y[i]))
      return Error{"sizes must be positive numbers"};
    h.all.push_back({n[i], y[i], other.empty() ? 1 : other[i]});
  }
  if (h.all.size() < minSizedRuns)
    return Error{"a size law needs at least " + std::to_string(minSizedRuns) + " runs, there are " +
                 std::to_string(h.all.size())};
  std::stable_sort(h.all.begin(), h.all.end(),
                   [](const SizePoint &a, const SizePoint &b) { return a.n < b.n; });
  if (h.all.back().n < 2 * h.all.front().n)
    return Error{"a size law needs sizes that differ by a factor of two; they are from " +
                 exact(h.all.front().n) + " to " + exact(h.all.back().n)};
  // At the median; with a long tail of sizes nearer to the middle of their logarithms, since runs
  // of nearly one size have no law.
  const double wide = std::sqrt(h.all.front().n * h.all.back().n);
  const double middle = std::clamp(wide, h.all[h.all.size() / 2].n, h.all[h.all.size() * 3 / 4].n);
  for (const SizePoint &p : h.all)
    (p.n < middle || middle == h.all.front().n ? h.small : h.large).push_back(p);
  if (h.large.empty() || h.small.size() < 2)
    return Error{"a size law needs runs of more than one size in the smaller half"};
  return h;
}

std::vector<SizeLaw> candidates(const SizeHalves &h, bool beside) {
  std::vector<SizeLaw> all;
  const auto add = [&](Form form) {
    const double error = errorOf(fitted(form, h.small), h.large);
    all.push_back(fitted(form, h.all));
    all.back().error = error;
  };
  if (beside)
    std::for_each(besideAnother.begin(), besideAnother.end(), add);
  else
    std::for_each(ofSize.begin(), ofSize.end(), add);
  return all;
}

SizeLaw chosen(const std::vector<SizeLaw> &all) {
  double best = all[0].error;
  for (const SizeLaw &law : all)
    best = std::min(best, law.error);
  for (const SizeLaw &law : all)
    if (law.error <= std::max(best * asGood, exactly))
      return law;
  return all[0];
}

double SizeLaw::at(double n, double other) const {
  if (isPower(form))
    return b * std::pow(n, power) * std::pow(other, otherPower);
  const Terms g = termsAt(form, n, other);
  return std::inner_product(of.begin(), of.end(), g.begin(), 0.0);
}

std::string SizeLaw::text(const std::string &n, const std::string &other) const {
  const auto number = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", x);
    return std::string(text);
  };
  if (isPower(form))
    return number(b) + " " + n + "^" + number(power) +
           (isBeside(form) ? " " + other + "^" + number(otherPower) : "");
  std::array<std::string, terms> names{"", " " + n, " " + n + " log2 " + n, " " + n + "^2",
                                       " " + n + "^3"};
  if (isBeside(form)) {
    const std::string g = names[growthOf(form)];
    names = {"", g, " " + other, g + " " + other, ""};
  }
  std::string text;
  for (size_t i = 0; i < terms; ++i)
    if (of[i] != 0)
      text += (text.empty() ? "" : " + ") + number(of[i]) + names[i];
  return text.empty() ? "0" : text;
}

Result<SizeLaw> fitSizeLaw(std::span<const double> n, std::span<const double> y) {
  const Result<SizeHalves> h = halvesOf(n, y);
  if (!h)
    return h.error();
  return chosen(candidates(*h, false));
}

} // namespace quincunx
