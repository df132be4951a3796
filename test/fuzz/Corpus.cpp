// Corpora as files. Pages of format 6 have checksums, behind which only what Corpus::salvage does
// is reached; files of the formats before it have none, and there what SQLite accepts reaches all
// of the reader. Besides bytes, values in tables are changed: packed counts and maps behind their
// compression, hashes along with what they name.
// A corpus is refused in one line, or it is dumped, always the same, and is the same in another
// file; every verb has figures for it or refuses it in one line; and what is salvaged of it can be
// read. Files should be in memory (TMPDIR). Reference: docs/11-formats.md, docs/decisions/010.
#include "MapSections.h"
#include "Target.h"
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/profile/Corpus.h"

#include "lib/profile/Codec.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <sqlite3.h>

namespace quincunx::fuzz {

namespace {

std::string freshFile(const std::string &name) {
  const std::string path = scratchFile(name);
  for (const char *suffix : {"", "-wal", "-shm", "-journal"})
    std::filesystem::remove(path + suffix);
  return path;
}

/// The lines of a dump: facts are sets of lines, of which merging changes the order.
std::multiset<std::string> linesOf(const std::string &dump) {
  std::multiset<std::string> lines;
  for (const std::string_view line : fields(dump, '\n'))
    lines.emplace(line);
  return lines;
}

void judgeCopy(const std::string &how, const std::string &copy, const std::string &dump) {
  const Ran again = judgedCall({"corpus", "dump", copy});
  if (again.status != 0)
    wrong("what was " + how + " cannot be read", again.err);
  if (linesOf(again.out) != linesOf(dump))
    wrong("what was " + how + " is another corpus", dump + "----\n" + again.out);
}

/// What is left of it can be read; all of it, where nothing is lost.
void judgeSalvaged(const std::string &path, const Ran &dump, const Ran &check) {
  const std::string rest = freshFile("rest.qx");
  const Ran salvage = judgedCall({"corpus", "salvage", path, "-o", rest});
  if (salvage.status != 0)
    return;
  if (check.status == 0 && dump.status == 0)
    return judgeCopy("salvaged", rest, dump.out);
  if (const Ran read = judgedCall({"corpus", "dump", rest}); read.status != 0)
    wrong("what was salvaged cannot be read", read.err);
}

void judgeVerbs(const std::string &path) {
  for (const char *verb : {"report", "explain", "model", "validate"}) {
    judgedCall({verb, path, "--json"});
    judgedCall({verb, path});
  }
  judgedCall({"report", path, "--json", "--per", "request"});
  judgedCall({"report", path, "--json", "--per", "call"});
  judgedCall({"model", path, "--json", "--branch", "renewal"});
  judgedCall({"corpus", "show", path, "--json"});
  judgedCall({"corpus", "ls", path});
}

void judge(const std::string &input) {
  const std::string path = freshFile("c.qx");
  writeFile(path, input);
  const Ran dump = judgedCall({"corpus", "dump", path});
  const Ran check = call({"corpus", "check", "--json", path});
  judgeSalvaged(path, dump, check);
  if (dump.status != 0)
    return;
  if (judgedCall({"corpus", "dump", path}).out != dump.out)
    wrong("a corpus is dumped otherwise the second time", dump.out);
  const std::string other = freshFile("merged.qx");
  if (const Ran merged = judgedCall({"corpus", "merge", other, path}); merged.status == 0)
    judgeCopy("merged", other, dump.out);
  judgeVerbs(path);
  if (check.status != 0)
    return; // who writes to it may damage more
  if (const Ran scrubbed = judgedCall({"corpus", "scrub", path}); scrubbed.status == 0)
    if (const Ran read = judgedCall({"corpus", "dump", path}); read.status != 0)
      wrong("what was scrubbed cannot be read", read.err);
}

// ---- changes of values

/// A database in memory.
class Tables {
public:
  explicit Tables(const std::string &file) {
    sqlite3_open(":memory:", &handle);
    auto *const bytes = static_cast<unsigned char *>(sqlite3_malloc64(file.size() + 1));
    std::copy(file.begin(), file.end(), bytes);
    const auto size = static_cast<sqlite3_int64>(file.size());
    sqlite3_deserialize(handle, "main", bytes, size, size,
                        SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  }
  ~Tables() { sqlite3_close(handle); }
  Tables(const Tables &) = delete;
  Tables &operator=(const Tables &) = delete;

  /// Rows with text and blobs as they are; none when it is refused.
  std::vector<std::vector<std::string>> rows(const std::string &sql) {
    std::vector<std::vector<std::string>> out;
    sqlite3_stmt *statement = nullptr;
    sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, nullptr);
    while (statement != nullptr && sqlite3_step(statement) == SQLITE_ROW) {
      out.emplace_back();
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const auto *bytes = static_cast<const char *>(sqlite3_column_blob(statement, i));
        const auto size = static_cast<size_t>(sqlite3_column_bytes(statement, i));
        out.back().push_back(bytes == nullptr ? "" : std::string(bytes, size));
      }
    }
    sqlite3_finalize(statement);
    return out;
  }
  std::string file() {
    sqlite3_int64 size = 0;
    unsigned char *const bytes = sqlite3_serialize(handle, "main", &size, 0);
    std::string out(reinterpret_cast<const char *>(bytes),
                    bytes == nullptr ? 0 : static_cast<size_t>(size));
    sqlite3_free(bytes);
    return out;
  }

private:
  sqlite3 *handle = nullptr;
};

std::string blobLiteral(const std::string &bytes) {
  return "x'" + hexDigits({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}) + "'";
}

std::string textLiteral(const std::string &text) {
  return "CAST(" + blobLiteral(text) + " AS TEXT)";
}

std::string hashOf(const RawMap &raw) {
  const auto hash = raw.hash();
  return hex(hash);
}

/// Bytes of a function in a map; the map's new name goes where the old one stood.
void changeMap(Tables &tables, Random &random) {
  const auto maps = tables.rows("SELECT hash, bytes FROM map");
  if (maps.empty())
    return;
  const auto &map = random.pick(maps);
  std::vector<uint8_t> section;
  if (!decompress(map[1], maxBlob, section))
    return;
  std::vector<std::string> bodies = bodiesOf(section);
  if (bodies.empty())
    return;
  std::string &body = random.pick(bodies);
  body = changedBytes(body, random);
  const RawMap raw = sectionOf(bodies);
  const std::string bytes(raw.bytes.begin(), raw.bytes.end()), name = "'" + hashOf(raw) + "'";
  tables.rows("UPDATE OR IGNORE map SET hash = " + name + ", bytes = " +
              blobLiteral(compress(bytes, 3)) + ", size = " + std::to_string(bytes.size()) +
              ", counter_count = " + std::to_string(raw.counterCount) + ", counters_minus_map = " +
              std::to_string(raw.countersMinusMap) + " WHERE hash = " + textLiteral(map[0]));
  for (const char *table : {"image", "frame", "marked"})
    tables.rows("UPDATE " + std::string(table) + " SET hash = " + name +
                " WHERE hash = " + textLiteral(map[0]));
  if (random.oneIn(2))
    tables.rows("UPDATE image SET counter_count = " + std::to_string(raw.wordCount()) +
                " WHERE hash = " + name);
}

/// Of a blob that holds a zstd frame what is in it; the frame's length may stand before it.
std::string changedBlob(const std::string &blob, Random &random) {
  const size_t at = blob.find("\x28\xb5\x2f\xfd");
  std::vector<uint8_t> inside;
  if (at > 5 || random.oneIn(4))
    return changedBytes(blob, random);
  if (at == 0) {
    if (!decompress(blob, 1 << 20, inside))
      return changedBytes(blob, random);
    return compress(changedBytes({inside.begin(), inside.end()}, random), 3);
  }
  size_t packed = 0;
  for (size_t i = at; i-- > 0;)
    packed = packed << 7 | (static_cast<uint8_t>(blob[i]) & 0x7f);
  if (packed > blob.size() - at || !decompress(blob.substr(at, packed), 1 << 20, inside))
    return changedBytes(blob, random);
  std::string symbols(inside.begin(), inside.end()), bits = blob.substr(at + packed);
  if (!symbols.empty() && random.oneIn(2))
    symbols[random.below(symbols.size())] ^= static_cast<char>(1 + random.below(255));
  else
    bits = changedBytes(bits, random);
  std::string out;
  const std::string again = compress(symbols, 3);
  putVarint(out, again.size());
  return out + again + bits;
}

std::string otherValue(const std::string &type, const std::string &value, Random &random) {
  static constexpr const char *integers[] = {"0",
                                             "1",
                                             "-1",
                                             "2",
                                             "3",
                                             "2147483647",
                                             "4294967295",
                                             "4294967296",
                                             "9223372036854775807",
                                             "-9223372036854775808"};
  static constexpr const char *reals[] = {"0.0",  "-1.0",   "1e308", "9e999", "-9e999",
                                          "NULL", "1e-320", "0.5",   "1e18"};
  static constexpr const char *texts[] = {
      "''",    "'finished'",      "'timed-out'", "'cut-short'", "'crashed'",
      "'[1]'", "'[\"a\",\"b\"]'", "char(27)",    "char(10)"};
  if (random.oneIn(12))
    return random.oneIn(2) ? "NULL" : random.pick(texts);
  if (type == "blob")
    return blobLiteral(changedBlob(value, random));
  if (type == "integer")
    return random.oneIn(2) ? value + (random.oneIn(2) ? "+1" : "-1") : random.pick(integers);
  if (type == "real")
    return random.pick(reals);
  return random.oneIn(3) ? random.pick(texts) : textLiteral(changedBytes(value, random));
}

/// Another value in all rows that have the one that was drawn, so that no key is needed.
void changeValue(Tables &tables, Random &random) {
  const auto names = tables.rows("SELECT name FROM sqlite_schema WHERE type = 'table'");
  if (names.empty())
    return;
  const std::string name = random.pick(names)[0], table = '"' + name + '"';
  const auto columns = tables.rows("SELECT name FROM pragma_table_info(" + textLiteral(name) + ")");
  const auto counted = tables.rows("SELECT count(*) FROM " + table);
  if (columns.empty() || counted.empty() || counted[0][0] == "0")
    return;
  const std::string row = std::to_string(random.below(std::stoul(counted[0][0])));
  if (random.oneIn(10)) {
    tables.rows("DELETE FROM " + table + " WHERE rowid = (SELECT rowid FROM " + table +
                " LIMIT 1 OFFSET " + row + ")");
    return;
  }
  const std::string column = "\"" + random.pick(columns)[0] + "\"";
  const auto old = tables.rows("SELECT typeof(" + column + "), " + column + ", quote(" + column +
                               ") FROM " + table + " LIMIT 1 OFFSET " + row);
  if (!old.empty())
    tables.rows("UPDATE OR IGNORE " + table + " SET " + column + " = " +
                otherValue(old[0][0], old[0][1], random) + " WHERE " + column + " IS " + old[0][2]);
}

std::string changed(const std::string &file, Random &random) {
  Tables tables(file);
  for (size_t n = 1 + random.below(3); n > 0; --n)
    random.oneIn(4) ? changeMap(tables, random) : changeValue(tables, random);
  return tables.file();
}

} // namespace

const Target target{judge, changed};

} // namespace quincunx::fuzz
