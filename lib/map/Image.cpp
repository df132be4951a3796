// From an ELF file to its map: finds the two sections by name, then the records in the map section.
// A small reader of 64-bit little-endian ELF is enough here: headers, section names, section bytes.
// Records of relocatable objects (.o) are not linked to counters yet and may stand in several
// sections: their flow can be read, counts cannot belong to them.
#include "quincunx/map/Image.h"

#include "quincunx/abi.h"
#include "quincunx/base/Md5.h"
#include "quincunx/base/Text.h"
#include "quincunx/map/Decode.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

namespace quincunx {

namespace {

/// Holes in a file cost nothing, so a size is not believed beyond what the names of a program's
/// sections can take.
constexpr uint64_t maxSectionNames = uint64_t{1} << 26;

struct Section {
  uint64_t address = 0, offset = 0, size = 0;
};

struct Sections {
  std::optional<Section> counters;
  std::vector<Section> maps; ///< of a linked image one
  std::optional<Section> buildId;
};

template <class T> bool readAt(std::ifstream &in, uint64_t offset, T *out, size_t count = 1) {
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset));
  in.read(reinterpret_cast<char *>(out), static_cast<std::streamsize>(sizeof(T) * count));
  return static_cast<size_t>(in.gcount()) == sizeof(T) * count;
}

/// False when the file is not a well-formed ELF image.
bool findSections(std::ifstream &in, uint64_t fileSize, const Elf64_Ehdr &header, Sections &out) {
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0 ||
      header.e_shstrndx >= header.e_shnum)
    return false;
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!readAt(in, header.e_shoff, sections.data(), sections.size()))
    return false;
  const Elf64_Shdr &names = sections[header.e_shstrndx];
  if (names.sh_size > std::min(fileSize, maxSectionNames))
    return false;
  std::string text(names.sh_size, '\0');
  if (!readAt(in, names.sh_offset, text.data(), text.size()))
    return false;
  text.push_back('\0');
  uint64_t left = fileSize; // no byte belongs to two sections
  for (const Elf64_Shdr &s : sections) {
    if (s.sh_name >= text.size())
      return false;
    const char *name = text.c_str() + s.sh_name;
    const Section found{s.sh_addr, s.sh_offset, s.sh_size};
    if (std::strcmp(name, QX_COUNTER_SECTION) == 0)
      out.counters = found;
    else if (std::strcmp(name, ".note.gnu.build-id") == 0)
      out.buildId = found;
    else if (std::strcmp(name, QX_MAP_SECTION) != 0)
      continue;
    else if (found.size > left || found.offset > fileSize - found.size)
      return false;
    else
      out.maps.push_back(found), left -= found.size;
  }
  return true;
}

struct Opened {
  std::ifstream in;
  Elf64_Ehdr header;
  Sections sections;
};

Result<Opened> openElf(const std::string &path) {
  // To open a pipe or a device may wait for ever.
  if (std::error_code no;
      std::filesystem::exists(path, no) && !std::filesystem::is_regular_file(path, no))
    return Error{"not a regular file", path};
  Opened o{std::ifstream(path, std::ios::binary), {}, {}};
  if (!o.in)
    return Error{"cannot open: " + std::string(std::strerror(errno)), path};
  o.in.seekg(0, std::ios::end);
  const auto fileSize = static_cast<uint64_t>(o.in.tellg());
  if (!readAt(o.in, 0, &o.header) || std::memcmp(o.header.e_ident, ELFMAG, SELFMAG) != 0 ||
      o.header.e_ident[EI_CLASS] != ELFCLASS64 || o.header.e_ident[EI_DATA] != ELFDATA2LSB)
    return Error{"not a 64-bit ELF program", path};
  if (!findSections(o.in, fileSize, o.header, o.sections))
    return Error{"damaged ELF file", path};
  return o;
}

Error notBuilt(const std::string &path) {
  return Error{"not built with the quincunx flag; compile and link with clang "
               "--config=quincunx.cfg",
               path};
}

/// Adds the bytes of a section.
bool readSection(std::ifstream &in, const Section &s, std::vector<uint8_t> &bytes) {
  if (s.size > maxMapBytes)
    return false;
  const size_t before = bytes.size();
  bytes.resize(before + s.size);
  return readAt(in, s.offset, bytes.data() + before, s.size);
}

} // namespace

std::array<uint64_t, 2> RawMap::hash() const {
  std::array<uint64_t, 2> h{};
  qx_map_hash(bytes.data(), bytes.size(), h.data());
  return h;
}

uint64_t RawMap::wordCount() const {
  uint64_t words = counterCount;
  for (size_t at = 0; at + sizeof(qx_function_header) <= bytes.size();) {
    qx_function_header h;
    std::memcpy(&h, bytes.data() + at, sizeof h);
    const bool isFunction = h.magic == QX_FUNCTION_MAGIC && h.size >= sizeof h;
    words += isFunction ? h.recorder_words : 0;
    at += isFunction ? h.size : 8; // or padding of the linker's
  }
  return words;
}

std::string readBuild(const std::string &path) {
  Result<Opened> o = openElf(path);
  if (!o)
    return {};
  struct {
    Elf64_Nhdr header;
    char name[4];
  } note;
  uint8_t id[64];
  if (const std::optional<Section> &s = o->sections.buildId;
      s && readAt(o->in, s->offset, &note) && note.header.n_type == NT_GNU_BUILD_ID &&
      note.header.n_descsz <= sizeof id &&
      readAt(o->in, s->offset + sizeof note, id, note.header.n_descsz))
    return hexDigits({id, note.header.n_descsz});
  o->in.clear();
  o->in.seekg(0);
  return hex(md5(std::string(std::istreambuf_iterator<char>(o->in), {})));
}

Result<RawMap> readElf(const std::string &path) {
  Result<Opened> o = openElf(path);
  if (!o)
    return o.error();
  if (o->header.e_type == ET_REL)
    return Error{"an object file has no map of its own; give the linked program", path};
  if (o->sections.maps.empty() || !o->sections.counters)
    return notBuilt(path);
  const Section &map = o->sections.maps.back(), &counters = *o->sections.counters;
  RawMap raw;
  if (!readSection(o->in, map, raw.bytes))
    return Error{"damaged ELF file", path};
  raw.countersMinusMap = static_cast<int64_t>(counters.address - map.address);
  raw.counterCount = counters.size / 8;
  return raw;
}

namespace {
bool isOlder(uint32_t magic) {
  return magic < QX_FUNCTION_MAGIC && (magic & 0xffffff) == (QX_FUNCTION_MAGIC & 0xffffff);
}

/// One record of a map section.
struct Record {
  size_t at = 0; ///< of its header
  qx_function_header header;
  std::span<const uint8_t> body;
};

/// `take` gives a Status.
template <class Take> Status forEachRecord(std::span<const uint8_t> bytes, Take take) {
  for (size_t at = 0; at + sizeof(qx_function_header) <= bytes.size();) {
    qx_function_header h;
    std::memcpy(&h, bytes.data() + at, sizeof h);
    if (h.magic == 0) { // padding the linker put between records
      at += 8;
      continue;
    }
    if (isOlder(h.magic))
      return Error{"was built with an older quincunx; build the program again"};
    if (h.magic != QX_FUNCTION_MAGIC || h.size < sizeof h || h.size % 8 != 0 ||
        h.size > bytes.size() - at || h.body_size > h.size - sizeof h)
      return Error{"map section is damaged at byte " + std::to_string(at)};
    const auto body = bytes.subspan(at + sizeof h, h.body_size);
    std::array<uint64_t, 2> sum{};
    qx_hash(body.data(), body.size(), sum.data());
    if (sum[0] != h.body_hash[0] || sum[1] != h.body_hash[1])
      return Error{"map section is damaged at byte " + std::to_string(at)};
    if (Status s = take(Record{at, h, body}); !s)
      return s;
    at += h.size;
  }
  return Done{};
}

/// Calls by another name of a function are by its own: that is how everybody looks for it.
Status resolveAliases(Map &map, NameBudget &names) {
  std::map<std::string_view, const Function *> named; // null: several, or a function of that name
  for (const Function &f : map.functions)
    for (const std::string &alias : f.aliases)
      if (const auto [at, isNew] = named.try_emplace(alias, &f); !isNew)
        at->second = nullptr;
  if (named.empty())
    return Done{};
  for (const Function &f : map.functions)
    if (const auto at = named.find(f.name); at != named.end())
      at->second = nullptr;
  for (Function &f : map.functions)
    for (Call &call : f.calls)
      for (std::string *of : {&call.callee, &call.starts})
        if (const auto at = named.find(*of); at != named.end() && at->second != nullptr) {
          if (!names.take(at->second->name.size()))
            return Error{"map uses long names too often"};
          *of = at->second->name;
        }
  return Done{};
}
} // namespace

Result<Map> decodeMap(const RawMap &raw) {
  Map map;
  map.hash = raw.hash();
  // A counter takes a byte of its function's record at least (Decode.cpp).
  if (raw.counterCount > raw.bytes.size())
    return Error{"map claims more counters than its functions can have"};
  map.counterCount = static_cast<uint32_t>(raw.counterCount);
  uint64_t claimed = 0; // no counter belongs to two functions
  uint64_t words = raw.counterCount;
  NameBudget names(raw.bytes.size());
  const Status read = forEachRecord(raw.bytes, [&](const Record &r) -> Status {
    const qx_function_header &h = r.header;
    Result<Function> decoded = decode(r.body, names);
    if (!decoded)
      return decoded.error();
    Function &f = *decoded;
    const uint64_t field = r.at + offsetof(qx_function_header, counters);
    // Bytes into the counter section, modulo 2^64, as any number may stand in the file.
    const uint64_t first =
        field + static_cast<uint64_t>(h.counters) - static_cast<uint64_t>(raw.countersMinusMap);
    if (first % 8 != 0 || f.counterCount != h.counter_count ||
        first / 8 + h.counter_count > raw.counterCount ||
        (claimed += h.counter_count) > raw.counterCount)
      return Error{"function " + escape(f.name) + " claims counters that are not there"};
    if (f.recorderWords != h.recorder_words || h.recorder_words >= noIndex - words)
      return Error{"function " + escape(f.name) + " claims recorders that are not there"};
    f.firstCounter = static_cast<uint32_t>(first / 8);
    f.firstRecorder = static_cast<uint32_t>(words);
    words += h.recorder_words;
    map.functions.push_back(std::move(f));
    return Done{};
  });
  if (!read)
    return read.error();
  map.wordCount = static_cast<uint32_t>(words);
  if (const Status named = resolveAliases(map, names); !named)
    return named.error();
  return map;
}

Result<MapSources> decodeSources(const RawMap &raw) {
  MapSources sources;
  const Status read = forEachRecord(raw.bytes, [&](const Record &r) -> Status {
    Result<SourceBlocks> of = decodeSources(r.body);
    if (!of)
      return of.error();
    sources.push_back(std::move(*of));
    return Done{};
  });
  if (!read)
    return read.error();
  return sources;
}

Result<Map> readMapAlone(const std::string &path) {
  Result<Opened> o = openElf(path);
  if (!o)
    return o.error();
  if (o->sections.maps.empty())
    return notBuilt(path);
  Map map;
  uint64_t all = 0;
  for (const Section &s : o->sections.maps)
    all += s.size;
  NameBudget names(all);
  for (const Section &s : o->sections.maps) {
    std::vector<uint8_t> bytes;
    if (!readSection(o->in, s, bytes))
      return Error{"damaged ELF file", path};
    const Status read = forEachRecord(bytes, [&](const Record &r) -> Status {
      Result<Function> f = decode(r.body, names);
      if (!f)
        return f.error();
      map.functions.push_back(std::move(*f));
      return Done{};
    });
    if (!read)
      return Error{read.error().text, path};
  }
  if (const Status named = resolveAliases(map, names); !named)
    return Error{named.error().text, path};
  map.path = path;
  return map;
}

} // namespace quincunx
