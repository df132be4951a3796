// The corpus file (.qx): maps and runs in one SQLite database with a documented schema
// (docs/11-formats.md). Runs are appended and kept apart, and so are timings of the plain program
// (Timing.h). Written in transactions: a killed writer
// loses at most the run it was writing. A corpus may come from a stranger, so sizes are checked
// before memory is taken. It does not interpret what it stores.
#pragma once

#include "quincunx/profile/Damage.h"
#include "quincunx/profile/Run.h"
#include "quincunx/profile/Samples.h"
#include "quincunx/profile/Timing.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace quincunx {

class Corpus {
public:
  enum class Mode {
    read,  ///< must exist
    write, ///< created when missing; one writer at a time, a second one gets an error that says so
  };
  static Result<Corpus> open(const std::string &path, Mode mode);
  Corpus(Corpus &&) noexcept;
  Corpus &operator=(Corpus &&) noexcept;
  ~Corpus();

  /// Stores an image's map once; a map already there (by hash) is left alone.
  Status addMap(const RawMap &raw, const std::string &imagePath);
  Result<bool> hasMap(const Hash &hash) const;
  /// All maps, decoded, ordered by hash; an error when runs were counted by one that is not here,
  /// as their counts would mean nothing.
  Result<std::vector<Map>> maps() const;
  /// The same, whatever runs need.
  Result<std::vector<Map>> storedMaps() const;

  /// Appends a run in a transaction of its own. A run whose identity is there already is left
  /// alone.
  Status add(const Run &run);
  Result<bool> hasRun(const std::string &identity) const;
  Result<size_t> runCount() const;
  /// What is read of a run: what describes it; with that the counts of its images, the same with
  /// their recorders, its requests, or its strands.
  enum class ReadMask : uint8_t { description, counts, recorders, requests, strands, all };
  /// Calls `visit` with every run, ordered by label, shorter ones first: two recordings of the same
  /// inputs are in the same order. One in memory at a time.
  Status forEachRun(const std::function<Status(Run &&)> &visit,
                    ReadMask parts = ReadMask::counts) const;

  /// A build of a program or library that runs were counted with.
  struct Build {
    std::string path;     ///< of the image
    std::string identity; ///< hex digits: ImageCounts::build, or of the map where that is not known
    size_t runs = 0;
    size_t read = 0;                            ///< of these, runs that reading sees
    double firstStart = 0, lastStart = 0;       ///< of its runs, seconds since the epoch
    bool isNewest = true;                       ///< among those of one name: its runs started last
    std::set<std::string> tags, commits, hosts; ///< Run::tag and so on, of its runs
  };
  /// Ordered by name, newest first. Images of one file name are builds of one program, unless a run
  /// has several of them; then images of one path are.
  Result<std::vector<Build>> builds() const;
  /// Reading sees from now on runs of one build alone, and their maps: the one whose identity
  /// begins with `build`, that whose runs have it as their tag (and these runs alone), or, where it
  /// is empty, of everything the newest. An error when that is none, or several. Returns how many
  /// runs are left out.
  Result<size_t> select(const std::string &build);
  /// The same without the runs that have an image of a build for which `isOther` holds.
  Result<size_t> selectWithout(const std::function<bool(const Build &)> &isOther);

  /// Requests of a marked function over all runs.
  struct Marked {
    Hash map{};
    uint32_t counter = 0;          ///< Function::firstCounter
    uint64_t begun = 0, ended = 0; ///< requests
    uint64_t kept = 0;             ///< of those that ended
  };
  /// Ordered by map and counter.
  Result<std::vector<Marked>> markedFunctions() const;

  /// Says which program the timings are of. Another one than is known, by its bytes or by the
  /// model of the processor, is an error that says what to do.
  Status setTimedProgram(const TimedProgram &program);
  /// The program that the timings are of; none when nothing was timed.
  Result<std::optional<TimedProgram>> timedProgram() const;
  /// Appends a repetition of the input `of` (its identity, label, arguments, standard input), in a
  /// transaction of its own. One whose identity is there already is left alone.
  Status addRepetition(const Timing &of, const Repetition &repetition);
  Status addStartUp(const StartUp &startUp);
  /// All inputs that were timed, ordered by identity.
  Result<std::vector<Timing>> timings() const;
  /// Appends an execution of the input `of` that was sampled, in a transaction of its own. One
  /// whose identity is there already is left alone.
  Status addSamples(const Timing &of, const SampledExecution &execution);
  /// All inputs that were sampled, ordered by identity.
  Result<std::vector<SampledInput>> samples() const;
  /// Keeps the text of the machine that was fitted to the timings (cost/Machine.h), in place of
  /// any other.
  Status setCalibration(const std::string &machine);
  /// Empty when there is none.
  Result<std::string> calibration() const;
  /// Removes all timings and samples, the calibration and what is known of their program; returns
  /// how many repetitions.
  Result<size_t> removeTimings();

  /// Removes the runs with these identities; returns how many there were. Timings stay.
  Result<size_t> remove(const std::vector<std::string> &identities);
  /// Forgets arguments, standard input and folders of paths; labels become their last path
  /// component.
  Status scrub();
  /// Adds all maps, runs and timings of `other` that are not here yet: idempotent and independent
  /// of order. Timings of different programs do not mix: an error, and nothing is added.
  Status merge(const Corpus &other);
  /// The same with those in these files, one opened after the other: all of them, or nothing.
  Status merge(const std::vector<std::string> &paths);

  /// Reads all there is and says what cannot be read. What can is added to `into`, unless that is
  /// null. An error is one of `into`, or that nothing of this corpus can be read.
  Result<Damage> salvage(Corpus *into) const;

  /// A fact about the whole corpus ("command", "machine", ...); empty when not set.
  Result<std::string> fact(const std::string &name) const;
  /// All facts by name; several values of one are lines of its text.
  Result<std::map<std::string, std::string>> facts() const;
  Status setFact(const std::string &name, const std::string &value);

  const std::string &path() const;

private:
  class Salvage;
  struct Impl;
  explicit Corpus(std::unique_ptr<Impl> impl);
  Status inOneTransaction(const std::function<Status()> &insert);
  Status insertAll(const Corpus &other);
  std::unique_ptr<Impl> impl;
};

} // namespace quincunx
