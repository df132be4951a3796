// What was sampled, as places in files: of the program itself where it was; of code of others where
// the program had called it. Nothing has a name yet.
#pragma once

#include "quincunx/map/Code.h"

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>

#include <sys/types.h>

namespace quincunx::tool {

/// A place in the code of the program.
struct SampledAddress {
  std::string file;     ///< path; empty: not known
  uint64_t address = 0; ///< as the linker numbered it
  std::string object;   ///< the library that executed, called from there; empty: the place itself
  auto operator<=>(const SampledAddress &) const = default;
};

class SampledAddresses {
public:
  /// `own`: file names of the program and of libraries that are part of it.
  explicit SampledAddresses(std::set<std::string> own);
  ~SampledAddresses();

  /// A part of a file in memory.
  struct Mapping {
    uint64_t begin = 0, size = 0, offset = 0;
  };
  void map(pid_t process, const Mapping &where, const std::string &file);
  void fork(pid_t parent, pid_t child);
  void exec(pid_t process); ///< all mappings are gone
  /// `stack`: the uppermost bytes, from the stack pointer on.
  void sample(pid_t process, uint64_t instruction, std::span<const uint8_t> stack);
  /// For so many samples there was no room.
  void lose(uint64_t number);

  /// Samples by place, which are forgotten; processes too.
  std::map<SampledAddress, uint64_t> take();

private:
  struct Object;
  struct Mapped {
    uint64_t size = 0, offset = 0;
    Object *object = nullptr;
  };
  using Process = std::map<uint64_t, Mapped>; ///< by where it begins
  Object &objectOf(const std::string &file);
  static const std::pair<const uint64_t, Mapped> *find(const Process &process, uint64_t address);

  std::set<std::string> own;
  std::map<std::string, std::unique_ptr<Object>> objects; ///< by path
  std::map<pid_t, Process> processes;
  std::map<SampledAddress, uint64_t> samples;
};

} // namespace quincunx::tool
