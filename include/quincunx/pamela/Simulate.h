// Discrete-event simulation of a model: how long a process takes, and where it waits.
// The idea: names are put in place once, when the model is compiled; a run then steps through
// compact instructions. It solves nothing (Analysis does) and reads no files.
// Reference: docs/12-pamela.md.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Moments.h"
#include "quincunx/pamela/Ast.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quincunx::pamela {

struct SimulateOptions {
  std::string target = "main";              ///< a process without arguments
  std::map<std::string, double> parameters; ///< values of numbers without arguments, by name
  uint64_t replications = 1000;             ///< at most
  /// Stops when the 90 % interval of the mean is this part of the mean to each side, or less; not
  /// before 30 replications.
  std::optional<double> precision;
  /// Asked after every replication and now and then within one, with the number that are done:
  /// false stops the simulation, which then tells what those say.
  std::function<bool(uint64_t done)> goesOn;
  uint64_t seed = 1;
  /// Ends of delays and uses, turns of loops and starts of parts, over all replications.
  uint64_t maxEvents = 1'000'000'000;
  uint64_t maxLive = 1'000'000; ///< processes at once, at most 2^24
  size_t mostSlices = 0;        ///< that are kept, of the first replication
};

/// What a process does from one time to another.
struct SimulatedSlice {
  enum class Kind : uint8_t { delay, queue, service };
  Kind kind = Kind::delay;
  uint64_t process = 0; ///< how many were created before
  double begin = 0, end = 0;
  double resource = 0; ///< its index; of a delay 0
  Place at;
};

/// X_(k) of the replications, and an interval that holds the percentile with probability 0.9 or
/// more, whatever the law; an end is infinite where there are too few replications to know.
struct TimePercentile {
  double p = 0, value = 0, low = 0, high = 0;
};

struct ResourceUse {
  std::string name;   ///< the definition it was first used by, or "fcfs(INDEX)"
  double index = 0;   ///< of fcfs
  double servers = 1; ///< the multiplicity; may be infinite
  uint64_t uses = 0;  ///< that got a server, over all replications
  double busy = 0; ///< utilisation: the part of the time that a server works; 0 of infinitely many
  double queueing = 0; ///< mean time from asking until service begins, over `uses`
};

/// Half the width of the 90 % interval of a mean, in standard errors of a normal law.
inline constexpr double meanConfidence = 1.6449;

struct Simulated {
  std::vector<double> times; ///< of the replications, in their order
  bool isRandom = false;     ///< else every replication would be the same
  bool isStopped = false;    ///< by `goesOn`
  /// From unbiased estimates of the cumulants (k-statistics); the k-th is none below k
  /// replications.
  Moments moments;
  /// The standard error of the mean, each replication a batch of its own; none when there is only
  /// one that is random.
  std::optional<double> standardError;
  std::array<TimePercentile, 4> percentiles; ///< p50, p90, p99, p99.9
  std::vector<ResourceUse> resources;        ///< by index
  uint64_t events = 0;                       ///< ends of delays and uses, over all replications
  std::vector<SimulatedSlice> slices;        ///< of the first replication, by their ends
  std::vector<std::string> notes; ///< what the reader should know; empty when all is well
};

/// Runs the target `replications` times; once when nothing in it is random (`times` has one entry).
/// The rules:
/// - Events at the same time happen in the order in which their processes were created, parts in
///   the order of the text or of their index. What an event sets off happens at once.
/// - Of `any`, the parts that are too late leave queues and servers at once; what they queued for
///   in vain is not counted, how long they were served is.
/// - Names stand for what they say: a random number is drawn anew wherever it is used.
/// - A loop has b - a + 1 turns, none if b < a - 1; where that is no whole number, one of the two
///   next to it is drawn so that the mean holds. Indices begin with a rounded down.
/// - Times below 0 count as 0, with a note; a constant one is an error.
/// - moments(...) are drawn from the law fitted to them, which may reach below 0; a note says when
///   no law on [0, inf) has them. A law that is drawn often is drawn along lines between 4096
///   quantiles, but for the outer 16 steps of each tail, which are exact: of an exponential law
///   this moves mean and deviation by less than 1e-5 of either. Laws without a density are always
///   exact.
/// - Rates of a condition, also as the values of `if` and `switch` in it, are drawn when they are
///   those of independent outcomes.
/// The same seed gives the same answer; across platforms as far as their log and exp agree.
/// Errors have a place: names, kinds, loops without an end (`maxEvents`), conditions that are no
/// probability, rates that cannot be drawn, one resource with two multiplicities.
Result<Simulated> simulate(const Model &model, const SimulateOptions &options = {});

} // namespace quincunx::pamela
