// Moments and cumulants of order four.
// The idea: store and compose cumulants, convert at the edges, and never form the raw moments of a
// single law on the way, since raw -> central loses about r log10(mean/deviation) digits. Every
// accumulation is about a pivot or the mean. Reference: docs/02-costs.md; Pebay (2008) for merging;
// Kendall & Stuart, vol. 1, ch. 12-13 for k-statistics. It fits no laws and knows nothing of
// programs.
#include "quincunx/numeric/Moments.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace quincunx {

double Moments::deviation() const { return std::sqrt(std::max(0.0, variance)); }

// k3 = skew mu2^(3/2), k4 = (kurtosis - 3) mu2^2
Cumulants cumulants(const Moments &m) {
  const double v = m.variance;
  return {m.mean, v, m.skewness * v * m.deviation(), (m.kurtosis - 3) * v * v};
}

Cumulants cumulants(const CentralMoments &m) {
  return {m.mean, m.mu2, m.mu3, m.mu4 - 3 * m.mu2 * m.mu2};
}

// mu2 = m2 - m1^2; mu3 = m3 - 3 m1 m2 + 2 m1^3; mu4 = m4 - 4 m1 m3 + 6 m1^2 m2 - 3 m1^4
Cumulants cumulants(const RawMoments &m) {
  const double a = m.m1;
  return cumulants(CentralMoments{a, m.m2 - a * a, m.m3 - 3 * a * m.m2 + 2 * a * a * a,
                                  m.m4 - 4 * a * m.m3 + 6 * a * a * m.m2 - 3 * a * a * a * a});
}

Moments moments(const Cumulants &k) {
  // A variance that is not positive, or so small that its square vanishes, leaves no shape to speak
  // of.
  if (!(k.k2 > 0) || k.k2 * k.k2 == 0)
    return {k.k1, k.k2, 0, 3};
  return {k.k1, k.k2, k.k3 / (k.k2 * std::sqrt(k.k2)), k.k4 / (k.k2 * k.k2) + 3};
}

// m2 = k2 + k1^2; m3 = k3 + 3 k1 k2 + k1^3; m4 = k4 + 4 k1 k3 + 3 k2^2 + 6 k1^2 k2 + k1^4
RawMoments rawMoments(const Cumulants &k) {
  const double a = k.k1;
  return {a, k.k2 + a * a, k.k3 + 3 * a * k.k2 + a * a * a,
          k.k4 + 4 * a * k.k3 + 3 * k.k2 * k.k2 + 6 * a * a * k.k2 + a * a * a * a};
}

CentralMoments centralMoments(const Cumulants &k) {
  return {k.k1, k.k2, k.k3, k.k4 + 3 * k.k2 * k.k2};
}

bool admissible(const Moments &m) {
  if (!std::isfinite(m.mean) || !std::isfinite(m.variance) || !std::isfinite(m.skewness) ||
      !std::isfinite(m.kurtosis) || m.variance < 0)
    return false;
  if (m.variance == 0)
    return m.skewness == 0;
  const double least = 1 + m.skewness * m.skewness;
  return m.kurtosis >= least * (1 - 1e-12);
}

// Five digits: skewness is off by a share of 5e-5 at most, its square by 1e-4, kurtosis by 5e-5.
std::optional<Moments> admissibleAsPrinted(const Moments &m) {
  if (admissible(m))
    return m;
  const Moments p = project(m).moments;
  constexpr double rounded = 1.5e-4;
  const bool near = p.variance > 0 && m.kurtosis >= p.kurtosis * (1 - rounded);
  return near ? std::optional(p) : std::nullopt;
}

Projected project(const Moments &m) {
  if (admissible(m))
    return {m, false};
  Moments p = m;
  if (!std::isfinite(m.mean))
    p = {};
  else if (!std::isfinite(m.variance) || m.variance <= 0 || !std::isfinite(m.skewness) ||
           !std::isfinite(m.kurtosis))
    p = {m.mean, 0, 0, 3};
  else
    p.kurtosis = std::max(m.kurtosis, 1 + m.skewness * m.skewness);
  return {p, true};
}

// With d = x - mean, e = d/n, t = d e (n-1):
//   M4 += t e^2 (n^2 - 3n + 3) + 6 e^2 M2 - 4 e M3;  M3 += t e (n-2) - 3 e M2;  M2 += t
void Sample::add(double x) {
  if (count == 0)
    pivot = smallest = largest = x;
  smallest = std::min(smallest, x);
  largest = std::max(largest, x);
  const auto n = static_cast<double>(++count);
  const double d = (x - pivot) - offset, e = d / n, t = d * e * (n - 1);
  offset += e;
  s4 += t * e * e * (n * n - 3 * n + 3) + 6 * e * e * s2 - 4 * e * s3;
  s3 += t * e * (n - 2) - 3 * e * s2;
  s2 += t;
}

void Sample::add(double x, uint64_t times) {
  Sample equal;
  equal.count = times;
  equal.pivot = equal.smallest = equal.largest = x;
  add(equal);
}

// With d = meanB - meanA:
//   M2 = A2 + B2 + d^2 a b/n;  M3 = A3 + B3 + d^3 a b (a-b)/n^2 + 3 d (a B2 - b A2)/n
//   M4 = A4 + B4 + d^4 a b (a^2 - ab + b^2)/n^3 + 6 d^2 (a^2 B2 + b^2 A2)/n^2 + 4 d (a B3 - b A3)/n
void Sample::add(const Sample &o) {
  if (o.count == 0)
    return;
  if (count == 0) {
    *this = o;
    return;
  }
  const double a = static_cast<double>(count), b = static_cast<double>(o.count), n = a + b;
  // The pivots are values of their own, so that their difference is exact or nearly so.
  const double d = (o.pivot - pivot) + (o.offset - offset), d2 = d * d;
  const double b2 = o.s2, b3 = o.s3; // `o` may be *this
  s4 += o.s4 + d2 * d2 * a * b * (a * a - a * b + b * b) / (n * n * n) +
        6 * d2 * (a * a * b2 + b * b * s2) / (n * n) + 4 * d * (a * b3 - b * s3) / n;
  s3 += b3 + d2 * d * a * b * (a - b) / (n * n) + 3 * d * (a * b2 - b * s2) / n;
  s2 += b2 + d2 * a * b / n;
  offset += d * b / n;
  smallest = std::min(smallest, o.smallest);
  largest = std::max(largest, o.largest);
  count += o.count;
}

Moments Sample::moments() const {
  if (count == 0)
    return {};
  const auto n = static_cast<double>(count);
  return quincunx::moments(cumulants(CentralMoments{mean(), s2 / n, s3 / n, s4 / n}));
}

namespace {
double meanOf(std::span<const double> x) {
  // About the first value: equal values then have exactly that mean.
  double sum = 0;
  for (double v : x)
    sum += v - x[0];
  return x[0] + sum / static_cast<double>(x.size());
}
} // namespace

Moments momentsOf(std::span<const double> values) {
  if (values.empty())
    return {};
  // The mean is kept relative to the first value: a large common offset costs no digits.
  const double pivot = values[0], n = static_cast<double>(values.size());
  double offset = 0;
  for (const double v : values)
    offset += v - pivot;
  offset /= n;
  CentralMoments c{pivot + offset};
  for (const double v : values) {
    const double d = (v - pivot) - offset, d2 = d * d;
    c.mu2 += d2, c.mu3 += d2 * d, c.mu4 += d2 * d2;
  }
  return moments(cumulants(CentralMoments{c.mean, c.mu2 / n, c.mu3 / n, c.mu4 / n}));
}

// k2 = M2/(n-1); k3 = n M3/((n-1)(n-2)); k4 = [n(n+1) M4 - 3(n-1) M2^2]/((n-1)(n-2)(n-3))
Unbiased kStatistics(const Sample &s) {
  Unbiased u;
  u.order = static_cast<int>(std::min<uint64_t>(s.n(), 4));
  const auto n = static_cast<double>(s.n());
  if (u.order >= 1)
    u.k.k1 = s.mean();
  if (u.order >= 2)
    u.k.k2 = s.m2() / (n - 1);
  if (u.order >= 3)
    u.k.k3 = n * s.m3() / ((n - 1) * (n - 2));
  if (u.order >= 4)
    u.k.k4 = (n * (n + 1) * s.m4() - 3 * (n - 1) * s.m2() * s.m2()) / ((n - 1) * (n - 2) * (n - 3));
  return u;
}

double k11(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size() && x.size() >= 2 && "k11 needs two pairs");
  const double mx = meanOf(x), my = meanOf(y);
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    sum += (x[i] - mx) * (y[i] - my);
  return sum / static_cast<double>(x.size() - 1);
}

double k21(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size() && x.size() >= 3 && "k21 needs three pairs");
  const double mx = meanOf(x), my = meanOf(y), n = static_cast<double>(x.size());
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    sum += (x[i] - mx) * (x[i] - mx) * (y[i] - my);
  return n * sum / ((n - 1) * (n - 2));
}

// m = sum w_i k1_i, d_i = k1_i - m, mu_r = sum_i w_i sum_j C(r,j) mu_{j,i} d_i^{r-j}. Two passes,
// the first one about the first part, so that nothing cancels.
Cumulants mixture(std::span<const Cumulants> parts, std::span<const double> weights) {
  assert(!parts.empty() && (weights.empty() || weights.size() == parts.size()) &&
         "a mixture has parts, each with a weight");
  const auto weight = [&](size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double total = 0, shift = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    total += weight(i);
    shift += weight(i) * (parts[i].k1 - parts[0].k1);
  }
  assert(total > 0 && "the weights of a mixture have a positive sum");
  CentralMoments c{parts[0].k1 + shift / total};
  for (size_t i = 0; i < parts.size(); ++i) {
    const double w = weight(i) / total, d = (parts[i].k1 - parts[0].k1) - shift / total;
    const double d2 = d * d;
    const CentralMoments p = centralMoments(parts[i]);
    c.mu2 += w * (p.mu2 + d2);
    c.mu3 += w * (p.mu3 + 3 * p.mu2 * d + d2 * d);
    c.mu4 += w * (p.mu4 + 4 * p.mu3 * d + 6 * p.mu2 * d2 + d2 * d2);
  }
  return cumulants(c);
}

// With m, v, t, q the cumulants given the run:
//   K1 = mean(m); K2 = mean(v) + k2(m); K3 = mean(t) + 3 k11(m,v) + k3(m)
//   K4 = mean(q) + 4 k11(m,t) + 3 k2(v) + 6 k21(m,m,v) + k4(m)
Unbiased totalCumulance(std::span<const Cumulants> parts) {
  std::vector<double> m, v, t;
  Sample sm, sv, st, sq;
  for (const Cumulants &k : parts) {
    m.push_back(k.k1), v.push_back(k.k2), t.push_back(k.k3);
    sm.add(k.k1), sv.add(k.k2), st.add(k.k3), sq.add(k.k4);
  }
  Unbiased u = kStatistics(sm);
  if (u.order >= 2)
    u.k.k2 += sv.mean();
  if (u.order >= 3)
    u.k.k3 += st.mean() + 3 * k11(m, v);
  if (u.order >= 4)
    u.k.k4 += sq.mean() + 4 * k11(m, t) + 3 * kStatistics(sv).k.k2 + 6 * k21(m, v);
  return u;
}

} // namespace quincunx
