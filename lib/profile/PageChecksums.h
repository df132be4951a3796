// Every page of a corpus ends in a checksum of the page: written with it, and verified whenever it
// is read. A flipped bit, a page in the wrong place or a file cut short is an error instead of
// another figure. The idea: SQLite leaves bytes at the end of every page to whoever wants them
// ("reserved space"), and reads and writes files through a table of functions that can be stood in
// front of. It knows files of pages, not what is in them.
#pragma once

#include <cstdint>

struct sqlite3;

namespace quincunx {

/// Bytes at the end of each page, as bytes 20 of a database's header says it; pages of databases
/// that have another number there are neither given checksums nor verified.
inline constexpr int pageChecksumSize = 8;

/// The name of the SQLite file system that does it, for sqlite3_open_v2; registered when first
/// asked for. Null when there is no memory.
const char *checksummedFiles();

/// What is known of the pages of a database that was opened through it.
struct PageChecks {
  bool areMade = false; ///< pages have checksums
  uint32_t damagedPage =
      0; ///< the last one that failed, from 1: its read ended with SQLITE_IOERR_DATA
};
PageChecks pageChecks(sqlite3 *handle);

} // namespace quincunx
