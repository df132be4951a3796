// The published methods that quincunx is measured against, each as its text has it. They are
// rivals, not parts: nothing in lib/ may call them. What a formula of the text cannot give (an
// infinite term, an iteration that ignores its argument) is corrected as little as possible, and
// the comment at the function says so. Reference: docs/16-published-methods.md, with the errata; G
// is Gautama's thesis, R is Reijns & van Gemund, L is Lopez et al. Only those that return a Result
// guard against input outside the range their texts speak of.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Moments.h"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace quincunx::published {

/// Which of several tasks is waited for: the last (and-parallel) or the first (or-parallel).
enum class Wait { Last, First };

/// Steps of every numerical integral of G and R: "in practice, K = 10^4 is sufficiently large".
inline constexpr int steps = 10000;

// --- Lambda.cpp: the generalized lambda distribution, G 5.1 and 5.2

/// x = l1 + (F^l3 - (1 - F)^l4) / l2, G (5.7).
struct Lambda {
  double l1 = 0, l2 = 2, l3 = 1, l4 = 1;
};
double quantile(const Lambda &x, double F);
/// dx/dF, G (5.8).
double slope(const Lambda &x, double F);
/// G Table 5.1. The printed l1 of the exponential law, (1 + 7.1e-3)/theta, gives it the mean
/// 2/theta; here it is 7.1e-3/theta.
Lambda uniformLambda(double a, double b);
Lambda exponentialLambda(double theta);
Lambda normalLambda(double mean, double deviation);
/// Lambda values from four moments by the Nelder-Mead search that G 5.1 names. Refuses moments no
/// lambda law with a density has (the exponential's: it is only a limit).
Result<Lambda> fitLambda(const Moments &m);
/// E[Y^r] of the k-th smallest of N tasks, G (5.11); k = N is (5.18) and k = 1 is (5.20). 1 <= k <=
/// N.
RawMoments kthOf(const Lambda &x, double k, double N);

// --- Two different tasks, G 5.3 and 5.4

/// The task with the larger mean, or with equal means the larger second moment, G (5.21).
RawMoments heuristicLast(const RawMoments &x1, const RawMoments &x2);
/// The cdf of the last is taken as the smaller of the two, G (5.28).
RawMoments graphicalLast(const Lambda &x1, const Lambda &x2);
/// G (5.29) with the factor F_i(R_j(F)) that is printed in it but contradicts (5.28).
RawMoments graphicalLastAsPrinted(const Lambda &x1, const Lambda &x2);

/// A beta law stretched to [b1, b1 + b2] with the exponents b3 and b4, G (5.30).
struct Beta {
  double b1 = 0, b2 = 1, b3 = 1, b4 = 1;
};
double cdf(const Beta &x, double t);
RawMoments rawMoments(const Beta &x); ///< G (5.31), (5.32)
/// G Table 5.2; L = 1000 "is sufficiently large".
Beta uniformBeta(double a, double b);
Beta exponentialBeta(double theta, double L = 1000);
Beta normalBeta(double mean, double deviation, double L = 1000);
/// The text calls the fit "quite difficult" and gives none; the family is Pearson's type I, whose
/// parameters are closed forms of the four moments. Refuses moments of other types.
Result<Beta> fitBeta(const Moments &m);

/// A task as G (5.33) needs it: quantiles by a lambda law, cdf by a beta law.
struct LambdaBeta {
  Lambda quantiles;
  Beta cdf;
};
/// G (5.33). `at` is the place in each of the K intervals where the integrand is read: 1 as
/// printed, which is infinite for a law without an upper end; 1/2 is the least correction.
RawMoments betaJoin(Wait wait, const LambdaBeta &x1, const LambdaBeta &x2, double at = 0.5);
/// The cdf of a lambda law by Newton's iteration, from `start`. As printed, G (5.34) and (5.36), it
/// solves R(F) = 0 whatever x is, and may leave (0, 1); here it solves R(F) = x and is bracketed.
double cdf(const Lambda &task, double x, double start = 0.5);
/// G (5.35) for the last, (5.42) for the first; `at` as in betaJoin.
RawMoments newtonJoin(Wait wait, const Lambda &x1, const Lambda &x2, double at = 0.5);

// --- Gumbel.cpp: G (2.15), (5.44)

/// E[last of N] = mean + deviation sqrt(2 ln(0.4 N)); refuses N < 2.5, where the root is not real.
Result<double> gumbelMean(const Moments &x, double N);

// --- GramCharlier.cpp: G appendix D, cut after the fourth coefficient

/// f(x) = sum c_i H_i(x) phi(x), G (D.1).
using GramCharlier = std::array<double, 5>;
GramCharlier gramCharlier(const RawMoments &m); ///< G (D.5)
/// G (D.6): (mu3 - 1)/6 and (mu4 - 6 mu2 + 1)/24 are printed for mu3/6 and (mu4 - 6 mu2 + 3)/24.
GramCharlier gramCharlierAsPrinted(const CentralMoments &m);
/// The last of two different tasks, G (D.13) to (D.15).
RawMoments lastOfTwo(const GramCharlier &x1, const GramCharlier &x2);
/// The last of N equal tasks, G (D.21).
RawMoments lastOf(const GramCharlier &x, double N);

// --- EulerPearson.cpp: R 4 and 5

/// f'/f = (x + a)/(d0 + d1 x + d2 x^2) of the centred law, R (9), (12), (16).
struct PearsonEquation {
  double a = 0, d0 = 0, d1 = 0, d2 = 0;
  double eta = 0; ///< below 0: first main type; 0 to 1: second; above 1: third
};
PearsonEquation pearsonEquation(const Moments &m);
/// E[Y^r] of the last or first of n equal tasks, R 5.1.
Result<RawMoments> eulerPearson(Wait wait, const Moments &x, double n);
/// The same of two different tasks, R 5.2.
Result<RawMoments> eulerPearson(Wait wait, const Moments &x1, const Moments &x2);

// --- Skeletons.cpp: L 4

struct MeanVariance {
  double mean = 0, variance = 0;
};
/// Task k of the placement is done by processor k that many times: max(y) xi, L lemma 2,
/// proposition 1.
MeanVariance parallelMap(const MeanVariance &task, std::span<const int> placement);
/// n tasks on m processors drawn with equal chances, L lemma 3, proposition 2.
MeanVariance parallelMap(const MeanVariance &task, int n, int m);
/// P(done by t) of the same, L lemma 3; cdfOfSum(k, t) is the cdf of k tasks in sequence.
double parallelMapProbability(int n, int m, double t,
                              const std::function<double(int, double)> &cdfOfSum);
/// Depth n, arity k: splits, then k^n tasks, then combines, on m such processors, L lemma 4.
MeanVariance divideAndConquer(const MeanVariance &task, const MeanVariance &split,
                              const MeanVariance &combine, int n, int k, int m);
/// P(max(y) = i) for i = 0..n, of n tasks on m processors drawn with equal chances.
std::vector<double> largestShare(int n, int m);

// --- MeanValue.cpp: G 6.2, clients that compute for local and then use one server for service

/// Mean cycle of a client by mean value analysis: G (6.10), (6.11), which prints P R(n) for n R(n).
double meanValueCycle(int clients, double local, double service);
double meanValueCycleAsPrinted(int clients, double local, double service);

// --- BetaBranch.cpp: G 4.4

/// Mean and variance of the lengths of true runs (U, up) and of false runs (D, down).
struct RunLengths {
  MeanVariance up, down;
};
/// The beta law of the share of true outcomes: exponents for the false outcomes (a) and the true
/// ones (b), G (4.12), and moments, G (4.14), (4.15).
struct BetaBranch {
  double a = 0, b = 0;
  Moments p;
};
BetaBranch betaBranch(const RunLengths &runs);

} // namespace quincunx::published
