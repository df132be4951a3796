// From addresses in memory to places in files.
// The idea: a library that executes was called by the program, whose return address is on the stack
// above what the library has pushed there. Nothing is unwound: the first word of the stack that
// points behind a call out of the program is taken for it. A word that was left there by an earlier
// call may be mistaken for it; whether such a call is at that line is seen later, by the map.
#include "SampledAddresses.h"

#include "quincunx/base/Text.h"

#include <cstring>
#include <optional>
#include <utility>

namespace quincunx::tool {

/// A file that was mapped.
struct SampledAddresses::Object {
  std::string path;
  std::optional<Code> code; ///< of the program and its libraries
};

SampledAddresses::SampledAddresses(std::set<std::string> names) : own(std::move(names)) {}

SampledAddresses::~SampledAddresses() = default;

SampledAddresses::Object &SampledAddresses::objectOf(const std::string &file) {
  std::unique_ptr<Object> &known = objects[file];
  if (!known) {
    known = std::make_unique<Object>();
    known->path = file;
    if (own.contains(fileName(file)))
      if (Result<Code> code = Code::read(file))
        known->code = std::move(*code);
  }
  return *known;
}

void SampledAddresses::map(pid_t process, const Mapping &where, const std::string &file) {
  processes[process].insert_or_assign(where.begin,
                                      Mapped{where.size, where.offset, &objectOf(file)});
}

void SampledAddresses::fork(pid_t parent, pid_t child) {
  if (parent != child) // or it is a thread
    processes[child] = processes[parent];
}

void SampledAddresses::exec(pid_t process) { processes[process].clear(); }

const std::pair<const uint64_t, SampledAddresses::Mapped> *
SampledAddresses::find(const Process &process, uint64_t address) {
  auto at = process.upper_bound(address);
  if (at == process.begin())
    return nullptr;
  --at;
  return address - at->first < at->second.size ? &*at : nullptr;
}

void SampledAddresses::sample(pid_t id, uint64_t instruction, std::span<const uint8_t> stack) {
  const Process &process = processes[id];
  /// Of an address in the program or its libraries: the object, and the linker's number of it.
  const auto place = [&](uint64_t address) -> std::pair<const Object *, uint64_t> {
    const auto *mapped = find(process, address);
    if (mapped == nullptr || !mapped->second.object->code)
      return {};
    const uint64_t offset = address - mapped->first + mapped->second.offset;
    const std::optional<uint64_t> linked = mapped->second.object->code->addressOf(offset);
    return {linked ? mapped->second.object : nullptr, linked.value_or(0)};
  };
  if (const auto [object, address] = place(instruction); object != nullptr) {
    ++samples[{object->path, address, ""}];
    return;
  }
  const auto *mapped = find(process, instruction);
  SampledAddress at{"", 0, mapped != nullptr ? fileName(mapped->second.object->path) : "?"};
  for (size_t i = 0; i + sizeof(uint64_t) <= stack.size(); i += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, stack.data() + i, sizeof word);
    if (const auto [object, address] = place(word - 1);
        object != nullptr && object->code->isReturnFromOutside(address + 1)) {
      at.file = object->path;
      at.address = address; // within the call, which is what has its line
      break;
    }
  }
  ++samples[at];
}

/// They are of the program's time all the same.
void SampledAddresses::lose(uint64_t number) {
  if (number > 0)
    samples[{"", 0, "?"}] += number;
}

std::map<SampledAddress, uint64_t> SampledAddresses::take() {
  processes.clear();
  return std::exchange(samples, {});
}

} // namespace quincunx::tool
