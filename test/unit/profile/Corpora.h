// Corpora as tests look at them: all runs at once, and the database itself. It makes no runs
// (Records.h).
#pragma once

#include "quincunx/profile/Corpus.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace quincunx::test {

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

inline void sql(const std::string &path, const char *text) {
  sqlite3 *db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, text, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
}

} // namespace quincunx::test
