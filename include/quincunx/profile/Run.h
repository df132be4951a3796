// What one execution left behind: the records its processes wrote (.qxraw), the live files of those
// that could not, and the run they add up to. A run is a vector of counts per map, with what is
// known about the execution. It does not derive the counts that were not measured (lib/model) and
// knows no costs.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/map/Image.h"
#include "quincunx/strands/Events.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quincunx {

using Hash = std::array<uint64_t, 2>;
/// 32 lower-case hex digits, first word first.
std::string hex(const Hash &h);

/// Sparse count vector: indices ascending, values not zero.
struct Counts {
  std::vector<uint32_t> index;
  std::vector<uint64_t> value;
  bool operator==(const Counts &) const = default;
};
/// Adds `more` to `sum`.
void add(Counts &sum, const Counts &more);

/// No path of an image has more bytes: it is stored once and read with every run.
inline constexpr size_t longestPath = size_t{1} << 16;

/// The counts of one image in one process or run.
struct ImageCounts {
  Hash map{};
  std::string path;          ///< of the image, where it was when it ran
  uint64_t counterCount = 0; ///< recorders included
  Counts counts;
  Counts recorders; ///< of words behind the counters
  Counts inherited; ///< counters of parents at the moment of fork, added up over forked children
  std::optional<RawMap> embedded; ///< QUINCUNX_MAPS=embed
  std::string build; ///< which one of the file at `path`, see readBuild(); empty: not known
};

/// What one image counted in one request.
struct RequestCounts {
  Hash map{};
  Counts counts;
};

/// One call of a marked function, of which the counts were kept apart.
struct Request {
  uint64_t number = 0; ///< from 0, in the order in which requests of the function ended
  uint64_t wall = 0;   ///< ns
  std::map<std::string, double> features;
  std::vector<RequestCounts> images; ///< one per map that counted, ordered by hash
};

/// Over all requests of a function: per counter the sum, and the sum of squares (low and high 64
/// bits).
struct RequestSums {
  Hash map{};
  Counts sum;
  std::vector<std::array<uint64_t, 2>> squares; ///< parallel to sum.index
};

/// The requests of one marked function in one process.
struct MarkedFunction {
  uint32_t number = 0;                          ///< among those of the process
  Hash map{};                                   ///< of its image
  uint32_t counter = 0;                         ///< Function::firstCounter
  uint64_t begun = 0, ended = 0;                ///< nothing more is known of those that did not end
  std::vector<Request> sample;                  ///< of those that ended, uniform, ordered by number
  std::optional<std::vector<RequestSums>> sums; ///< ordered by hash; of killed processes not known
  /// How many requests each of the sample stands for.
  double weight() const {
    return sample.empty() ? 0 : static_cast<double>(ended) / static_cast<double>(sample.size());
  }
};

/// One .qxraw file.
struct ProcessRecord {
  std::array<uint8_t, 16> identity{};
  std::string run;     ///< name of the run it belongs to; empty: died before it counted anything
  std::string program; ///< path of the executable
  int64_t pid = 0, parent = 0;
  int64_t startRealtime = 0, wall = 0, user = 0, system = 0; ///< ns
  int64_t peakMemory = 0; ///< bytes; 0: not known, it was killed or left by _exit
  bool cutShort = false;  ///< left as it stood: killed, _exit, exec, or written by quincunx_flush()
  bool running = false;   ///< cut short by our reading it: the process still counts
  std::array<uint8_t, 16> parentIdentity{}; ///< of the process that forked it; 0: none did
  uint32_t forked = 0;                      ///< children that it forked
  bool incomplete = false;                  ///< some of what it counted is nowhere
  std::vector<ImageCounts> images;
  std::vector<MarkedFunction> requests;
  std::map<std::string, double> features; ///< quincunx_feature() outside of requests
  std::vector<ProcessStrands> strands;    ///< one, or none where they were not recorded
};

/// Two records of one process, of which neither need have all counts, become one: that which the
/// process closed, or, while there is none, of each counter the higher value, as counts only grow.
void unite(ProcessRecord &known, const ProcessRecord &more);

/// Counts the processes of a run of which the counts are missing, wholly or in part. The idea: each
/// record says who forked its process and how many it forked itself, so those that left nothing can
/// be told by those that did.
class MissingProcesses {
public:
  /// A process of which all that there is to read was read.
  void add(const ProcessRecord &record);
  /// One of which nothing else is known than that its counts are elsewhere, or cannot be read.
  void addUnknown() { ++incomplete; }
  size_t count() const;

private:
  using Identity = std::array<uint8_t, 16>;
  struct Children {
    bool parentIsKnown = false;
    uint32_t forked = 0, known = 0;
  };
  std::map<Identity, Children> childrenOf;
  size_t incomplete = 0;
};

/// Reads a raw record or a live file; truncated, damaged and foreign files are errors that say
/// which and what to do. From bytes alone it is not known whether a process still runs.
Result<ProcessRecord> readRaw(std::span<const uint8_t> bytes, const std::string &name);
Result<ProcessRecord> readRawFile(const std::string &path);
/// By its name: the live file of a process, which disappears when its record stands.
bool isLiveName(const std::string &path);
/// Where the record of the process stands when its live file is gone, as the runtime names them;
/// empty when the name is not the runtime's.
std::string recordOfLive(const std::string &path);
/// Does the process `pid` still count in this live file?
bool stillCounts(const std::string &path, int64_t pid);

enum class Outcome : uint8_t {
  finished, ///< any normal exit that counts
  timedOut, ///< stopped by --timeout: right-censored, its counts are lower bounds
  crashed,  ///< ended by a fault of its own, or an exit status that --ok-status excludes: left out
            ///< of estimates
  cutShort, ///< killed from outside, or it is not known how it ended: right-censored as well
};
/// Whether all that is known of such a run is that it costs at least what was counted.
constexpr bool isCensored(Outcome o) { return o == Outcome::timedOut || o == Outcome::cutShort; }

/// One execution of the program on one input: what every estimate is made of.
struct Run {
  std::string identity;               ///< unique name; merging goes by it, never by content
  std::string label;                  ///< the input's name, for people
  std::vector<std::string> arguments; ///< empty when not stored
  std::string standardInput;          ///< path, empty when none or not stored
  Outcome outcome = Outcome::finished;
  int exitStatus = 0; ///< exit code, or -signal
  std::map<std::string, double>
      features; ///< covariates: "size" in bytes of the input file, and the user's
  std::map<std::string, std::string> texts; ///< those of the user's that are no numbers
  /// What --tag said, the commit of the folder of its sources, and where it ran; empty: not known.
  std::string tag, commit, host;
  double start = 0; ///< seconds since the epoch
  double wall = 0, user = 0,
         system = 0;     ///< seconds, of the instrumented run (never a prediction of the plain one)
  double peakMemory = 0; ///< bytes, of the largest process; 0: not known
  std::optional<double> pageFaults; ///< those that needed no input or output, where they are known
  std::optional<double> cycles, instructions, branchMisses; ///< hardware counters where granted
  uint32_t processes = 0;                                   ///< process records added up
  std::vector<ImageCounts> images;                          ///< one per map, ordered by hash
  std::vector<MarkedFunction> requests;                     ///< of each process apart
  std::vector<ProcessStrands> strands;                      ///< of each process that recorded them
};

/// Adds a process record's counts to the run (images by hash), its requests, and features that the
/// run does not have; raises the run's peak memory to that of the process.
void add(Run &run, const ProcessRecord &process);

} // namespace quincunx
