// corpus_sql FILE SQL (- : the standard input): what the sqlite3 shell does, but pages that it
// writes get their checksums, so that tests can change a corpus as a stranger might who made it.
// Prints rows, columns separated by |.
#include "quincunx/profile/Corpus.h"

#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

#include <sqlite3.h>

static int print(void * /*nothing*/, int columns, char **values, char ** /*names*/) {
  for (int i = 0; i < columns; ++i)
    std::printf("%s%s", i > 0 ? "|" : "", values[i] != nullptr ? values[i] : "None");
  std::printf("\n");
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  std::string sql = argv[2];
  if (sql == "-")
    sql.assign(std::istreambuf_iterator<char>(std::cin), {});
  // makes the file system known to SQLite whose files have checksums
  static_cast<void>(quincunx::Corpus::open(argv[1], quincunx::Corpus::Mode::read));
  sqlite3 *db = nullptr;
  const bool good =
      sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                      sqlite3_vfs_find("quincunx") != nullptr ? "quincunx" : nullptr) ==
          SQLITE_OK &&
      sqlite3_exec(db, sql.c_str(), print, nullptr, nullptr) == SQLITE_OK;
  if (!good)
    std::fprintf(stderr, "corpus_sql: %s\n", sqlite3_errmsg(db));
  sqlite3_close(db);
  return good ? 0 : 1;
}
