// The rows of a run, checked, because a corpus may come from a stranger: what they say about sizes
// is compared with limits and with each other before it is used. It interprets no counts.
#include "RunReader.h"

#include "Schema.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace quincunx {

std::optional<double> optionalReal(const Query &query, int column) {
  if (query.isNull(column))
    return std::nullopt;
  return query.real(column);
}

Result<std::vector<std::string>> readTexts(Query &query, const std::string &json) {
  std::vector<std::string> out;
  query.reset().bind(json);
  while (query.row())
    out.push_back(validUtf8(query.text(0))); // as they are where they are written as JSON
  const Status s = query.status();
  query.reset(); // before the text it is bound to ends
  if (!s)
    return s.error();
  return out;
}

static double realOrZero(const Query &query, int column) {
  return query.isNull(column) ? 0 : query.real(column);
}

RunReader::RunReader(const Database &in, const std::string &corpus, const char *which,
                     Access access)
    : path(corpus),
      runs(in, (std::string("SELECT id, identity, label, arguments, standard_input, outcome, "
                            "exit_status, start, wall, user, system, peak_memory, cycles, "
                            "instructions, branch_misses, processes, ") +
                (hasPageFaults(in) ? "page_faults, " : "NULL, ") +
                (hasOrigins(in) ? "tag, source_commit, host" : "NULL, NULL, NULL") + " FROM run " +
                which)
                   .c_str()),
      features(in, "SELECT name, value FROM feature WHERE run = ?"),
      textFeatures(in, hasTextFeatures(in) ? "SELECT name, value FROM text_feature WHERE run = ?"
                                           : "SELECT '', '' WHERE ?1 IS NULL"),
      arguments(in, "SELECT value FROM json_each(?)"),
      images(in, (std::string("SELECT hash, path, counter_count, frame, bytes, inherited, "
                              "recorders, ") +
                  (hasBuilds(in) ? "build" : "NULL") + " FROM counts " + notIndexed(access) +
                  "JOIN image ON image.id = counts.image WHERE run = ? ORDER BY hash, path")
                     .c_str()),
      frames(in, path),
      strands(in,
              (std::string(hasStrands(in) ? "SELECT bytes FROM strands " : "SELECT '' FROM run ") +
               (hasStrands(in) ? notIndexed(access) : "") +
               (hasStrands(in) ? "WHERE run = ? ORDER BY process" : "WHERE ?1 IS NULL"))
                  .c_str()),
      requestReader(in, path, frames, access) {}

RunReader &RunReader::only(int64_t id) {
  runs.reset().bind(id);
  return *this;
}

Status RunReader::readRow(Run &run) {
  run.identity = runs.text(1);
  run.label = runs.text(2);
  if (Status s = readArguments(run); !s)
    return s;
  run.standardInput = runs.text(4);
  const auto *outcome = std::find(std::begin(outcomeNames), std::end(outcomeNames), runs.text(5));
  if (outcome == std::end(outcomeNames))
    return damaged("run " + escape(run.identity) + " has no outcome this quincunx knows");
  run.outcome = static_cast<Outcome>(outcome - std::begin(outcomeNames));
  run.exitStatus = static_cast<int>(runs.integer(6));
  double *const times[] = {&run.start, &run.wall, &run.user, &run.system, &run.peakMemory};
  for (int i = 0; i < 5; ++i)
    *times[i] = realOrZero(runs, 7 + i);
  run.cycles = optionalReal(runs, 12);
  run.instructions = optionalReal(runs, 13);
  run.branchMisses = optionalReal(runs, 14);
  run.processes = static_cast<uint32_t>(runs.integer(15));
  run.pageFaults = optionalReal(runs, 16);
  std::string *const origin[] = {&run.tag, &run.commit, &run.host};
  for (int i = 0; i < 3; ++i)
    *origin[i] = runs.text(17 + i);
  for (const std::optional<double> &x :
       {std::optional(run.start), std::optional(run.wall), std::optional(run.user),
        std::optional(run.system), std::optional(run.peakMemory), run.cycles, run.instructions,
        run.branchMisses, run.pageFaults})
    if (x && !std::isfinite(*x))
      return damaged("run " + escape(run.identity) + " has a figure that is no number");
  return Done{};
}

Status RunReader::readArguments(Run &run) {
  if (runs.isNull(3))
    return Done{};
  Result<std::vector<std::string>> texts = readTexts(arguments, runs.text(3));
  if (!texts)
    return texts.error();
  run.arguments = std::move(*texts);
  return Done{};
}

Status RunReader::readFeatures(int64_t id, Run &run) {
  features.reset().bind(id);
  while (features.row()) {
    const double value = features.real(1);
    if (!std::isfinite(value))
      return damaged("run " + escape(run.identity) + " has a feature that is no number");
    run.features[features.text(0)] = value;
  }
  if (Status s = features.status(); !s)
    return s;
  textFeatures.reset().bind(id);
  while (textFeatures.row())
    run.texts[textFeatures.text(0)] = textFeatures.text(1);
  return textFeatures.status();
}

/// Images of one map are added up.
Status RunReader::readImages(int64_t id, Run &run, bool recorders) {
  images.reset().bind(id);
  while (images.row()) {
    Result<ImageCounts> image = readImage(run, recorders);
    if (!image)
      return image.error();
    if (run.images.empty() || run.images.back().map != image->map) {
      run.images.push_back(std::move(*image));
      continue;
    }
    quincunx::add(run.images.back().counts, image->counts);
    quincunx::add(run.images.back().recorders, image->recorders);
    quincunx::add(run.images.back().inherited, image->inherited);
  }
  return images.status();
}

/// The image in the current row.
Result<ImageCounts> RunReader::readImage(const Run &run, bool recorders) {
  auto row = readImageRow(images, frames, path, run.identity);
  if (!row)
    return row.error();
  auto &[image, frame] = *row;
  Status unpacked = unpackCounts(*frame, images.blob(4), image.counts, scratch);
  if (unpacked && !images.isNull(5))
    unpacked = unpackCounts(*frame, images.blob(5), image.inherited, scratch);
  if (unpacked && recorders && !images.isNull(6))
    unpacked = unpackSparse(images.blob(6), image.counterCount, image.recorders, scratch);
  if (!images.isNull(7))
    image.build = images.text(7);
  if (!unpacked)
    return damaged("run " + escape(run.identity) + ": " + unpacked.error().text);
  return std::move(image);
}

Result<bool> RunReader::next(Run &run, Corpus::ReadMask parts) {
  if (!runs.row()) {
    if (const Status s = runs.status(); !s)
      return s.error();
    return false;
  }
  const int64_t id = runs.integer(0);
  Status s = readRow(run);
  if (s)
    s = readFeatures(id, run);
  using enum Corpus::ReadMask;
  if (s && (parts == counts || parts == recorders || parts == all))
    s = readImages(id, run, parts != counts);
  if (s && (parts == requests || parts == all))
    s = requestReader.read(id, run);
  if (s && (parts == Corpus::ReadMask::strands || parts == all))
    s = readStrands(id, run);
  if (!s)
    return s.error();
  return true;
}

/// Loops that lock are so regular that a million of their events have a few kilobytes.
constexpr uint64_t mostBytesOfStrands = uint64_t{1} << 25;

Status RunReader::readStrands(int64_t id, Run &run) {
  strands.reset().bind(id);
  while (strands.row()) {
    std::vector<uint8_t> bytes;
    const bool isWhole = static_cast<bool>(
        decompress(strands.blob(0), mostBytes(strands.blob(0), mostBytesOfStrands), bytes));
    Result<ProcessStrands> process =
        isWhole ? unpackStrands(bytes) : Result<ProcessStrands>(Error{"strands cannot be read"});
    if (!process)
      return damaged("run " + escape(run.identity) + ": " + process.error().text);
    run.strands.push_back(std::move(*process));
  }
  return strands.status();
}

Result<const Frame *> Frames::of(int64_t id, const ImageCounts &image, const std::string &name) {
  auto at = frames.find(id);
  if (at == frames.end()) {
    Result<Frame> loaded = loadFrame(database, path, id, hex(image.map), image.counterCount);
    if (!loaded)
      return loaded.error();
    if (counters + loaded->size() > (size_t{1} << 23)) {
      frames.clear();
      counters = 0;
    }
    counters += loaded->size();
    at = frames.emplace(id, std::move(*loaded)).first;
  }
  const Frame &frame = at->second;
  if (frame.size() != 0 && frame.index.back() >= image.counterCount)
    return damagedFile(path, "run " + escape(name) + " counts what its image does not have");
  return &frame;
}

Result<std::pair<ImageCounts, const Frame *>>
readImageRow(const Query &row, Frames &frames, const std::string &path, const std::string &name) {
  ImageCounts image;
  const int64_t count = row.integer(2);
  if (!parseHash(row.text(0), image.map) || count < 0 || std::cmp_greater(count, maxCounters))
    return damagedFile(path, "an image of run " + escape(name));
  image.path = row.text(1);
  if (image.path.size() > longestPath)
    return damagedFile(path, "the path of an image of run " + escape(name));
  image.counterCount = static_cast<uint64_t>(count);
  const Result<const Frame *> frame = frames.of(row.integer(3), image, name);
  if (!frame)
    return frame.error();
  return std::pair(std::move(image), *frame);
}

Result<Frame> loadFrame(const Database &database, const std::string &path, int64_t id,
                        const std::string &hash, uint64_t counterCount) {
  Query query(database, "SELECT bytes FROM frame WHERE id = ? AND hash = ?");
  if (!query.bind(id).bind(hash).row())
    return query.status() ? damagedFile(path, "frame " + std::to_string(id) + " is missing")
                          : query.status().error();
  Result<Frame> frame = unpackFrame(query.blob(0), counterCount);
  if (!frame)
    return damagedFile(path, frame.error().text);
  return frame;
}

} // namespace quincunx
