// The corpus as a file: opening it, its maps, its facts. What goes in and out as runs is in
// CorpusWrite.cpp and CorpusRead.cpp, the tables are in Schema.cpp, SQLite itself in Database.cpp.
// Everything read is checked, because a corpus may come from a stranger. It interprets nothing.
#include "quincunx/profile/Corpus.h"

#include "CorpusImpl.h"
#include "Schema.h"

#include <cassert>
#include <cstdlib>
#include <utility>

namespace quincunx {

Result<Corpus> Corpus::open(const std::string &path, Mode mode) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->writable = mode == Mode::write;
  if (Status s = impl->database.open(path, impl->writable); !s)
    return s.error();
  if (Status s = checkSchema(impl->database, path, impl->writable); !s)
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

bool parseHash(const std::string &text, Hash &out) {
  if (text.size() != 32 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  for (size_t i = 0; i < 2; ++i)
    out[i] = std::strtoull(text.substr(i * 16, 16).c_str(), nullptr, 16);
  return true;
}

/// Has the query a row?
static Result<bool> isThere(Query &query) {
  const bool there = query.row();
  if (const Status s = query.status(); !s)
    return s.error();
  return there;
}

// ---- maps

Status Corpus::Impl::insertMap(const RawMap &raw, const std::string &imagePath, bool smallestPath) {
  if (raw.bytes.size() > maxBlob || raw.counterCount > maxCounters)
    return Error{"the map of " + escape(imagePath) + " is too large for a corpus"};
  const Result<Map> map = decodeMap(raw);
  if (!map || (map->functions.empty() && raw.counterCount > 0))
    return Error{"the map of " + escape(imagePath) +
                 " cannot be read: " + (map ? "it holds no functions" : map.error().text)};
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

Result<bool> Corpus::hasMap(const Hash &hash) const {
  if (impl->knownMaps.contains(hash))
    return true;
  Query query(impl->database, "SELECT 1 FROM map WHERE hash = ?");
  const std::string name = hex(hash);
  Result<bool> known = isThere(query.bind(name));
  if (known && *known)
    impl->knownMaps.insert(hash);
  return known;
}

/// Columns: hash, path, counter_count, counters_minus_map, bytes.
Result<RawMap> Corpus::Impl::rawMap(const Query &row) const {
  RawMap raw;
  const int64_t count = row.integer(2);
  if (count < 0 || std::cmp_greater(count, maxCounters) ||
      !decompress(row.blob(4), mostBytes(row.blob(4)), raw.bytes))
    return damaged("map " + escape(row.text(0)));
  raw.counterCount = static_cast<uint64_t>(count);
  raw.countersMinusMap = row.integer(3);
  if (hex(raw.hash()) != row.text(0))
    return damaged("map " + escape(row.text(0)) + " has other contents than its name says");
  return raw;
}

Result<std::vector<Map>> Corpus::maps() const {
  Query missing(impl->database, "SELECT path FROM image WHERE hash NOT IN (SELECT hash FROM map) "
                                "ORDER BY path LIMIT 1");
  if (missing.row())
    return Error{escape(impl->path) + " has no map of " + escape(missing.text(0)) +
                 ", by which its runs were counted; record one more run of the same build there, "
                 "or remove them (quincunx corpus rm)"};
  if (const Status s = missing.status(); !s)
    return s.error();
  return storedMaps();
}

Result<std::vector<Map>> Corpus::storedMaps() const {
  std::vector<Map> out;
  Query query(impl->database, selectMaps);
  while (query.row()) {
    if (impl->unusedMaps.contains(query.text(0)))
      continue;
    const Result<RawMap> raw = impl->rawMap(query);
    if (!raw)
      return raw.error();
    Result<Map> map = decodeMap(*raw);
    if (!map) // damaged, or of another version
      return Error{escape(impl->path) + ": the map of " + escape(query.text(1)) +
                   " cannot be read: " + map.error().text};
    map->path = query.text(1);
    out.push_back(std::move(*map));
  }
  if (const Status s = query.status(); !s)
    return s.error();
  return out;
}

// ---- runs and facts

Result<bool> Corpus::hasRun(const std::string &identity) const {
  Query query(impl->database, "SELECT 1 FROM run WHERE identity = ?");
  return isThere(query.bind(identity));
}

Result<size_t> Corpus::runCount() const {
  const Result<int64_t> count = number(impl->database, "SELECT count(*) FROM run");
  if (!count)
    return count.error();
  return static_cast<size_t>(*count);
}

Result<std::string> Corpus::fact(const std::string &name) const {
  Query query(impl->database, "SELECT value FROM fact WHERE name = ?");
  const Result<bool> isSet = isThere(query.bind(name));
  if (!isSet)
    return isSet.error();
  return *isSet ? query.text(0) : std::string();
}

Result<std::map<std::string, std::string>> Corpus::facts() const {
  std::map<std::string, std::string> out;
  Query query(impl->database, "SELECT name, value FROM fact");
  while (query.row())
    out[query.text(0)] = query.text(1);
  if (const Status s = query.status(); !s)
    return s.error();
  return out;
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
