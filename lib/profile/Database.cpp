// The only file that knows SQLite, with PageChecksums.cpp. Choices, and why:
//
// - While a writer is at work there is a write-ahead log beside the file: a commit then costs no
//   wait for the disk (the kernel has it, so a killed writer loses only what it had not committed),
//   and readers and the writer do not stop each other. The last close folds the log into the file
//   and goes back to a plain journal: a corpus at rest is one file, readable where nothing may be
//   written.
// - One writer: it holds a flock on the file for its lifetime, which ends with the process however
//   it ends. That descriptor is closed after SQLite's, because closing any descriptor of a file
//   drops the POSIX locks that SQLite keeps on it.
// - Pages have checksums (PageChecksums.h), where the file was made with them.
// - A stranger's file: defensive mode, no triggers, no views, no schema functions, small limits.
//
// It knows no table of the corpus (Corpus.cpp).
#include "Database.h"

#include "PageChecksums.h"

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quincunx {

namespace {

/// Longest text or blob a corpus may hold, and so the most memory one value can take.
constexpr int maxValue = 1 << 28;

void protect(sqlite3 *handle) {
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, maxValue);
  sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 100000);
  sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, 100);
  sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 20);
  sqlite3_limit(handle, SQLITE_LIMIT_VDBE_OP, 100000);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1); // VACUUM takes one
}

/// SQLite takes "file:x" and ":memory:" for more than names; a path with a slash is a path.
std::string plainPath(const std::string &path) {
  return path.starts_with('/') ? path : "./" + path;
}

/// `path` as SQLITE_OPEN_URI reads it.
std::string uri(const std::string &path) {
  static const char digits[] = "0123456789abcdef";
  std::string out = "file:";
  for (const char c : path)
    if (std::isalnum(static_cast<unsigned char>(c)) || std::strchr("/._-", c) != nullptr)
      out += c;
    else
      ((out += '%') += digits[static_cast<unsigned char>(c) >> 4]) += digits[c & 15];
  return out;
}

} // namespace

Database::~Database() {
  for (const auto &[sql, statement] : idle)
    sqlite3_finalize(statement);
  if (handle != nullptr) {
    if (lock >= 0)
      sqlite3_exec(handle, "PRAGMA journal_mode=DELETE", nullptr, nullptr, nullptr);
    sqlite3_close_v2(handle);
  }
  if (lock >= 0)
    ::close(lock);
}

Status Database::open(const std::string &path, bool writable) {
  file = path;
  const std::string name = escape(path);
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0) {
    if (!S_ISREG(info.st_mode))
      return Error{name + " is not a file"};
  } else if (!writable || errno != ENOENT) {
    return Error{"cannot open " + name + ": " + std::strerror(errno)};
  }
  if (writable) {
    lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0)
      return Error{"cannot write " + name + ": " + std::strerror(errno)};
    // Where the file system has no such locks, SQLite's own keep every transaction whole.
    if (::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      return Error{"another quincunx is writing to " + name + "; wait for it or use another file"};
  }
  return connect(writable);
}

/// Whether all there is to the corpus is in the file itself, without a log or journal beside it.
bool Database::isComplete() const {
  for (const char *suffix : {"-wal", "-journal"}) {
    struct stat info{};
    if (::stat((file + suffix).c_str(), &info) == 0 && info.st_size > 0)
      return false;
  }
  return true;
}

/// Opens and reads something; the first read undoes or completes what a killed writer left.
bool Database::connectAs(const std::string &name, int flags) {
  sqlite3_close_v2(handle);
  handle = nullptr;
  if (sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_FULLMUTEX, checksummedFiles()) !=
      SQLITE_OK)
    return false;
  sqlite3_extended_result_codes(handle, 1);
  protect(handle);
  sqlite3_busy_timeout(handle, 20000);
  return sqlite3_exec(handle, "SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr) ==
         SQLITE_OK;
}

Status Database::connect(bool writable) {
  const std::string name = plainPath(file);
  if (connectAs(name, writable ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY))
    return Done{};
  const int code = sqlite3_errcode(handle) & 0xff;
  if (!writable && (code == SQLITE_READONLY || code == SQLITE_CANTOPEN)) {
    // A killed writer left something to do, or a log cannot be made in a folder that is read-only.
    if (connectAs(name, SQLITE_OPEN_READWRITE))
      return Done{};
    if (isComplete() &&
        connectAs(uri(name) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI))
      return Done{};
  }
  return error();
}

Status Database::beginWriting() {
  return execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
}

Status Database::execute(const char *sql) {
  if (sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return error();
  return Done{};
}

Status Database::addChecksums() {
  int bytes = pageChecksumSize;
  if (sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes) != SQLITE_OK)
    return error();
  return Done{};
}

bool Database::hasChecksums() const { return pageChecks(handle).areMade; }

uint32_t Database::damagedPage() const { return pageChecks(handle).damagedPage; }

Error Database::error() const {
  const std::string name = escape(file);
  const int code = handle != nullptr ? sqlite3_extended_errcode(handle) : SQLITE_NOMEM;
  switch (code & 0xff) {
  case SQLITE_FULL:
    return {"no space left to write " + name + "; what was recorded before is kept"};
  case SQLITE_NOTADB:
    return {name + " is not a quincunx corpus"};
  case SQLITE_CORRUPT:
    return damagedFile(file, escape(sqlite3_errmsg(handle)));
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return {name + " is in use by another program; wait for it"};
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
    if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY ||
        (code & 0xff) == SQLITE_CANTOPEN)
      return {name + " was left by a killed writer and its folder cannot be written; copy it "
                     "and the files named after it to another folder"};
    return {"cannot write " + name + ": no permission"};
  case SQLITE_IOERR: {
    if (code == SQLITE_IOERR_DATA)
      return damagedFile(file, "page " + std::to_string(pageChecks(handle).damagedPage) +
                                   " is not as quincunx wrote it");
    const int reason = sqlite3_system_errno(handle);
    return {"cannot read or write " + name + ": " +
            (reason != 0 ? std::strerror(reason) : sqlite3_errmsg(handle))};
  }
  case SQLITE_TOOBIG:
    return {name + " holds a value that is too long"};
  default:
    return {name + ": " + escape(handle != nullptr ? sqlite3_errmsg(handle) : "out of memory")};
  }
}

int64_t Database::changes() const { return sqlite3_changes64(handle); }

sqlite3_stmt *Database::takeIdle(std::string_view sql) const {
  const auto at = idle.find(sql);
  if (at == idle.end())
    return nullptr;
  sqlite3_stmt *const out = at->second;
  idle.erase(at);
  return out;
}

void Database::release(sqlite3_stmt *statement) const {
  constexpr size_t most = 64;
  if (lock < 0 || statement == nullptr || idle.size() >= most) {
    sqlite3_finalize(statement);
    return;
  }
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  if (!idle.try_emplace(sqlite3_sql(statement), statement).second)
    sqlite3_finalize(statement);
}

Query::Query(const Database &in, const char *sql) : database(in) {
  statement = database.takeIdle(sql);
  if (statement != nullptr)
    return;
  result = sqlite3_prepare_v2(database.handle, sql, -1, &statement, nullptr);
  if (result != SQLITE_OK)
    problem = database.error().text;
}

Query::~Query() { database.release(statement); }

Query &Query::bind(int64_t value) {
  sqlite3_bind_int64(statement, next++, value);
  return *this;
}

Query &Query::bind(double value) {
  sqlite3_bind_double(statement, next++, value);
  return *this;
}

Query &Query::bind(std::string_view text) {
  sqlite3_bind_text64(statement, next++, text.data() != nullptr ? text.data() : "", text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Query &Query::bindBlob(std::string_view bytes) {
  sqlite3_bind_blob64(statement, next++, bytes.data(), bytes.size(), SQLITE_STATIC);
  return *this;
}

Query &Query::bindNull() {
  sqlite3_bind_null(statement, next++);
  return *this;
}

bool Query::row() {
  if (!problem.empty())
    return false;
  result = sqlite3_step(statement);
  if (result != SQLITE_ROW && result != SQLITE_DONE)
    problem = database.error().text;
  return result == SQLITE_ROW;
}

Status Query::run() {
  while (row()) {
  }
  const Status out = status();
  reset();
  return out;
}

Query &Query::reset() {
  if (statement != nullptr) { // the SQL may not fit a damaged schema
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    problem.clear();
  }
  next = 1;
  return *this;
}

Status Query::status() const {
  if (!problem.empty())
    return Error{problem};
  return Done{};
}

int64_t Query::integer(int column) const { return sqlite3_column_int64(statement, column); }

double Query::real(int column) const {
  return isNull(column) ? std::nan("") : sqlite3_column_double(statement, column);
}

std::string Query::text(int column) const {
  const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
  const int size = sqlite3_column_bytes(statement, column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<size_t>(size));
}

std::string_view Query::blob(int column) const {
  const auto *bytes = static_cast<const char *>(sqlite3_column_blob(statement, column));
  const int size = sqlite3_column_bytes(statement, column);
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, static_cast<size_t>(size));
}

bool Query::isNull(int column) const {
  return sqlite3_column_type(statement, column) == SQLITE_NULL;
}

Transaction::~Transaction() {
  if (begun && !done) {
    const Status ignored = database.execute("ROLLBACK"); // it may have been rolled back already
    static_cast<void>(ignored);
  }
}

Status Transaction::commit() {
  Status out = Query(database, "COMMIT").run();
  done = static_cast<bool>(out);
  return out;
}

} // namespace quincunx
