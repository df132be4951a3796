// The tables of offsets in docs/11-formats.md are those of the structs in abi/record.h.
#include "quincunx/abi/record.h"

#include <cstddef>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

struct Field {
  const char *name;
  size_t offset, size;
};

#define FIELD(type, name) {#name, offsetof(type, name), sizeof(type::name)}
const struct {
  const char *type;
  size_t size;
  std::vector<Field> fields;
} tables[] = {
    {"qx_raw_header",
     sizeof(qx_raw_header),
     {FIELD(qx_raw_header, magic), FIELD(qx_raw_header, version), FIELD(qx_raw_header, header_size),
      FIELD(qx_raw_header, size), FIELD(qx_raw_header, checksum), FIELD(qx_raw_header, identity)}},
    {"qx_raw_chunk",
     sizeof(qx_raw_chunk),
     {FIELD(qx_raw_chunk, kind), FIELD(qx_raw_chunk, reserved), FIELD(qx_raw_chunk, size)}},
    {"qx_live_header",
     sizeof(qx_live_header),
     {FIELD(qx_live_header, magic), FIELD(qx_live_header, version),
      FIELD(qx_live_header, header_size), FIELD(qx_live_header, used),
      FIELD(qx_live_header, identity), FIELD(qx_live_header, address), FIELD(qx_live_header, pid),
      FIELD(qx_live_header, closed), FIELD(qx_live_header, reserved)}},
};
#undef FIELD

/// The page, without blanks, which tables are aligned with.
std::string page() {
  std::ifstream in(QUINCUNX_SOURCE_DIR "/docs/11-formats.md");
  std::string text, line;
  while (std::getline(in, line)) {
    std::erase(line, ' ');
    text += line + '\n';
  }
  return text;
}

TEST(Formats, TheTablesOfOffsetsAreThoseOfTheStructs) {
  const std::string text = page();
  ASSERT_FALSE(text.empty());
  for (const auto &table : tables) {
    size_t at = text.find("|" + std::to_string(table.fields[0].offset) + "|" +
                          std::to_string(table.fields[0].size) + "|`" + table.fields[0].name +
                          "`|`" + table.type + "`");
    ASSERT_NE(at, std::string::npos) << table.type;
    size_t end = 0;
    for (const Field &f : table.fields) {
      const std::string row =
          "|" + std::to_string(f.offset) + "|" + std::to_string(f.size) + "|`" + f.name + "`|";
      EXPECT_EQ(text.substr(at, row.size()), row) << table.type;
      EXPECT_EQ(f.offset, end) << table.type << ": a hole before " << f.name;
      end = f.offset + f.size;
      at = text.find('\n', at) + 1;
    }
    EXPECT_NE(text[at], '|') << table.type << " has no more fields";
    EXPECT_EQ(end, table.size) << table.type << ": a field is left out";
  }
}

} // namespace
