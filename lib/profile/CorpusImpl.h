// What the files of the corpus share: an open database and the frames in use. Corpus.cpp opens it
// and keeps maps and facts, CorpusWrite.cpp and CorpusRead.cpp take runs in and out,
// CorpusTimings.cpp timings, CorpusSamples.cpp samples; Merge.cpp and Forget.cpp change what is
// there. Nothing is decided here.
#pragma once

#include "quincunx/profile/Corpus.h"

#include "Codec.h"
#include "Database.h"

#include <map>
#include <set>
#include <utility>

namespace quincunx {

/// As the column run.outcome says it, in the order of Outcome.
inline constexpr const char *outcomeNames[] = {"finished", "timed-out", "crashed", "cut-short"};

/// The columns that Impl::rawMap() reads.
inline constexpr const char *selectMaps =
    "SELECT hash, path, counter_count, counters_minus_map, bytes FROM map ORDER BY hash";

/// As columns of arguments have it; NULL stands for none.
std::string jsonArray(const std::vector<std::string> &items);
/// NULL for none.
void bindOptional(Query &query, const std::optional<double> &value);
std::optional<double> optionalReal(const Query &query, int column);
/// The texts of a JSON array; `query` is "SELECT value FROM json_each(?)".
Result<std::vector<std::string>> readTexts(Query &query, const std::string &json);

/// 32 lower-case hex digits.
bool parseHash(const std::string &text, Hash &out);

/// A frame of the map with that hash; `counterCount` bounds its indices, `path` is for messages.
Result<Frame> loadFrame(const Database &database, const std::string &path, int64_t id,
                        const std::string &hash, uint64_t counterCount);

/// Decoded frames by id, forgotten when they take too much memory.
class Frames {
public:
  Frames(const Database &in, const std::string &corpus) : database(in), path(corpus) {}
  /// That of a count vector of `image` in the run `name`; its counters are the image's.
  Result<const Frame *> of(int64_t id, const ImageCounts &image, const std::string &name);

private:
  const Database &database;
  const std::string &path;
  std::map<int64_t, Frame> frames;
  size_t counters = 0;
};

/// From the columns hash, path, counter_count and frame of a row, from the first on; `name` is the
/// run's.
Result<std::pair<ImageCounts, const Frame *>>
readImageRow(const Query &row, Frames &frames, const std::string &path, const std::string &name);

/// How rows that belong together are found: by an index, or, where its pages are damaged, among all
/// rows.
enum class Access : uint8_t { indexed, scanned };
/// In a FROM clause, behind a table that is found by such an index.
inline const char *notIndexed(Access access) {
  return access == Access::scanned ? "NOT INDEXED " : "";
}

/// The requests of runs, out of an open corpus that has tables for them.
class RequestReader {
public:
  RequestReader(const Database &in, const std::string &corpus, Frames &known, Access access);
  /// Reads the requests of the run with this id in the table.
  Status read(int64_t id, Run &run);

private:
  Status readSample(int64_t id, MarkedFunction &f, const std::string &name);
  Status readCounts(int64_t id, Request &request, const std::string &name);

  const std::string &path;
  Frames &frames;
  Query functions, sample, features, counts;
  Scratch scratch;
};

struct Corpus::Impl {
  std::string path;
  bool writable = false;
  Database database;

  /// The frame that new runs of a map are packed against.
  struct Current {
    int64_t id = 0;
    uint64_t uses = 0;
    Frame frame;
  };
  std::map<std::pair<Hash, bool>, Current> current; ///< of runs, and of requests

  std::set<Hash> knownMaps; ///< that were found in it

  bool selected = false;            ///< runs in the table left_out are not read
  std::set<std::string> unusedMaps; ///< of runs that are left out alone
  /// Which runs to read, by their id in `column`.
  std::string where(const char *column) const {
    return selected ? std::string("WHERE ") + column + " NOT IN (SELECT run FROM left_out) " : "";
  }
  /// Returns how many these are.
  Result<size_t> leaveOut(const std::vector<int64_t> &runs);
  Error damaged(const std::string &what) const { return damagedFile(path, what); }
  Status insertMap(const RawMap &raw, const std::string &imagePath, bool smallestPath);
  Result<RawMap> rawMap(const Query &row) const;
  Status insertRun(const Run &run);
  Status insertImage(int64_t run, const ImageCounts &image);
  Status insertRequests(int64_t run, const MarkedFunction &f,
                        const std::vector<ImageCounts> &images);
  Status insertRequest(int64_t marked, const Request &request,
                       const std::vector<ImageCounts> &images);
  Result<int64_t> imageId(const ImageCounts &image);
  Result<const Current *> frameFor(const ImageCounts &image, bool ofRequest);
  Status insertProgram(const TimedProgram &program);
  Status insertRepetition(const Timing &of, const Repetition &repetition);
  Status insertStartUp(const StartUp &startUp);
  /// The input, where it is not there yet.
  Status insertTimed(const Timing &of);
  Status insertSamples(const Timing &of, const SampledExecution &execution);
  Status mergeTimings(const Corpus &other);
  Status mergeSamples(const Corpus &other);
  Status mergeCalibration(const Corpus &other, bool isTimedThere, bool isTimedHere);
  /// From selectTimings().
  Result<std::vector<Timing>> readTimings(Query &query) const;
  /// That of the input with this id in the table; empty when it has no repetitions.
  Result<std::vector<Timing>> timingsOf(int64_t id, Access access) const;
};

} // namespace quincunx
