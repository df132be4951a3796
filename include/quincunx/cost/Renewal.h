// How many of n outcomes are true when true runs and false runs alternate, each of random length
// and independent of the others. It knows no recorded branches (Branch.h).
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Moments.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace quincunx {

/// The law of a run's length: some lengths, and a tail of longer ones.
struct RunLaw {
  struct Atom {
    uint64_t length = 0;
    double p = 0;
  };
  std::vector<Atom> atoms; ///< ascending, from 1 on
  double tail = 0;         ///< the chance of a run longer than all of them
  double hazard = 1;       ///< once longer, the chance to end after each further outcome

  uint64_t longest() const { return atoms.empty() ? 0 : atoms.back().length; }
};

/// How many runs had which length.
struct RunLengths {
  std::map<uint64_t, uint64_t> completed;
  std::map<uint64_t, uint64_t> cut; ///< the loop ended while they lasted
};

/// Law of the lengths by the discrete Kaplan-Meier estimate: a cut run counts for as long as it was
/// seen. What lasted longer than any completed run gets a geometric tail. An error when no run
/// was seen to end.
Result<RunLaw> estimateRuns(const RunLengths &lengths);

Cumulants cumulants(const RunLaw &law);

/// Exact cumulants per outcome of the count of true outcomes over a long time, from the cumulants
/// of true runs u and false runs d; lengths of mean 1 or more.
Cumulants renewalRates(const Cumulants &u, const Cumulants &d);

/// What the cumulants of the count have beyond n times the rate, once n is many runs. `first` is
/// the chance that the first outcome is true and a run begins there; without it, the process has
/// been running for ever. The r-th is right to about 1e-13 of the r-th power of u1 + d1.
Cumulants renewalOnce(const RunLaw &u, const RunLaw &d, std::optional<double> first);

/// Exact cumulants of the number of true ones among n outcomes, in time proportional to n and the
/// number of atoms; an error when that is over 10^8 steps or n over 10^6.
Result<Cumulants> renewalCount(const RunLaw &u, const RunLaw &d, std::optional<double> first,
                               uint64_t n);

} // namespace quincunx
