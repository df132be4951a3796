// Calls by their encoding.
// The idea: a return address on a stack stands behind the call that pushed it, and the encodings of
// calls are few. A direct call leaves its object by a stub that jumps through a table; where it
// leads elsewhere it stayed. Bytes of another instruction may look like a call: the answer is
// "may".
#include "quincunx/map/Code.h"

#include <cstring>
#include <elf.h>
#include <fstream>

namespace quincunx {

namespace {

/// How many bytes `call r/m64` (FF /2) takes with this ModRM byte; 0: it is none.
size_t indirectCallSize(uint8_t modRm, uint8_t sib) {
  if ((modRm >> 3 & 7) != 2)
    return 0;
  const unsigned mode = modRm >> 6, base = modRm & 7;
  if (mode == 3)
    return 2;
  const bool hasSib = base == 4;
  const bool isWide = mode == 2 || (mode == 0 && (hasSib ? (sib & 7) == 5 : base == 5));
  return 2 + hasSib + (isWide ? 4 : mode == 1 ? 1 : 0);
}

} // namespace

Result<Code> Code::read(const std::string &path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const auto fileSize = in ? static_cast<uint64_t>(in.tellg()) : 0;
  in.seekg(0);
  Elf64_Ehdr header;
  if (!in.read(reinterpret_cast<char *>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_phentsize != sizeof(Elf64_Phdr))
    return Error{"not a 64-bit ELF program", path};
  Code code;
  code.isKnownProcessor = header.e_machine == EM_X86_64;
  std::vector<Elf64_Phdr> all(header.e_phnum);
  in.seekg(static_cast<std::streamoff>(header.e_phoff));
  if (!in.read(reinterpret_cast<char *>(all.data()),
               static_cast<std::streamsize>(all.size() * sizeof(Elf64_Phdr))))
    return Error{"damaged ELF file", path};
  for (const Elf64_Phdr &p : all) {
    code.hasInterpreter = code.hasInterpreter || p.p_type == PT_INTERP;
    if (p.p_type != PT_LOAD || (p.p_flags & PF_X) == 0)
      continue;
    if (p.p_filesz > fileSize)
      return Error{"damaged ELF file", path};
    Segment &s = code.segments.emplace_back();
    s.offset = p.p_offset;
    s.address = p.p_vaddr;
    s.bytes.resize(p.p_filesz);
    in.seekg(static_cast<std::streamoff>(p.p_offset));
    if (!in.read(reinterpret_cast<char *>(s.bytes.data()),
                 static_cast<std::streamsize>(s.bytes.size())))
      return Error{"damaged ELF file", path};
  }
  return code;
}

std::optional<uint64_t> Code::addressOf(uint64_t offset) const {
  for (const Segment &s : segments)
    if (offset >= s.offset && offset - s.offset < s.bytes.size())
      return offset - s.offset + s.address;
  return std::nullopt;
}

const uint8_t *Code::at(uint64_t address, uint64_t size) const {
  for (const Segment &s : segments)
    if (address >= s.address && size <= s.bytes.size() &&
        address - s.address <= s.bytes.size() - size)
      return s.bytes.data() + (address - s.address);
  return nullptr;
}

/// `jmp *table(%rip)`, with `endbr64` or `bnd` before it or not.
bool Code::isStub(uint64_t address) const {
  static constexpr uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
  if (const uint8_t *c = at(address, sizeof endbr); c && std::memcmp(c, endbr, sizeof endbr) == 0)
    address += sizeof endbr;
  if (const uint8_t *c = at(address, 1); c && *c == 0xf2)
    ++address;
  const uint8_t *c = at(address, 6);
  return c && c[0] == 0xff && c[1] == 0x25;
}

bool Code::isReturnFromOutside(uint64_t address) const {
  if (!isKnownProcessor)
    return false;
  if (const uint8_t *c = at(address - 5, 5); c && c[0] == 0xe8) {
    int32_t distance;
    std::memcpy(&distance, c + 1, sizeof distance);
    if (isStub(address + static_cast<uint64_t>(int64_t{distance})))
      return true;
  }
  for (const uint64_t size : {2, 3, 4, 6, 7})
    if (const uint8_t *c = at(address - size, size);
        c && c[0] == 0xff && indirectCallSize(c[1], size > 2 ? c[2] : 0) == size)
      return true;
  return false;
}

} // namespace quincunx
