// Corpora as tests look at them: all runs at once, and the database itself. It makes no runs
// (Records.h).
#pragma once

#include "quincunx/profile/Corpus.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace quincunx::test {

inline Corpus open(const std::string &path, Corpus::Mode mode = Corpus::Mode::write) {
  auto corpus = Corpus::open(path, mode);
  EXPECT_TRUE(corpus) << corpus.error().text;
  return std::move(*corpus);
}

inline std::vector<Run> runs(const Corpus &corpus,
                             Corpus::ReadMask parts = Corpus::ReadMask::recorders) {
  std::vector<Run> out;
  const auto read = corpus.forEachRun(
      [&](Run &&run) -> Status {
        out.push_back(std::move(run));
        return Done{};
      },
      parts);
  EXPECT_TRUE(read) << read.error().text;
  return out;
}

/// Changes a database; pages of a corpus get their checksums.
inline void sql(const std::string &path, const char *text) {
  static_cast<void>(Corpus::open(path, Corpus::Mode::read)); // names the files with checksums
  sqlite3 *db = nullptr;
  ASSERT_EQ(sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                            sqlite3_vfs_find("quincunx") != nullptr ? "quincunx" : nullptr),
            SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, text, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
}

/// Makes the corpus one of format 5, whose pages had no checksums.
inline void removeChecksums(const std::string &path) {
  const std::string old = path + ".old";
  sqlite3 *db = nullptr;
  ASSERT_EQ(sqlite3_open(old.c_str(), &db), SQLITE_OK);
  std::string copy = "BEGIN;PRAGMA application_id=0x51754E78;PRAGMA user_version=5;";
  const auto append = [](void *text, int, char **values, char **) {
    static_cast<std::string *>(text)->append(values[0]).append(";");
    return 0;
  };
  sqlite3_exec(db, ("ATTACH '" + path + "' AS new").c_str(), nullptr, nullptr, nullptr);
  for (const char *query :
       {"SELECT sql FROM new.sqlite_schema WHERE sql IS NOT NULL",
        "SELECT 'INSERT INTO main.' || name || ' SELECT * FROM new.' || name FROM "
        "new.sqlite_schema WHERE type = 'table'"})
    EXPECT_EQ(sqlite3_exec(db, query, append, &copy, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  EXPECT_EQ(sqlite3_exec(db, (copy + "COMMIT").c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(db);
  sqlite3_close(db);
  std::filesystem::rename(old, path);
}

} // namespace quincunx::test
