// Reads the runs of an open corpus, one after the other, from the rows of all tables that make
// them. It hands them out; who reads ahead, and what is done with a run that cannot be read, is
// CorpusRead.cpp's and Salvage.cpp's.
#pragma once

#include "CorpusImpl.h"

namespace quincunx {

class RunReader {
public:
  /// All runs; and the one that only() names.
  static constexpr const char *inOrder = "ORDER BY length(label), label, identity";
  static constexpr const char *byId = "WHERE id = ?";

  RunReader(const Database &in, const std::string &corpus, const char *which,
            Access access = Access::indexed);
  /// Next comes the run with this id in the table, then the end.
  RunReader &only(int64_t id);
  /// The next run, `run` being an empty one; false at the end.
  Result<bool> next(Run &run, Corpus::ReadMask parts);

private:
  Error damaged(const std::string &what) const { return damagedFile(path, what); }
  Status readRow(Run &run);
  Status readArguments(Run &run);
  Status readFeatures(int64_t id, Run &run);
  Status readImages(int64_t id, Run &run, bool recorders);
  Result<ImageCounts> readImage(const Run &run, bool recorders);
  Status readStrands(int64_t id, Run &run);

  const std::string &path;
  Query runs, features, textFeatures, arguments, images;
  Frames frames;
  Query strands;
  RequestReader requestReader;
  Scratch scratch;
};

} // namespace quincunx
