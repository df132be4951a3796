// Laws of sums, multiples and choices, as mixtures of parts.
// The idea: two mixtures add up part by part, and equal parts unite, so that sums of few values
// stay few (values on a lattice), and modes stay modes; parts that have a spread add up by
// cumulants, which is exact for normal laws and for gamma laws of one scale. What gets large is let
// go. Reference: docs/12-pamela.md, "What it costs".
#include "LawArithmetic.h"

#include "Arithmetic.h"
#include "quincunx/cost/Rules.h"
#include "quincunx/dist/Affine.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

namespace quincunx::pamela {

namespace {

/// More values than this, or more parts with a spread, are no small law.
constexpr size_t mostPoints = 1000, mostSpread = 40;
/// Parts that differ by rounding only are one.
constexpr double rounding = 1e-12;

bool isPoint(const LawPart &p) { return isConstant(p.k); }

bool near(double a, double b, double scale) { return std::fabs(a - b) <= rounding * scale; }

/// Is the law of the sum of both the one that is fitted to its cumulants? So it is of gamma laws
/// from anywhere with one scale s, normal ones have 0: k3 = 2 s k2, k4 = 6 s^2 k2.
bool addsUp(const LawPart &a, const LawPart &b) {
  if (!a.exact || !b.exact || a.law || b.law)
    return false;
  const double s = a.k.k3 / (2 * a.k.k2), other = b.k.k3 / (2 * b.k.k2);
  const auto isGamma = [](const Cumulants &k, double scale) {
    return std::fabs(k.k4 - 6 * k.k2 * scale * scale) <=
           1e-9 * k.k2 * std::max(k.k2, scale * scale);
  };
  return std::fabs(s - other) <= 1e-9 * std::fabs(s) && isGamma(a.k, s) && isGamma(b.k, s);
}

/// None where it is larger than a number can be.
std::optional<LawPart> sumOf(const LawPart &a, const LawPart &b) {
  if (isPoint(a) && !isPoint(b))
    return sumOf(b, a);
  const double weight = a.weight * b.weight;
  const Cumulants k = a.k + b.k;
  if (!isFinite(k))
    return std::nullopt;
  if (!isPoint(b))
    return LawPart{weight, k, nullptr, addsUp(a, b)};
  // Laws of Pearson's system stay such where they are moved.
  const bool moves = a.law && b.k.k1 != 0;
  return LawPart{weight, k, moves ? makeAffine(a.law, b.k.k1, 1) : a.law, a.exact};
}

/// c X; none where a law would have to be turned round, or is larger than a number can be.
std::optional<LawPart> multipleOf(double c, const LawPart &p) {
  const Cumulants k = quincunx::scaled(c, p.k);
  if ((p.law && c < 0) || !isFinite(k))
    return std::nullopt;
  return LawPart{p.weight, k, p.law && c != 0 ? makeAffine(p.law, 0, c) : nullptr, p.exact};
}

bool before(const LawPart &a, const LawPart &b) {
  return isPoint(a) != isPoint(b)
             ? isPoint(a)
             : std::tie(a.k.k1, a.k.k2, a.k.k3) < std::tie(b.k.k1, b.k.k2, b.k.k3);
}

/// Up to rounding.
bool alike(const LawPart &a, const LawPart &b) {
  const double one = std::max(std::fabs(a.k.k1), std::fabs(b.k.k1)), two = std::max(a.k.k2, b.k.k2);
  return isPoint(a) == isPoint(b) && a.law == b.law && near(a.k.k1, b.k.k1, one) &&
         near(a.k.k2, b.k.k2, two) && near(a.k.k3, b.k.k3, two * std::sqrt(two)) &&
         near(a.k.k4, b.k.k4, two * two);
}

/// In order, equal ones as one.
void unite(std::vector<LawPart> &parts) {
  std::erase_if(parts, [](const LawPart &p) { return p.weight == 0; });
  std::sort(parts.begin(), parts.end(), before);
  size_t kept = 0;
  for (size_t i = 1; i < parts.size(); ++i)
    if (alike(parts[kept], parts[i]))
      parts[kept].weight += parts[i].weight, parts[kept].exact &= parts[i].exact;
    else if (++kept != i)
      parts[kept] = std::move(parts[i]);
  parts.resize(std::min(parts.size(), kept + 1));
}

/// Whole counts that are no more than rounding below 0, one for each part; none: it is no such law.
std::optional<std::vector<double>> countsOf(const RandomNumber &n) {
  constexpr size_t most = 64;
  const std::vector<LawPart> parts = partsOf(n);
  std::vector<double> counts;
  for (const LawPart &p : parts) {
    if (!isPoint(p) || p.k.k1 != std::floor(p.k.k1) || parts.size() > most)
      return std::nullopt;
    counts.push_back(std::max(0.0, p.k.k1));
  }
  return counts;
}

} // namespace

std::vector<LawPart> partsOf(const RandomNumber &x) {
  return x.parts ? *x.parts : std::vector<LawPart>{{1, x, nullptr, isConstant(x)}};
}

RandomNumber withLaw(const Cumulants &k, std::vector<LawPart> parts) {
  unite(parts);
  RandomNumber x(k);
  const auto points = static_cast<size_t>(std::count_if(parts.begin(), parts.end(), isPoint));
  if (points == 1 && parts.size() == 1)
    return Cumulants{parts[0].k.k1, 0, 0, 0};
  const bool known = parts.size() > 1 || (parts.size() == 1 && (parts[0].exact || parts[0].law));
  if (known && points <= mostPoints && parts.size() - points <= mostSpread)
    x.parts = std::make_shared<const std::vector<LawPart>>(std::move(parts));
  return x;
}

bool LawArithmetic::affords(size_t parts) {
  const bool enough = parts <= room;
  room -= std::min(room, parts);
  return enough;
}

RandomNumber LawArithmetic::sum(const RandomNumber &a, const RandomNumber &b) {
  const Cumulants k = a + b;
  if (!a.parts && !b.parts)
    return k;
  const std::vector<LawPart> x = partsOf(a), y = partsOf(b);
  constexpr size_t mostPairs = 20 * mostPoints;
  if (x.size() * y.size() > mostPairs || !affords(x.size() * y.size()))
    return k;
  std::vector<LawPart> parts;
  for (const LawPart &p : x)
    for (const LawPart &q : y)
      if (std::optional<LawPart> of = sumOf(p, q))
        parts.push_back(std::move(*of));
      else
        return k;
  return withLaw(k, std::move(parts));
}

RandomNumber LawArithmetic::scaled(double c, const RandomNumber &x) {
  const Cumulants k = quincunx::scaled(c, x);
  if (!x.parts || !affords(x.parts->size()))
    return k;
  std::vector<LawPart> parts;
  for (const LawPart &p : *x.parts)
    if (std::optional<LawPart> of = multipleOf(c, p))
      parts.push_back(std::move(*of));
    else
      return k;
  return withLaw(k, std::move(parts));
}

RandomNumber LawArithmetic::times(double n, const RandomNumber &x) {
  const Cumulants k = n * x;
  if (!x.parts || n != std::floor(n) || n < 1)
    return k;
  RandomNumber sum, power = x; // n by its binary digits, the lowest first
  for (double left = n;; power = this->sum(power, power)) {
    if (!power.parts)
      return k;
    if (std::fmod(left, 2) == 1)
      sum = this->sum(sum, power);
    if ((left = std::floor(left / 2)) == 0)
      return sum.parts ? withLaw(k, *sum.parts) : RandomNumber(k);
  }
}

RandomNumber LawArithmetic::times(const RandomNumber &n, const RandomNumber &x) {
  const std::optional<std::vector<double>> counts = countsOf(n);
  if (!counts)
    return repeated(n, x);
  std::vector<RandomNumber> sums;
  std::vector<double> weights;
  for (size_t i = 0; i < counts->size(); ++i) {
    // Counts ascend: each goes on from the last.
    const RandomNumber more = times((*counts)[i] - (i == 0 ? 0 : (*counts)[i - 1]), x);
    sums.push_back(i == 0 ? more : sum(sums.back(), more));
    weights.push_back(partsOf(n)[i].weight);
  }
  return oneOf(sums, weights);
}

RandomNumber LawArithmetic::wholeTurns(const RandomNumber &n) {
  constexpr int quantiles = 4096; // of a part with a spread
  std::vector<LawPart> counts;
  const auto add = [&](double weight, double turns) {
    const Turns t = turnsOf(turns);
    counts.push_back({weight * (1 - t.part), {t.whole, 0, 0, 0}, nullptr, true});
    counts.push_back({weight * t.part, {t.whole + 1, 0, 0, 0}, nullptr, true});
  };
  for (const LawPart &p : partsOf(n)) {
    if (isPoint(p)) {
      add(p.weight, p.k.k1);
      continue;
    }
    if (!n.parts || !affords(quantiles))
      return n;
    const Result<DistributionPtr> law =
        p.law ? Result<DistributionPtr>(p.law) : lawOf(RandomNumber(p.k));
    if (!law)
      return n;
    double lost = p.k.k1; // of the mean, by cutting the law into so many values
    std::vector<double> turns;
    for (int i = 0; i < quantiles; ++i) {
      turns.push_back((*law)->quantile((i + 0.5) / quantiles));
      lost -= turns.back() / quantiles;
    }
    for (const double t : turns)
      add(p.weight / quantiles, t + lost);
  }
  std::vector<Cumulants> values;
  std::vector<double> weights;
  for (const LawPart &p : counts)
    values.push_back(p.k), weights.push_back(p.weight);
  return withLaw(quincunx::oneOf(values, weights), std::move(counts));
}

RandomNumber LawArithmetic::product(const RandomNumber &a, const RandomNumber &b) {
  if (isConstant(a) || isConstant(b))
    return isConstant(a) ? scaled(a.k1, b) : scaled(b.k1, a);
  const RawMoments x = rawMoments(a), y = rawMoments(b);
  const Cumulants k = cumulants(RawMoments{x.m1 * y.m1, x.m2 * y.m2, x.m3 * y.m3, x.m4 * y.m4});
  const auto isDiscrete = [](const RandomNumber &n) {
    return n.parts && std::all_of(n.parts->begin(), n.parts->end(), isPoint);
  };
  if (!isDiscrete(a))
    return isDiscrete(b) ? product(b, a) : RandomNumber(k);
  std::vector<LawPart> parts;
  if (!affords(a.parts->size() * partsOf(b).size()))
    return k;
  for (const LawPart &factor : *a.parts)
    for (const LawPart &p : partsOf(b))
      if (std::optional<LawPart> of = multipleOf(factor.k.k1, p))
        of->weight *= factor.weight, parts.push_back(std::move(*of));
      else
        return k;
  return withLaw(k, std::move(parts));
}

RandomNumber LawArithmetic::oneOf(std::span<const RandomNumber> x,
                                  std::span<const double> weights) {
  const std::vector<Cumulants> known(x.begin(), x.end());
  const Cumulants k = quincunx::oneOf(known, weights);
  std::vector<LawPart> parts;
  for (size_t i = 0; i < x.size(); ++i) {
    for (LawPart p : partsOf(x[i]))
      p.weight *= weights[i], parts.push_back(std::move(p));
    if (!affords(partsOf(x[i]).size()) || parts.size() > 2 * mostPoints)
      return k;
  }
  return withLaw(k, std::move(parts));
}

RandomNumber LawArithmetic::branched(const RandomNumber &rate, const RandomNumber &onTrue,
                                     const RandomNumber &onFalse) {
  const Cumulants k = quincunx::branched(rate, onTrue, onFalse);
  const bool isTrial = rate.parts && rate.parts->size() == 2 &&
                       rate.parts->front().k == Cumulants{} &&
                       rate.parts->back().k == Cumulants{1, 0, 0, 0};
  if (!isTrial)
    return k;
  const RandomNumber arms[] = {onFalse, onTrue};
  const double weights[] = {rate.parts->front().weight, rate.parts->back().weight};
  RandomNumber x = oneOf(arms, weights);
  return x.parts ? withLaw(k, *x.parts) : RandomNumber(k);
}

} // namespace quincunx::pamela
