// Places in the source, and the files and inlined bodies they lie in. Paths are kept as the
// compiler was given them.
#pragma once

#include "quincunx/base/Index.h"

#include <array>
#include <string>

namespace quincunx {

/// A place in the source. `scope` is an index into Function::scopes (0: the function itself), which
/// gives the inline stack.
struct Location {
  uint32_t line = 0; ///< 1-based, 0: unknown
  uint32_t column = 0;
  uint32_t scope = 0;
  /// It stands for code of another file that is called here (map/Foreign.h); no map says so.
  bool called = false;
  /// Of lines of blocks and of calls, of code that was compiled with -fdebug-info-for-profiling:
  /// tells code of one line apart, as LLVM's sample profiles do; 0: the first of it, or not known.
  uint32_t discriminator = 0;
  bool operator==(const Location &) const = default;
};

/// The same line and column of the same body?
inline bool samePlace(const Location &a, const Location &b) {
  return a.line == b.line && a.column == b.column && a.scope == b.scope;
}

/// A function body that stands in this one: itself (index 0, no parent) or one inlined by the
/// compiler before counters were placed. What another file holds of a body (`#include` in the
/// middle of a function) is a scope in that body's, of the same function, with no line of its own.
struct Scope {
  uint32_t parent = noIndex;             ///< scope it was inlined into
  std::string function;                  ///< linkage name
  uint32_t file = noIndex;               ///< index into Function::files
  uint32_t line = 0;                     ///< where the function starts
  uint32_t callLine = 0, callColumn = 0; ///< where the parent calls it
  uint32_t callDiscriminator = 0;        ///< of that call
  /// Index into Map::groups of what its function is shown as a part of; no map says so.
  uint32_t group = noIndex;
  bool operator==(const Scope &) const = default;
};

struct SourceFile {
  std::string path;
  std::array<uint8_t, 16> md5{}; ///< of the file's bytes when it was compiled; all zero: unknown
  bool operator==(const SourceFile &) const = default;
};

} // namespace quincunx
