// The corpus: which tables there are and what goes in and out of them. The schema below is the
// format (docs/11-formats.md explains it); `PRAGMA user_version` is its version. The idea: a run is
// one row with what people ask about in plain columns, and one blob per image for its counts,
// packed against a frame that runs share (Codec.cpp). Everything read is checked, because a corpus
// may come from a stranger. SQLite itself is in Database.cpp. It does not interpret counts and
// decides nothing about runs.
#include "quincunx/profile/Corpus.h"

#include "quincunx/base/Text.h"

#include "Codec.h"
#include "Database.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace quincunx {

namespace {

constexpr int64_t applicationId = 0x51754E78; // "QuNx"
constexpr int64_t formatVersion = 1;

const char *const schema = R"sql(
-- What holds for the whole corpus: command, machine, ...
CREATE TABLE fact (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Map sections of images. hash: 32 hex digits, the name by which counts refer to it.
CREATE TABLE map (
  hash TEXT PRIMARY KEY,
  path TEXT NOT NULL,                    -- of the image when the map was read
  counter_count INTEGER NOT NULL,        -- 64-bit words in the image's counter section
  counters_minus_map INTEGER NOT NULL,   -- distance of the two sections in bytes
  size INTEGER NOT NULL,                 -- bytes of the map section
  bytes BLOB NOT NULL                    -- the section, one zstd frame
);

-- One execution each. Times in seconds, of the instrumented program.
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  arguments TEXT,                        -- JSON array of strings; NULL: not stored
  standard_input TEXT,                   -- path; NULL: none or not stored
  outcome TEXT NOT NULL,                 -- finished, timed-out or crashed
  exit_status INTEGER NOT NULL,          -- exit code, or -signal
  start REAL,                            -- seconds since the epoch
  wall REAL, user REAL, system REAL,
  peak_memory REAL,                      -- bytes
  cycles REAL, instructions REAL, branch_misses REAL, -- user mode; NULL: not measured
  processes INTEGER NOT NULL             -- process records added up
);

-- Covariates of runs.
CREATE TABLE feature (
  run INTEGER NOT NULL REFERENCES run(id),
  name TEXT NOT NULL,
  value REAL,
  PRIMARY KEY (run, name)
) WITHOUT ROWID;

-- Images as runs met them.
CREATE TABLE image (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,                    -- of the map
  path TEXT NOT NULL,
  counter_count INTEGER NOT NULL
);
CREATE INDEX image_by_hash ON image(hash);

-- Sets of counters that runs have in common, see "Frames" in the documentation.
CREATE TABLE frame (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,                    -- of the map
  size INTEGER NOT NULL,                 -- counters in it
  bytes BLOB NOT NULL
);
CREATE INDEX frame_by_hash ON frame(hash);

-- The count vector of one image in one run, packed against a frame.
CREATE TABLE counts (
  run INTEGER NOT NULL REFERENCES run(id),
  image INTEGER NOT NULL REFERENCES image(id),
  frame INTEGER NOT NULL REFERENCES frame(id),
  hit INTEGER NOT NULL,                  -- counters that are not zero
  bytes BLOB NOT NULL,
  inherited BLOB,                        -- the same for counters at fork; NULL: all zero
  PRIMARY KEY (run, image)
);
)sql";

const char *const outcomeNames[] = {"finished", "timed-out", "crashed"};

bool parseHash(const std::string &text, Hash &out) {
  if (text.size() != 32 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  for (size_t i = 0; i < 2; ++i)
    out[i] = std::strtoull(text.substr(i * 16, 16).c_str(), nullptr, 16);
  return true;
}

std::string jsonArray(const std::vector<std::string> &items) {
  std::string out(1, '[');
  for (const std::string &item : items) {
    if (out.size() > 1)
      out += ',';
    out += jsonString(item);
  }
  return out + "]";
}

/// The lines of both texts, each once, sorted: the same whichever is merged into which.
std::string unionOfLines(const std::string &a, const std::string &b) {
  std::set<std::string_view> lines;
  for (const std::string *text : {&a, &b})
    for (std::string_view line : fields(*text, '\n'))
      if (!line.empty())
        lines.insert(line);
  std::string out;
  for (std::string_view line : lines)
    (out += out.empty() ? "" : "\n") += line;
  return out;
}

void bindOptional(Query &query, const std::optional<double> &value) {
  if (value)
    query.bind(*value);
  else
    query.bindNull();
}

std::optional<double> optionalReal(const Query &query, int column) {
  if (query.isNull(column))
    return std::nullopt;
  return query.real(column);
}

double realOrZero(const Query &query, int column) {
  return query.isNull(column) ? 0 : query.real(column);
}

} // namespace

/// Decoded frames by id, forgotten when they take too much memory.
struct FrameCache {
  std::map<int64_t, Frame> frames;
  size_t counters = 0;

  const Frame *find(int64_t id) const {
    const auto at = frames.find(id);
    return at == frames.end() ? nullptr : &at->second;
  }
  const Frame &put(int64_t id, Frame frame) {
    if (counters + frame.size() > (size_t{1} << 23)) {
      frames.clear();
      counters = 0;
    }
    counters += frame.size();
    return frames[id] = std::move(frame);
  }
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
  std::map<Hash, Current> current;

  Error damaged(const std::string &what) const {
    return Error{escape(path) + " is damaged: " + what};
  }
  int64_t number(const char *pragma) const {
    Query query(database, pragma);
    return query.row() ? query.integer(0) : 0;
  }

  Status check();
  Status create();
  Status insertMap(const RawMap &raw, const std::string &imagePath, bool smallestPath);
  Result<RawMap> rawMap(const Query &row) const;
  Status insertRun(const Run &run);
  Status insertImage(int64_t run, const ImageCounts &image);
  Result<int64_t> imageId(const ImageCounts &image);
  Result<const Current *> frameFor(const ImageCounts &image);
  Status readImages(Query &query, Run &run, FrameCache &cache, Scratch &scratch) const;
  Result<Frame> loadFrame(int64_t id, const std::string &hash, uint64_t counterCount) const;
};

Status Corpus::Impl::check() {
  const int64_t application = number("PRAGMA application_id");
  const int64_t version = number("PRAGMA user_version");
  if (application == 0 && version == 0 && writable && number("PRAGMA page_count") == 0)
    return create();
  if (application != applicationId)
    return Error{escape(path) + (number("PRAGMA page_count") == 0
                                     ? " is empty, not a quincunx corpus"
                                     : " is not a quincunx corpus")};
  if (version != formatVersion)
    return Error{escape(path) + " has corpus format " + std::to_string(version) +
                 ", this quincunx reads format " + std::to_string(formatVersion) +
                 "; use the quincunx that wrote it"};
  return Done{};
}

Status Corpus::Impl::create() {
  Transaction transaction(database);
  if (!transaction.status())
    return transaction.status();
  const std::string sql = "PRAGMA application_id=" + std::to_string(applicationId) +
                          "; PRAGMA user_version=" + std::to_string(formatVersion) + ";" + schema;
  if (Status s = database.execute(sql.c_str()); !s)
    return s;
  return transaction.commit();
}

Result<Corpus> Corpus::open(const std::string &path, Mode mode) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->writable = mode == Mode::write;
  if (Status s = impl->database.open(path, impl->writable); !s)
    return s.error();
  if (Status s = impl->check(); !s)
    return s.error();
  if (impl->writable)
    if (Status s = impl->database.beginWriting(); !s)
      return s.error();
  return Corpus(std::move(impl));
}

Corpus::Corpus(std::unique_ptr<Impl> from) : impl(std::move(from)) {}
Corpus::Corpus(Corpus &&) noexcept = default;
Corpus &Corpus::operator=(Corpus &&) noexcept = default;
Corpus::~Corpus() = default;

const std::string &Corpus::path() const { return impl->path; }

// ---- maps

Status Corpus::Impl::insertMap(const RawMap &raw, const std::string &imagePath, bool smallestPath) {
  if (raw.bytes.size() > maxBlob || raw.counterCount > maxCounters)
    return Error{"the map of " + escape(imagePath) + " is too large for a corpus"};
  const std::string bytes =
      compress({reinterpret_cast<const char *>(raw.bytes.data()), raw.bytes.size()}, 9);
  const std::string hash = hex(raw.hash());
  Query query(database, smallestPath
                            ? "INSERT INTO map VALUES(?,?,?,?,?,?) ON CONFLICT(hash) DO UPDATE "
                              "SET path = min(path, excluded.path)"
                            : "INSERT OR IGNORE INTO map VALUES(?,?,?,?,?,?)");
  return query.bind(hash)
      .bind(imagePath)
      .bind(static_cast<int64_t>(raw.counterCount))
      .bind(raw.countersMinusMap)
      .bind(static_cast<int64_t>(raw.bytes.size()))
      .bindBlob(bytes)
      .run();
}

Status Corpus::addMap(const RawMap &raw, const std::string &imagePath) {
  assert(impl->writable && "a corpus opened for reading is not written");
  return impl->insertMap(raw, imagePath, false);
}

bool Corpus::hasMap(const Hash &hash) const {
  Query query(impl->database, "SELECT 1 FROM map WHERE hash = ?");
  const std::string name = hex(hash);
  return query.bind(name).row();
}

/// Columns: hash, path, counter_count, counters_minus_map, bytes.
Result<RawMap> Corpus::Impl::rawMap(const Query &row) const {
  RawMap raw;
  const int64_t count = row.integer(2);
  if (count < 0 || static_cast<uint64_t>(count) > maxCounters ||
      !decompress(row.blob(4), maxBlob, raw.bytes))
    return damaged("map " + escape(row.text(0)));
  raw.counterCount = static_cast<uint64_t>(count);
  raw.countersMinusMap = row.integer(3);
  if (hex(raw.hash()) != row.text(0))
    return damaged("map " + escape(row.text(0)) + " has other contents than its name says");
  return raw;
}

static const char *const selectMaps =
    "SELECT hash, path, counter_count, counters_minus_map, bytes FROM map ORDER BY hash";

Result<std::vector<Map>> Corpus::maps() const {
  std::vector<Map> out;
  Query query(impl->database, selectMaps);
  while (query.row()) {
    const Result<RawMap> raw = impl->rawMap(query);
    if (!raw)
      return raw.error();
    Result<Map> map = decodeMap(*raw);
    if (!map)
      return impl->damaged("map " + query.text(0) + ": " + map.error().text);
    map->path = query.text(1);
    out.push_back(std::move(*map));
  }
  if (const Status s = query.status(); !s)
    return s.error();
  return out;
}

// ---- adding runs

Status Corpus::add(const Run &run) {
  assert(impl->writable && "a corpus opened for reading is not written");
  Transaction transaction(impl->database);
  if (!transaction.status())
    return transaction.status();
  Status added = impl->insertRun(run);
  if (added)
    added = transaction.commit();
  if (!added)
    impl->current.clear(); // frames it made are gone again
  return added;
}

Status Corpus::Impl::insertRun(const Run &run) {
  Query query(database, "INSERT OR IGNORE INTO run(identity, label, arguments, standard_input, "
                        "outcome, exit_status, start, wall, user, system, peak_memory, cycles, "
                        "instructions, branch_misses, processes) "
                        "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) RETURNING id");
  const std::string arguments = jsonArray(run.arguments);
  query.bind(run.identity).bind(run.label);
  run.arguments.empty() ? query.bindNull() : query.bind(arguments);
  run.standardInput.empty() ? query.bindNull() : query.bind(run.standardInput);
  query.bind(std::string_view(outcomeNames[static_cast<size_t>(run.outcome)]))
      .bind(int64_t{run.exitStatus});
  for (double value : {run.start, run.wall, run.user, run.system, run.peakMemory})
    query.bind(value);
  for (const auto &value : {run.cycles, run.instructions, run.branchMisses})
    bindOptional(query, value);
  query.bind(int64_t{run.processes});
  if (!query.row())
    return query.status(); // there already, or an error
  const int64_t id = query.integer(0);
  if (Status s = query.run(); !s)
    return s;
  Query feature(database, "INSERT INTO feature VALUES(?,?,?)");
  for (const auto &[name, value] : run.features)
    if (Status s = feature.bind(id).bind(name).bind(value).run(); !s)
      return s;
  for (const ImageCounts &image : run.images)
    if (Status s = insertImage(id, image); !s)
      return s;
  return Done{};
}

Status Corpus::Impl::insertImage(int64_t run, const ImageCounts &image) {
  if (image.counterCount > maxCounters)
    return Error{escape(image.path) + " has too many counters for a corpus"};
  const Result<int64_t> id = imageId(image);
  if (!id)
    return id.error();
  const Result<const Current *> frame = frameFor(image);
  if (!frame)
    return frame.error();
  const std::string bytes = packCounts((*frame)->frame, image.counts);
  const std::string inherited = packCounts((*frame)->frame, image.inherited);
  Query query(database, "INSERT INTO counts VALUES(?,?,?,?,?,?)");
  query.bind(run).bind(*id).bind((*frame)->id);
  query.bind(static_cast<int64_t>(image.counts.index.size())).bindBlob(bytes);
  image.inherited.index.empty() ? query.bindNull() : query.bindBlob(inherited);
  return query.run();
}

Result<int64_t> Corpus::Impl::imageId(const ImageCounts &image) {
  const std::string hash = hex(image.map);
  const auto count = static_cast<int64_t>(image.counterCount);
  Query find(database, "SELECT id FROM image WHERE hash = ? AND path = ? AND counter_count = ?");
  if (find.bind(hash).bind(image.path).bind(count).row())
    return find.integer(0);
  Query insert(database, "INSERT INTO image(hash, path, counter_count) VALUES(?,?,?) RETURNING id");
  if (insert.bind(hash).bind(image.path).bind(count).row())
    return insert.integer(0);
  return insert.status().error();
}

/// The frame in use, if it covers the counts; else a wider one. A frame that has served 8, 64, 512,
/// ... runs is made anew from the latest, because the run that made it may not have been typical.
Result<const Corpus::Impl::Current *> Corpus::Impl::frameFor(const ImageCounts &image) {
  const std::string hash = hex(image.map);
  Current &now = current[image.map];
  if (now.id == 0) {
    Query latest(database, "SELECT max(id) FROM frame WHERE hash = ?");
    if (latest.bind(hash).row() && !latest.isNull(0)) {
      Result<Frame> loaded = loadFrame(latest.integer(0), hash, maxCounters);
      if (!loaded)
        return loaded.error();
      now = {latest.integer(0), 9, std::move(*loaded)};
    }
  }
  const uint64_t uses = ++now.uses;
  const bool isTired = uses == 8 || uses == 64 || uses == 512 || uses == 4096;
  if (now.id != 0 && !isTired && now.frame.covers(image.counts) &&
      now.frame.covers(image.inherited))
    return &now;
  Counts all = image.counts;
  for (uint32_t index : image.inherited.index)
    if (!std::binary_search(image.counts.index.begin(), image.counts.index.end(), index))
      quincunx::add(all, {{index}, {1}});
  now.frame = adapt(now.frame, all);
  const std::string bytes = packFrame(now.frame);
  Query insert(database, "INSERT INTO frame(hash, size, bytes) VALUES(?,?,?) RETURNING id");
  insert.bind(hash).bind(static_cast<int64_t>(now.frame.size())).bindBlob(bytes);
  if (!insert.row())
    return insert.status().error();
  now.id = insert.integer(0);
  return &now;
}

bool Corpus::hasRun(const std::string &identity) const {
  Query query(impl->database, "SELECT 1 FROM run WHERE identity = ?");
  return query.bind(identity).row();
}

size_t Corpus::runCount() const {
  return static_cast<size_t>(impl->number("SELECT count(*) FROM run"));
}

// ---- reading runs

Result<Frame> Corpus::Impl::loadFrame(int64_t id, const std::string &hash,
                                      uint64_t counterCount) const {
  Query query(database, "SELECT bytes FROM frame WHERE id = ? AND hash = ?");
  if (!query.bind(id).bind(hash).row())
    return query.status() ? damaged("frame " + std::to_string(id) + " is missing")
                          : query.status().error();
  Result<Frame> frame = unpackFrame(query.blob(0), counterCount);
  if (!frame)
    return damaged(frame.error().text);
  return frame;
}

/// Columns: hash, path, counter_count, frame, bytes, inherited. Images of one map are added up.
Status Corpus::Impl::readImages(Query &query, Run &run, FrameCache &cache, Scratch &scratch) const {
  while (query.row()) {
    ImageCounts image;
    const int64_t count = query.integer(2), id = query.integer(3);
    const std::string hash = query.text(0);
    if (!parseHash(hash, image.map) || count < 0 || static_cast<uint64_t>(count) > maxCounters)
      return damaged("an image of run " + escape(run.identity));
    image.path = query.text(1);
    image.counterCount = static_cast<uint64_t>(count);
    const Frame *frame = cache.find(id);
    if (frame == nullptr) {
      Result<Frame> loaded = loadFrame(id, hash, image.counterCount);
      if (!loaded)
        return loaded.error();
      frame = &cache.put(id, std::move(*loaded));
    }
    if (frame->size() != 0 && frame->index.back() >= image.counterCount)
      return damaged("run " + escape(run.identity) + " counts what its image does not have");
    Status unpacked = unpackCounts(*frame, query.blob(4), image.counts, scratch);
    if (unpacked && !query.isNull(5))
      unpacked = unpackCounts(*frame, query.blob(5), image.inherited, scratch);
    if (!unpacked)
      return damaged("run " + escape(run.identity) + ": " + unpacked.error().text);
    if (run.images.empty() || run.images.back().map != image.map) {
      run.images.push_back(std::move(image));
      continue;
    }
    quincunx::add(run.images.back().counts, image.counts);
    quincunx::add(run.images.back().inherited, image.inherited);
  }
  return query.status();
}

static Status readArguments(Query &query, const std::string &json, std::vector<std::string> &out) {
  query.reset().bind(json);
  while (query.row())
    out.push_back(query.text(0));
  return query.status();
}

Status Corpus::forEachRun(const std::function<Status(Run &&)> &visit, bool withCounts) const {
  const Database &database = impl->database;
  Query runs(database, "SELECT id, identity, label, arguments, standard_input, outcome, "
                       "exit_status, start, wall, user, system, peak_memory, cycles, instructions, "
                       "branch_misses, processes FROM run ORDER BY identity");
  Query features(database, "SELECT name, value FROM feature WHERE run = ?");
  Query arguments(database, "SELECT value FROM json_each(?)");
  Query images(database, "SELECT hash, path, counter_count, frame, bytes, inherited FROM counts "
                         "JOIN image ON image.id = counts.image WHERE run = ? ORDER BY hash, path");
  FrameCache cache;
  Scratch scratch;
  while (runs.row()) {
    Run run;
    const int64_t id = runs.integer(0);
    run.identity = runs.text(1);
    run.label = runs.text(2);
    if (!runs.isNull(3))
      if (const Status s = readArguments(arguments, runs.text(3), run.arguments); !s)
        return s.error();
    run.standardInput = runs.text(4);
    const auto *outcome = std::find(std::begin(outcomeNames), std::end(outcomeNames), runs.text(5));
    if (outcome == std::end(outcomeNames))
      return impl->damaged("run " + escape(run.identity) + " has no outcome this quincunx knows");
    run.outcome = static_cast<Outcome>(outcome - std::begin(outcomeNames));
    run.exitStatus = static_cast<int>(runs.integer(6));
    double *const times[] = {&run.start, &run.wall, &run.user, &run.system, &run.peakMemory};
    for (int i = 0; i < 5; ++i)
      *times[i] = realOrZero(runs, 7 + i);
    run.cycles = optionalReal(runs, 12);
    run.instructions = optionalReal(runs, 13);
    run.branchMisses = optionalReal(runs, 14);
    run.processes = static_cast<uint32_t>(runs.integer(15));
    features.reset().bind(id);
    while (features.row())
      run.features[features.text(0)] = features.real(1);
    if (Status s = features.status(); !s)
      return s;
    if (withCounts)
      if (Status s = impl->readImages(images.reset().bind(id), run, cache, scratch); !s)
        return s;
    if (Status s = visit(std::move(run)); !s)
      return s;
  }
  return runs.status();
}

// ---- changing what is there

Result<size_t> Corpus::remove(const std::vector<std::string> &identities) {
  assert(impl->writable && "a corpus opened for reading is not written");
  Transaction transaction(impl->database);
  if (!transaction.status())
    return transaction.status().error();
  size_t removed = 0;
  for (const std::string &identity : identities) {
    for (const char *sql : {"DELETE FROM feature WHERE run = (SELECT id FROM run WHERE identity=?)",
                            "DELETE FROM counts WHERE run = (SELECT id FROM run WHERE identity=?)",
                            "DELETE FROM run WHERE identity = ?"})
      if (const Status s = Query(impl->database, sql).bind(identity).run(); !s)
        return s.error();
    removed += static_cast<size_t>(impl->database.changes());
  }
  for (const char *sql : {"DELETE FROM frame WHERE id NOT IN (SELECT frame FROM counts)",
                          "DELETE FROM image WHERE id NOT IN (SELECT image FROM counts)"})
    if (const Status s = impl->database.execute(sql); !s)
      return s.error();
  impl->current.clear();
  if (const Status s = transaction.commit(); !s)
    return s.error();
  // Giving space back needs space: when there is none, the file stays as long as it is.
  static_cast<void>(impl->database.execute("VACUUM"));
  return removed;
}

/// Sets a column of every row of a table to the file name of what it held.
static Status shorten(Database &database, const std::string &table, const std::string &column) {
  const std::string select = "SELECT DISTINCT " + column + " FROM " + table;
  std::vector<std::string> values;
  Query query(database, select.c_str());
  while (query.row())
    values.push_back(query.text(0));
  if (Status s = query.status(); !s)
    return s;
  const std::string update = "UPDATE " + table + " SET " + column + " = ? WHERE " + column + " = ?";
  Query change(database, update.c_str());
  for (const std::string &value : values)
    if (const std::string name = fileName(value); name != value)
      if (Status s = change.bind(name).bind(value).run(); !s)
        return s;
  return Done{};
}

Status Corpus::scrub() {
  assert(impl->writable && "a corpus opened for reading is not written");
  {
    Transaction transaction(impl->database);
    Status s = transaction.status();
    if (s)
      s = impl->database.execute("UPDATE run SET arguments = NULL, standard_input = NULL;"
                                 "DELETE FROM fact WHERE name = 'command'");
    if (s)
      s = shorten(impl->database, "run", "label");
    if (s)
      s = shorten(impl->database, "map", "path");
    if (s)
      s = shorten(impl->database, "image", "path");
    if (s)
      s = transaction.commit();
    if (!s)
      return s;
  }
  return impl->database.execute("VACUUM"); // so that the old text is not left in free pages
}

Status Corpus::merge(const Corpus &other) {
  assert(impl->writable && "a corpus opened for reading is not written");
  std::error_code ignored;
  if (std::filesystem::equivalent(impl->path, other.impl->path, ignored))
    return Done{};
  Transaction transaction(impl->database);
  Status s = transaction.status();
  if (!s)
    return s;
  Query maps(other.impl->database, selectMaps);
  while (s && maps.row()) {
    const Result<RawMap> raw = other.impl->rawMap(maps);
    s = raw ? impl->insertMap(*raw, maps.text(1), true) : Status(raw.error());
  }
  Query facts(other.impl->database, "SELECT name, value FROM fact");
  while (s && facts.row())
    s = setFact(facts.text(0), unionOfLines(fact(facts.text(0)), facts.text(1)));
  for (const Query *query : {&maps, &facts})
    if (s)
      s = query->status();
  if (s)
    s = other.forEachRun([&](Run &&run) { return impl->insertRun(run); });
  if (s)
    s = transaction.commit();
  if (!s)
    impl->current.clear();
  return s;
}

std::string Corpus::fact(const std::string &name) const {
  Query query(impl->database, "SELECT value FROM fact WHERE name = ?");
  return query.bind(name).row() ? query.text(0) : std::string();
}

Status Corpus::setFact(const std::string &name, const std::string &value) {
  assert(impl->writable && "a corpus opened for reading is not written");
  return Query(impl->database,
               "INSERT INTO fact VALUES(?,?) ON CONFLICT DO UPDATE SET value = excluded.value")
      .bind(name)
      .bind(value)
      .run();
}

} // namespace quincunx
