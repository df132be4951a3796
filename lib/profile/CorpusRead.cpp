// Runs on their way out of the corpus, one in memory at a time, in the order of their identities.
// Everything is checked, because a corpus may come from a stranger: what its rows say about sizes
// is compared with limits and with each other before it is used. Counts are decoded on a thread of
// their own, a few runs ahead of whoever visits them. It interprets no counts.
#include "CorpusImpl.h"
#include "Schema.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
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
    out.push_back(query.text(0));
  const Status s = query.status();
  query.reset(); // before the text it is bound to ends
  if (!s)
    return s.error();
  return out;
}

namespace {

double realOrZero(const Query &query, int column) {
  return query.isNull(column) ? 0 : query.real(column);
}

/// The rows of all tables that make a run.
class RunReader {
public:
  RunReader(const Database &in, const std::string &corpus) : database(in), path(corpus) {}

  /// The next run, `run` being an empty one; false at the end.
  Result<bool> next(Run &run, Corpus::ReadMask parts);

private:
  Error damaged(const std::string &what) const { return quincunx::damaged(path, what); }
  Status readRow(Run &run);
  Status readArguments(Run &run);
  Status readFeatures(int64_t id, Run &run);
  Status readImages(int64_t id, Run &run, bool recorders);
  Result<ImageCounts> readImage(const Run &run, bool recorders);

  const Database &database;
  const std::string &path;
  Query runs{database,
             (std::string("SELECT id, identity, label, arguments, standard_input, outcome, "
                          "exit_status, start, wall, user, system, peak_memory, cycles, "
                          "instructions, branch_misses, processes, ") +
              (hasPageFaults(database) ? "page_faults" : "NULL") +
              " FROM run ORDER BY length(label), label, identity")
                 .c_str()};
  Query features{database, "SELECT name, value FROM feature WHERE run = ?"};
  Query textFeatures{database, hasTextFeatures(database)
                                   ? "SELECT name, value FROM text_feature WHERE run = ?"
                                   : "SELECT '', '' WHERE ?1 IS NULL"};
  Query arguments{database, "SELECT value FROM json_each(?)"};
  Query images{
      database,
      "SELECT hash, path, counter_count, frame, bytes, inherited, recorders "
      "FROM counts JOIN image ON image.id = counts.image WHERE run = ? ORDER BY hash, path"};
  Frames frames{database, path};
  RequestReader requestReader{database, path, frames};
  Scratch scratch;
};

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
  while (features.row())
    run.features[features.text(0)] = features.real(1);
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
  if (!s)
    return s.error();
  return true;
}

/// Runs between the thread that decodes them and the one that visits them; at most `capacity` wait.
class Pipe {
public:
  explicit Pipe(size_t most) : capacity(most) {}
  /// False when nobody visits any more.
  bool put(Run &&run) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return waiting.size() < capacity || closed; });
    if (closed)
      return false;
    waiting.push_back(std::move(run));
    changed.notify_all();
    return true;
  }
  /// None after the last one.
  std::optional<Run> take() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !waiting.empty() || closed; });
    if (waiting.empty())
      return std::nullopt;
    std::optional<Run> run = std::move(waiting.front());
    waiting.pop_front();
    changed.notify_all();
    return run;
  }
  /// Either side: no more runs are put.
  void close() {
    const std::scoped_lock lock(mutex);
    closed = true;
    changed.notify_all();
  }

private:
  const size_t capacity;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Run> waiting;
  bool closed = false;
};

} // namespace

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
    return damaged(path, "run " + escape(name) + " counts what its image does not have");
  return &frame;
}

Result<std::pair<ImageCounts, const Frame *>>
readImageRow(const Query &row, Frames &frames, const std::string &path, const std::string &name) {
  ImageCounts image;
  const int64_t count = row.integer(2);
  if (!parseHash(row.text(0), image.map) || count < 0 || std::cmp_greater(count, maxCounters))
    return damaged(path, "an image of run " + escape(name));
  image.path = row.text(1);
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
    return query.status() ? damaged(path, "frame " + std::to_string(id) + " is missing")
                          : query.status().error();
  Result<Frame> frame = unpackFrame(query.blob(0), counterCount);
  if (!frame)
    return damaged(path, frame.error().text);
  return frame;
}

Status Corpus::forEachRun(const std::function<Status(Run &&)> &visit, ReadMask parts) const {
  const bool large = parts == ReadMask::requests || parts == ReadMask::all;
  Pipe pipe(large ? 2 : 16); // a run with its requests is a thousand count vectors
  Status read = Done{};
  std::thread reading([&] {
    RunReader reader(impl->database, impl->path);
    for (bool more = true; more;) {
      Run run;
      const Result<bool> next = reader.next(run, parts);
      if (!next)
        read = next.error();
      more = next && *next && pipe.put(std::move(run));
    }
    pipe.close();
  });
  Status visited = Done{};
  while (visited) {
    std::optional<Run> run = pipe.take();
    if (!run)
      break;
    visited = visit(std::move(*run));
  }
  pipe.close();
  reading.join();
  return visited ? read : visited;
}

} // namespace quincunx
