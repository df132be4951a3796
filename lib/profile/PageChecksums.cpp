// Stands between SQLite and its own file system for Unix. Only the database file itself is changed
// on its way: its log and its journal have checksums of SQLite's own, and hold pages as SQLite sees
// them. The number of a page is part of what is hashed, so that a page in the place of another is
// noticed. The header of the database says whether pages have checksums; it is a part of the first
// page, so a bit that is flipped there is noticed, too, except in the one byte that says so:
// Schema.cpp compares that with the format.
#include "PageChecksums.h"

#include "quincunx/abi/hash.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <vector>

#include <sqlite3.h>

namespace quincunx {

namespace {

/// What SQLite sees of an open database; the file of the file system below lies behind it.
struct CheckedFile {
  sqlite3_file base;
  bool hasChecksums;
  int pageSize;
  uint32_t damaged; ///< page, from 1; 0: none
};
constexpr size_t below = (sizeof(CheckedFile) + 15) / 16 * 16;

CheckedFile &of(sqlite3_file *file) { return *reinterpret_cast<CheckedFile *>(file); }

sqlite3_file *lower(sqlite3_file *file) {
  return reinterpret_cast<sqlite3_file *>(reinterpret_cast<char *>(file) + below);
}

sqlite3_vfs *lower(sqlite3_vfs *files) { return static_cast<sqlite3_vfs *>(files->pAppData); }

uint64_t checksum(const unsigned char *page, int size, uint32_t number) {
  uint64_t sum[2];
  qx_hash(page, static_cast<size_t>(size - pageChecksumSize), sum);
  return sum[0] ^ (number * 0x9e3779b97f4a7c15ULL);
}

/// Takes note of what the first bytes of a database say of its pages.
void readHeader(CheckedFile &file, const unsigned char *header) {
  const int size = header[16] << 8 | header[17];
  file.pageSize = size == 1 ? 65536 : size;
  file.hasChecksums = std::memcmp(header, "SQLite format 3", 16) == 0 &&
                      header[20] == pageChecksumSize && file.pageSize >= 512 &&
                      (file.pageSize & (file.pageSize - 1)) == 0;
}

int verify(CheckedFile &file, const unsigned char *page, int64_t offset) {
  const auto number = static_cast<uint32_t>(offset / file.pageSize + 1);
  uint64_t stored;
  std::memcpy(&stored, page + file.pageSize - pageChecksumSize, sizeof stored);
  if (stored == checksum(page, file.pageSize, number))
    return SQLITE_OK;
  file.damaged = number;
  return SQLITE_IOERR_DATA;
}

/// Bytes inside of one page: all of it is read and verified.
int readPart(sqlite3_file *at, void *out, int size, int64_t offset) {
  CheckedFile &file = of(at);
  const int64_t begin = offset - offset % file.pageSize;
  std::vector<unsigned char> page(static_cast<size_t>(file.pageSize));
  if (offset + size > begin + file.pageSize)
    return SQLITE_IOERR_READ; // SQLite never does
  const int result = lower(at)->pMethods->xRead(lower(at), page.data(), file.pageSize, begin);
  if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ)
    return result;
  std::memcpy(out, page.data() + (offset - begin), static_cast<size_t>(size));
  return verify(file, page.data(), begin);
}

int readFile(sqlite3_file *at, void *out, int size, sqlite3_int64 offset) {
  CheckedFile &file = of(at);
  // SQLite looks at the header and at its counter of changes before it holds a lock; a page is
  // whole only behind it.
  const bool isPeek = offset + size <= 100;
  if (file.hasChecksums && !isPeek && (size != file.pageSize || offset % size != 0))
    return readPart(at, out, size, offset);
  const int result = lower(at)->pMethods->xRead(lower(at), out, size, offset);
  if (offset == 0 && size >= 100 && result == SQLITE_OK)
    readHeader(file, static_cast<const unsigned char *>(out));
  if (!file.hasChecksums || isPeek || (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ))
    return result;
  // A page that is cut short is filled with zeros: SQLite would take these for its contents.
  return verify(file, static_cast<const unsigned char *>(out), offset);
}

int writeFile(sqlite3_file *at, const void *bytes, int size, sqlite3_int64 offset) {
  CheckedFile &file = of(at);
  const auto *page = static_cast<const unsigned char *>(bytes);
  if (offset == 0 && size >= 100)
    readHeader(file, page);
  if (!file.hasChecksums || size != file.pageSize || offset % size != 0)
    return lower(at)->pMethods->xWrite(lower(at), bytes, size, offset);
  std::vector<unsigned char> copy(page, page + size); // the bytes are those of SQLite's cache
  const uint64_t sum = checksum(copy.data(), size, static_cast<uint32_t>(offset / size + 1));
  std::memcpy(copy.data() + size - pageChecksumSize, &sum, sizeof sum);
  return lower(at)->pMethods->xWrite(lower(at), copy.data(), size, offset);
}

// ---- what is passed on as it is

template <auto member, class... Arguments> int pass(sqlite3_file *at, Arguments... arguments) {
  return (lower(at)->pMethods->*member)(lower(at), arguments...);
}

using Methods = sqlite3_io_methods;
/// Version 2: without memory mapping, which would read past the functions above.
const Methods methods = {
    2,
    pass<&Methods::xClose>,
    readFile,
    writeFile,
    pass<&Methods::xTruncate, sqlite3_int64>,
    pass<&Methods::xSync, int>,
    pass<&Methods::xFileSize, sqlite3_int64 *>,
    pass<&Methods::xLock, int>,
    pass<&Methods::xUnlock, int>,
    pass<&Methods::xCheckReservedLock, int *>,
    pass<&Methods::xFileControl, int, void *>,
    pass<&Methods::xSectorSize>,
    pass<&Methods::xDeviceCharacteristics>,
    pass<&Methods::xShmMap, int, int, int, void volatile **>,
    pass<&Methods::xShmLock, int, int, int>,
    [](sqlite3_file *at) { lower(at)->pMethods->xShmBarrier(lower(at)); },
    pass<&Methods::xShmUnmap, int>,
    nullptr,
    nullptr,
};

int openFile(sqlite3_vfs *files, const char *name, sqlite3_file *at, int flags, int *outFlags) {
  sqlite3_vfs *const real = lower(files);
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
    return real->xOpen(real, name, at, flags, outFlags);
  CheckedFile *const file = new (at) CheckedFile{};
  const int result = real->xOpen(real, name, lower(at), flags, outFlags);
  if (result == SQLITE_OK)
    file->base.pMethods = &methods;
  return result;
}

} // namespace

const char *checksummedFiles() {
  static sqlite3_vfs files;
  static std::once_flag once;
  static bool isRegistered = false;
  std::call_once(once, [] {
    sqlite3_vfs *const real = sqlite3_vfs_find(nullptr);
    if (real == nullptr)
      return;
    // Its functions other than open do not look at the table they are called with.
    files = *real;
    files.zName = "quincunx";
    files.pNext = nullptr;
    files.pAppData = real;
    files.szOsFile = static_cast<int>(below) + real->szOsFile;
    files.xOpen = openFile;
    isRegistered = sqlite3_vfs_register(&files, /*makeDflt=*/0) == SQLITE_OK;
  });
  return isRegistered ? files.zName : nullptr;
}

PageChecks pageChecks(sqlite3 *handle) {
  sqlite3_file *file = nullptr;
  if (handle == nullptr ||
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
      file == nullptr || file->pMethods != &methods)
    return {};
  return {of(file).hasChecksums, of(file).damaged};
}

} // namespace quincunx
