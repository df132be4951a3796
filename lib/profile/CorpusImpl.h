// What the files of the corpus share: an open database and the frames in use. Corpus.cpp opens it
// and keeps maps and facts, CorpusWrite.cpp and CorpusRead.cpp take runs in and out, Merge.cpp and
// Forget.cpp change what is there. Private to the room; nothing is decided here.
#pragma once

#include "quincunx/profile/Corpus.h"

#include "quincunx/base/Text.h"

#include "Codec.h"
#include "Database.h"

#include <map>

namespace quincunx {

/// As the column run.outcome says it, in the order of Outcome.
inline constexpr const char *outcomeNames[] = {"finished", "timed-out", "crashed", "cut-short"};

/// The columns that Impl::rawMap() reads.
inline constexpr const char *selectMaps =
    "SELECT hash, path, counter_count, counters_minus_map, bytes FROM map ORDER BY hash";

inline Error damaged(const std::string &path, const std::string &what) {
  return Error{escape(path) + " is damaged: " + what};
}

/// A frame of the map with that hash; `counterCount` bounds its indices, `path` is for messages.
Result<Frame> loadFrame(const Database &database, const std::string &path, int64_t id,
                        const std::string &hash, uint64_t counterCount);

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
  std::map<Hash, Current> current;

  Error damaged(const std::string &what) const { return quincunx::damaged(path, what); }
  Status insertMap(const RawMap &raw, const std::string &imagePath, bool smallestPath);
  Result<RawMap> rawMap(const Query &row) const;
  Status insertRun(const Run &run);
  Status insertImage(int64_t run, const ImageCounts &image);
  Result<int64_t> imageId(const ImageCounts &image);
  Result<const Current *> frameFor(const ImageCounts &image);
};

} // namespace quincunx
