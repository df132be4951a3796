// A thin room around SQLite: open, query, transact, and one clear line for everything that can go
// wrong. It knows files and SQL, not what a corpus is.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/base/Text.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace quincunx {

/// For a file that is not as it was written; `what` names the part.
inline Error damagedFile(const std::string &path, const std::string &what) {
  const std::string name = escape(path);
  return {name + " is damaged: " + what + "; quincunx corpus check " + name +
          " says what is lost, quincunx corpus salvage keeps the rest"};
}

class Database {
public:
  Database() = default;
  ~Database();
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;

  /// Opens the file; `writable` creates it when missing and takes the writer's lock.
  Status open(const std::string &path, bool writable);
  /// Makes commits cheap until the file is closed; call it once the file is known to be ours.
  Status beginWriting();
  Status execute(const char *sql);
  /// Before the first table of an empty file is made: its pages get checksums.
  Status addChecksums();
  bool hasChecksums() const;
  /// The last page that was not as it was written, from 1; 0: none was read yet.
  uint32_t damagedPage() const;
  /// What the last failed call means for the user.
  Error error() const;
  int64_t changes() const;

private:
  friend class Query;
  Status connect(bool writable);
  bool connectAs(const std::string &name, int flags);
  bool isComplete() const;
  /// A statement for this SQL that no query uses; nullptr when there is none.
  sqlite3_stmt *takeIdle(std::string_view sql) const;
  /// The end of a query: a writer keeps its statement for the next one, as preparing it takes more
  /// than storing a small run.
  void release(sqlite3_stmt *statement) const;

  mutable std::map<std::string, sqlite3_stmt *, std::less<>> idle; ///< by SQL
  sqlite3 *handle = nullptr;
  std::string file;
  int lock = -1;
};

/// A prepared statement. Errors are kept and told by status(), so rows can be read in a plain loop.
class Query {
public:
  Query(const Database &in, const char *sql);
  ~Query();
  Query(const Query &) = delete;
  Query &operator=(const Query &) = delete;

  /// Binds the next parameter; text and blobs must live until the next reset().
  Query &bind(int64_t value);
  Query &bind(double value);
  Query &bind(std::string_view text);
  Query &bindBlob(std::string_view bytes);
  Query &bindNull();
  /// The next row; false at the end and on an error.
  bool row();
  /// Runs to the end and makes ready for other parameters.
  Status run();
  /// Makes ready for other parameters, and forgets an error.
  Query &reset();
  Status status() const;

  int64_t integer(int column) const;
  double real(int column) const; ///< NaN for NULL
  std::string text(int column) const;
  std::string_view blob(int column) const; ///< until the next row() or reset()
  bool isNull(int column) const;

private:
  const Database &database;
  sqlite3_stmt *statement = nullptr;
  int next = 1;   ///< parameter to bind
  int result = 0; ///< of the last step or preparation
  std::string problem;
};

/// Rolls back at the end of its scope unless committed.
class Transaction {
public:
  explicit Transaction(Database &in)
      : database(in), begun(Query(database, "BEGIN IMMEDIATE").run()) {}
  ~Transaction();
  Transaction(const Transaction &) = delete;
  Transaction &operator=(const Transaction &) = delete;
  const Status &status() const { return begun; }
  Status commit();

private:
  Database &database;
  Status begun;
  bool done = false;
};

} // namespace quincunx
