// Closed forms of the last of two or N tasks with exponential, Erlang or hyperexponential costs:
// oracles for tests. Reference: Gautama's thesis 2.2.2, (2.10) to (2.13), derived again; what is
// misprinted there is said at the function.
#pragma once

#include <cmath>

namespace quincunx::test {

struct MeanAndSecond {
  double mean = 0, second = 0; ///< E[Y], E[Y^2]
};

/// E[Y^r] of the last of N exponential tasks of rate theta; (2.10). The sum alternates: N <= 20.
// sum_i C(N, i) (-1)^{i-1} r!/(i theta)^r
inline double exponentialLast(int N, double theta, int r) {
  double sum = 0, binomial = 1;
  for (int i = 1; i <= N; ++i) {
    binomial *= static_cast<double>(N - i + 1) / i;
    sum += (i % 2 == 1 ? 1 : -1) * binomial * std::tgamma(r + 1) / std::pow(i * theta, r);
  }
  return sum;
}

/// The sum of r exponential stages of rate lambda.
struct Erlang {
  double lambda = 1;
  int r = 1;
  double mean() const { return r / lambda; }
  double second() const { return r * (r + 1) / (lambda * lambda); }
};

/// (2.11): E[X_1^s; X_1 < X_2] summed over both orders is E[min^s].
inline MeanAndSecond last(const Erlang &x1, const Erlang &x2) {
  // l1^r1/(l1+l2)^{r1+s} sum_{k<r2} (l2/(l1+l2))^k (r1+k+s-1)!/((r1-1)! k!)
  const auto first = [](const Erlang &a, const Erlang &b, int s) {
    double sum = 0;
    for (int k = 0; k < b.r; ++k)
      sum += std::exp(std::lgamma(a.r + k + s) - std::lgamma(a.r) - std::lgamma(k + 1) +
                      k * std::log(b.lambda / (a.lambda + b.lambda)));
    return sum * std::pow(a.lambda / (a.lambda + b.lambda), a.r) / std::pow(a.lambda + b.lambda, s);
  };
  return {x1.mean() + x2.mean() - first(x1, x2, 1) - first(x2, x1, 1),
          x1.second() + x2.second() - first(x1, x2, 2) - first(x2, x1, 2)};
}

/// Exponential of rate lambda[0] with probability l, else of rate lambda[1]. (Footnote 2 of the
/// thesis prints l where 1 - l belongs.)
struct HyperExponential {
  double lambda[2] = {1, 1}, l = 1;
  double chance(int i) const { return i == 0 ? l : 1 - l; }
  double mean() const { return l / lambda[0] + (1 - l) / lambda[1]; }
  double second() const {
    return 2 * (l / (lambda[0] * lambda[0]) + (1 - l) / (lambda[1] * lambda[1]));
  }
};

/// (2.12), where a "-" before the four terms is printed as "=", and in the variance the first two
/// terms and the denominators lack their squares.
// E[Y] = E[X_1] + E[X_2] - sum p_i q_j/(a_i + b_j),
// E[Y^2] = E[X_1^2] + E[X_2^2] - sum 2 p_i q_j/(a_i + b_j)^2
inline MeanAndSecond last(const HyperExponential &x1, const HyperExponential &x2) {
  MeanAndSecond y{x1.mean() + x2.mean(), x1.second() + x2.second()};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const double p = x1.chance(i) * x2.chance(j), rate = x1.lambda[i] + x2.lambda[j];
      y.mean -= p / rate;
      y.second -= 2 * p / (rate * rate);
    }
  return y;
}

/// (2.13); its mean is right. Its variance prints Var[X_2]^2 for Var[X_2], l_12 for l_11 once,
/// (1 - l)/l_12 for (1 - l)/l_12^2, and l/l_11^2 for l/l_11.
// E[Y] = E[X_2] + sum p_i/a_i (b/(a_i + b))^r,
// E[Y^2] = E[X_2^2] + 2 sum p_i [(b/(a_i + b))^r/a_i^2 + (r/b)(b/(a_i + b))^{r+1}/a_i]
inline MeanAndSecond last(const HyperExponential &x1, const Erlang &x2) {
  MeanAndSecond y{x2.mean(), x2.second()};
  for (int i = 0; i < 2; ++i) {
    const double a = x1.lambda[i], p = x1.chance(i), q = x2.lambda / (a + x2.lambda);
    const double later = std::pow(q, x2.r); // P(X_1 > X_2) in this branch
    y.mean += p / a * later;
    y.second += 2 * p * (later / (a * a) + x2.mean() * later * q / a);
  }
  return y;
}

} // namespace quincunx::test
