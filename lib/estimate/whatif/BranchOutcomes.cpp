// How another share of true outcomes comes about.
// The idea: runs whose share differs from the mean m are weighted with w_d = 1 + g (p_d - m), which
// moves the share of all evaluations by g V, V being the variance of p_d over evaluations. Where
// runs are pure, V = m (1 - m), and w is m'/m for true runs and (1 - m')/(1 - m) for false ones: a
// mix. Where outcomes are independent, V is nearly nothing. Weights go as far as none of them is
// negative; the rest of the way, outcomes change within runs. Reference: docs/17-what-if.md;
// weights of this kind are the linear calibration of Deville & Sarndal, JASA 87 (1992). It does not
// know why runs differ.
#include "BranchOutcomes.h"

#include "estimate/figures/Notes.h"
#include "quincunx/numeric/Solve.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

namespace {

/// Runs that differ by less, as a share of m (1 - m), differ by rounding.
constexpr double roundedAway = 1e-12;
/// Of that, where runs are of one kind or the other.
constexpr double ofOneKind = 0.9;

double variance(double m) { return m * (1 - m); }

/// (sum x)^2 / sum x^2.
double effective(std::span<const double> x) {
  double sum = 0, squares = 0;
  for (const double v : x)
    sum += v, squares += v * v;
  return squares > 0 ? sum * sum / squares : 0;
}

} // namespace

BranchOutcomes::BranchOutcomes(std::vector<Copy> c, std::vector<double> w, bool within)
    : copies(std::move(c)), weight(std::move(w)), n(weight.size()), p(weight.size()),
      staysWithin(within) {
  std::vector<double> taken(n.size());
  for (const Copy &copy : copies)
    for (size_t d = 0; d < n.size(); ++d) {
      n[d] += copy.n[d];
      taken[d] += copy.n[d] * copy.p[d];
      comesBack = comesBack || std::fabs(copy.again[d]) > roundedAway;
    }
  phi = quincunx::dispersion(taken, n);
  double all = 0, inside = 0, spare = 0;
  for (size_t d = 0; d < n.size(); ++d)
    if (n[d] > 0 && weight[d] > 0) {
      p[d] = taken[d] / n[d];
      least = std::min(least, p[d]), most = std::max(most, p[d]);
      all += weight[d] * n[d];
      usual += weight[d] * taken[d];
      inside += weight[d] * n[d] * variance(p[d]);
      spare += weight[d] * (n[d] - 1);
    }
  if (all <= 0)
    return;
  usual /= all;
  perRun = all / std::accumulate(weight.begin(), weight.end(), 0.0);
  for (size_t d = 0; d < n.size(); ++d)
    between += weight[d] * n[d] * (p[d] - usual) * (p[d] - usual) / all;
  if (phi.trust.low > 1 && spare > 0 && variance(usual) > 0)
    icc = std::clamp(1 - inside / (variance(usual) * spare), 0.0, 1.0);
}

bool BranchOutcomes::differBetweenRuns() const {
  return between > 0 && between >= 0.5 * variance(usual);
}

bool BranchOutcomes::isEitherWay(double reached) const {
  return reached != usual && between < ofOneKind * variance(usual);
}

double BranchOutcomes::rarerRuns() const {
  std::vector<double> yes, no;
  for (size_t d = 0; d < n.size(); ++d)
    if (n[d] > 0) {
      yes.push_back(weight[d] * p[d]);
      no.push_back(weight[d] * (1 - p[d]));
    }
  return std::min(effective(yes), effective(no));
}

/// As far as weights go. Where runs differ by no more than chance makes of many outcomes, that is
/// no sign of a kind of run.
double BranchOutcomes::reach(double to) const {
  const double far = to > usual ? usual - least : most - usual;
  const bool differ = phi.trust.low > 1 || differBetweenRuns();
  if (staysWithin || !differ || phi.refuted() || far <= 0)
    return usual;
  const double furthest = between / far;
  return std::fabs(to - usual) <= furthest * (1 + roundedAway)
             ? to
             : usual + std::copysign(furthest, to - usual);
}

std::vector<double> BranchOutcomes::weights(double reached, std::span<const uint32_t> times,
                                            bool isFactor) const {
  std::vector<double> w(n.size(), 1.0);
  double all = 0, mean = 0, spread = 0;
  const auto counted = [&](size_t d) {
    return n[d] > 0 ? weight[d] * (times.empty() ? 1 : times[d]) : 0;
  };
  for (size_t d = 0; d < n.size(); ++d)
    all += counted(d) * n[d], mean += counted(d) * n[d] * p[d];
  if (reached == usual && times.empty())
    return w;
  mean /= all;
  const double to = isFactor ? std::min(1.0, reached / usual * mean) : reached;
  for (size_t d = 0; d < n.size(); ++d)
    spread += counted(d) * n[d] * (p[d] - mean) * (p[d] - mean) / all;
  if (!(spread > roundedAway * variance(usual)))
    return {};
  double sum = 0, before = 0;
  for (size_t d = 0; d < n.size(); ++d)
    if (n[d] > 0) {
      w[d] = std::max(0.0, 1 + (to - mean) / spread * (p[d] - mean));
      sum += counted(d) * w[d], before += counted(d);
    }
  for (size_t d = 0; d < n.size(); ++d)
    w[d] *= n[d] > 0 ? before / sum : 1;
  return w;
}

double BranchOutcomes::shareAfter(const OutcomeShift &shift, std::span<const double> w) const {
  double all = 0, taken = 0;
  for (const Copy &c : copies)
    for (size_t d = 0; d < w.size(); ++d) {
      const double to = shift.applied(c.p[d]), back = 1 - (to - c.p[d]) * c.again[d];
      if (c.n[d] > 0 && back <= 0)
        return shift.rises() ? 1 : 0; // for ever
      all += weight[d] * w[d] * c.n[d] / back;
      taken += weight[d] * w[d] * c.n[d] / back * to;
    }
  return taken / all;
}

/// Where the branch is evaluated more or less often after it went another way, the share that
/// outcomes are moved to is not quite that of all evaluations afterwards.
double BranchOutcomes::aimFor(double to, double reached) const {
  if (!comesBack || to == reached || to <= 0 || to >= 1)
    return to;
  const std::vector<double> w = weights(reached);
  const bool rises = to > reached;
  const auto miss = [&](double aim) { return Curve{shareAfter({reached, aim, 0}, w) - to, 0}; };
  return rises ? solve(miss, reached, 1, to) : solve(miss, 0, reached, to);
}

/// Outcomes keep the correlation r that they have: shares of runs are to vary by r p' (1 - p').
/// What of that is left of the runs' own differences is less, so those that change do it together.
double BranchOutcomes::together(const OutcomeShift &shift, std::span<const double> w) const {
  const double stays = shift.stays();
  double all = 0, side = 0, spread = 0;
  for (size_t d = 0; d < n.size(); ++d) {
    const double counts = weight[d] * w[d] * n[d], rarer = shift.rises() ? 1 - p[d] : p[d];
    const double away = p[d] - shift.reached;
    all += counts, side += counts * rarer * rarer;
    spread += counts * (away * away - variance(p[d]) / std::max(1.0, n[d] - 1));
  }
  const double missing = icc * variance(shift.aim) * all - stays * stays * std::max(0.0, spread);
  return std::clamp(missing / (variance(stays) * side), 0.0, 1.0);
}

Result<OutcomeShift> BranchOutcomes::shiftTo(double to) const {
  if (last && last->first == to)
    return last->second;
  if ((usual <= 0 && to > 0) || (usual >= 1 && to < 1))
    return Error{std::string("in no run was the branch ") + (usual <= 0 ? "true" : "false") +
                 ": what follows then is not known; record runs in which it is"};
  OutcomeShift shift{reach(to), to, 0};
  shift.aim = aimFor(to, shift.reached);
  if (icc > 0 && shift.aim != shift.reached)
    shift.together = together(shift, weights(shift.reached));
  last = {to, shift};
  return shift;
}

} // namespace quincunx
