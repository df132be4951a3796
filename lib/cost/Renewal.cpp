// The count of true outcomes of an alternating renewal process: rates, constants and exact counts.
// The idea: with K_U, K_D the cumulant series of the run lengths, the count C_n has
// ln E[e^{sC_n}] = n Lambda(s) + c(s) + (exponentially small), where Lambda solves
//   K_U(s - Lambda) + K_D(-Lambda) = 0,
// solved by hand for its first four coefficients; c(s) follows from the same series. When n is only
// a few runs that is no use, but then a recursion over "a fresh run starts at outcome i", with a
// series for each i, is exact and short. Outcomes count 1 - p and -p there, so that the count stays
// about 0. Reference: docs/05-branches.md; Cox, Renewal Theory (1962); Gautama's thesis (4.14b) is
// the second rate. It does not test whether runs are independent.
#include "quincunx/cost/Renewal.h"

#include "quincunx/numeric/PowerSeries.h"

#include <algorithm>
#include <array>

namespace quincunx {

namespace {

using Powers = std::array<double, 6>; ///< E[X^0] .. E[X^5]

/// Raw moments of a law; the fifth is needed for the fourth constant.
Powers powers(const RunLaw &law) {
  Powers m{};
  const auto add = [&](double weight, const Powers &x) {
    for (size_t r = 0; r < 6; ++r)
      m[r] += weight * x[r];
  };
  for (const RunLaw::Atom &a : law.atoms) {
    const auto x = static_cast<double>(a.length);
    add(a.p, {1, x, x * x, x * x * x, x * x * x * x, x * x * x * x * x});
  }
  // The tail is L + G with G geometric: G is 1, and with chance q another G on top, so
  // E[G^r] = (1 + q sum_{0<i<r} C(r,i) E[G^i])/h; then E[(L + G)^r] = sum_i C(r,i) L^{r-i} E[G^i].
  const double binomial[6][6] = {{1},          {1, 1},          {1, 2, 1},
                                 {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}};
  const double L = static_cast<double>(law.longest()), q = 1 - law.hazard;
  Powers g{1}, shifted{};
  for (size_t r = 1; r < 6; ++r) {
    double sum = 1;
    for (size_t i = 1; i < r; ++i)
      sum += q * binomial[r][i] * g[i];
    g[r] = sum / law.hazard;
  }
  for (size_t r = 0; r < 6; ++r) {
    double power = 1;
    for (size_t i = r + 1; i-- > 0; power *= L)
      shifted[r] += binomial[r][i] * power * g[i];
  }
  add(law.tail, shifted);
  return m;
}

/// The series that c(s) is made of, at x = s - Lambda(s) for true and y = -Lambda(s) for false
/// runs.
struct RunSeries {
  PowerSeries M;      ///< E[e^{xU}]
  PowerSeries slope;  ///< its derivative by x
  PowerSeries inside; ///< A = (M - 1)/(e^x - 1): over the outcomes of a run
  PowerSeries ahead;  ///< of the rest of a run that is met at random: e^x A / E[U]
};

RunSeries seriesOf(const RunLaw &law, const PowerSeries &x) {
  const Powers m = powers(law);
  const PowerSeries M{{1, m[1], m[2] / 2, m[3] / 6, m[4] / 24}};
  const PowerSeries slope{{m[1], m[2], m[3] / 2, m[4] / 6, m[5] / 24}};
  const PowerSeries above{{m[1], m[2] / 2, m[3] / 6, m[4] / 24, m[5] / 120}}; // (M - 1)/x
  const PowerSeries below{{1, 1 / 2.0, 1 / 6.0, 1 / 24.0, 1 / 120.0}};        // (e^x - 1)/x
  const PowerSeries inside = compose(above * inverse(below), x);
  return {compose(M, x), compose(slope, x), inside, 1 / m[1] * (exp(x) * inside)};
}

/// What lies ahead when a run of one kind starts at outcome i, or its tail does; and the step of
/// the count that each of its outcomes makes.
struct Kind {
  const RunLaw &law;
  double step;
  std::vector<PowerSeries> fresh, tail, jumps;

  Kind(const RunLaw &l, double outcome, uint64_t n)
      : law(l), step(outcome), fresh(n + 1), tail(n + 1) {
    for (const RunLaw::Atom &a : law.atoms)
      jumps.push_back(a.p * jump(a.length));
  }
  PowerSeries jump(uint64_t outcomes) const {
    return momentSeries({step * static_cast<double>(outcomes), 0, 0, 0});
  }
};

/// The first run is one met at random: its rest has P(rest = k) = P(length >= k)/E[length], and is
/// longer than longest() with chance tail/(hazard E[length]).
void startAtRandom(Kind &from, Kind &to, double cycle, uint64_t n, PowerSeries &end) {
  const RunLaw &law = from.law;
  const uint64_t longest = law.longest();
  double lasting = law.tail, beyond = law.tail / law.hazard;
  for (const RunLaw::Atom &a : law.atoms) {
    lasting += a.p;
    beyond += a.length > n ? a.p * static_cast<double>(a.length - n) : 0;
  }
  auto atom = law.atoms.begin();
  for (uint64_t k = 1; k <= std::min(n, longest); ++k) {
    to.fresh[k] += lasting / cycle * from.jump(k);
    for (; atom != law.atoms.end() && atom->length == k; ++atom)
      lasting -= atom->p;
  }
  if (longest <= n)
    from.tail[longest] += beyond / cycle * from.jump(longest);
  else
    end += (beyond + law.tail * static_cast<double>(longest - n)) / cycle * from.jump(n);
}

/// Moves what starts at outcome i on to where it ends; what lasts to n and beyond goes to `end`.
void advance(Kind &from, Kind &to, uint64_t i, uint64_t n, PowerSeries &end) {
  const RunLaw &law = from.law;
  double beyond = 0;
  for (size_t j = 0; j < law.atoms.size(); ++j)
    if (const uint64_t k = law.atoms[j].length; k <= n - i)
      to.fresh[i + k] += from.jumps[j] * from.fresh[i];
    else
      beyond += law.atoms[j].p;
  if (law.longest() <= n - i)
    from.tail[i + law.longest()] += law.tail * from.jump(law.longest()) * from.fresh[i];
  else
    beyond += law.tail;
  if (beyond > 0)
    end += beyond * from.jump(n - i) * from.fresh[i];
  const PowerSeries next = from.jump(1) * from.tail[i];
  to.fresh[i + 1] += law.hazard * next;
  from.tail[i + 1] += (1 - law.hazard) * next;
}

} // namespace

// l1 = u1/mu = p;  l2 = (u2 q^2 + d2 p^2)/mu;  l3 = [u3 q^3 - d3 p^3 + 3 l2 (p d2 - q u2)]/mu
// l4 = [u4 q^4 + d4 p^4 - 6 l2 (u3 q^2 + d3 p^2) + 3 l2^2 (u2 + d2) + 4 l3 (p d2 - q u2)]/mu
Cumulants renewalRates(const Cumulants &u, const Cumulants &d) {
  const double mu = u.k1 + d.k1, p = u.k1 / mu, q = d.k1 / mu, p2 = p * p, q2 = q * q;
  const double skew = p * d.k2 - q * u.k2;
  Cumulants l{p, (u.k2 * q2 + d.k2 * p2) / mu, 0, 0};
  l.k3 = (u.k3 * q2 * q - d.k3 * p2 * p + 3 * l.k2 * skew) / mu;
  l.k4 = (u.k4 * q2 * q2 + d.k4 * p2 * p2 - 6 * l.k2 * (u.k3 * q2 + d.k3 * p2) +
          3 * l.k2 * l.k2 * (u.k2 + d.k2) + 4 * l.k3 * skew) /
         mu;
  return l;
}

// With L the series of Lambda: e^c = N/[M_U' M_D + M_U M_D'];  N = A_U + M_U A_D after a fresh true
// run, A_D + M_D A_U after a fresh false one (N_U, N_D), p R_U N_D + q R_D N_U for a process met at
// random.
Cumulants renewalOnce(const RunLaw &u, const RunLaw &d, std::optional<double> first) {
  const Cumulants rates = renewalRates(cumulants(u), cumulants(d));
  const PowerSeries L = cumulantSeries(rates), s{{0, 1}};
  const RunSeries U = seriesOf(u, s - L), D = seriesOf(d, -1 * L);
  const PowerSeries NU = U.inside + U.M * D.inside, ND = D.inside + D.M * U.inside;
  const double p = first.value_or(rates.k1);
  const PowerSeries N =
      first ? p * NU + (1 - p) * ND : p * (U.ahead * ND) + (1 - p) * (D.ahead * NU);
  return fromMomentSeries(N * inverse(U.slope * D.M + U.M * D.slope));
}

Result<Cumulants> renewalCount(const RunLaw &u, const RunLaw &d, std::optional<double> first,
                               uint64_t n) {
  if (n > 1000000 || n * (u.atoms.size() + d.atoms.size()) > 100000000)
    return Error{"too many outcomes for an exact count"};
  const double cycle = cumulants(u).k1 + cumulants(d).k1, p = cumulants(u).k1 / cycle;
  Kind U(u, 1 - p, n), D(d, -p, n);
  PowerSeries end;
  if (first) {
    U.fresh[0] = {{*first}}, D.fresh[0] = {{1 - *first}};
  } else {
    startAtRandom(U, D, cycle, n, end);
    startAtRandom(D, U, cycle, n, end);
  }
  for (uint64_t i = 0; i < n; ++i) {
    advance(U, D, i, n, end);
    advance(D, U, i, n, end);
  }
  end += U.fresh[n] + D.fresh[n] + U.tail[n] + D.tail[n];
  return fromMomentSeries(end) + Cumulants{p * static_cast<double>(n), 0, 0, 0};
}

} // namespace quincunx
