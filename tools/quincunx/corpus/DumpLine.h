// One line of `quincunx corpus dump`: fields between tabs, escaped. It knows no records.
#pragma once

#include "quincunx/base/Text.h"
#include "quincunx/map/Map.h"

#include <cstdio>
#include <optional>
#include <string>

namespace quincunx::tool {

/// One line under construction.
class DumpLine {
public:
  explicit DumpLine(const char *kind) : text(kind) {}
  DumpLine &operator<<(const std::string &field) {
    (text += '\t') += escapeWhole(field);
    return *this;
  }
  DumpLine &operator<<(const char *field) { return *this << std::string(field); }
  DumpLine &operator<<(double number) { return *this << exact(number); }
  DumpLine &operator<<(const std::optional<double> &number) {
    return number ? *this << *number : *this << "-";
  }
  DumpLine &operator<<(uint64_t number) {
    (text += '\t') += std::to_string(number);
    return *this;
  }
  DumpLine &operator<<(uint32_t number) { // an index
    return number == noIndex ? *this << "-" : *this << uint64_t{number};
  }
  void put() {
    text += '\n';
    std::fwrite(text.data(), 1, text.size(), stdout);
  }

private:
  std::string text;
};

/// "-" for nothing.
inline std::string orDash(const std::string &text) { return text.empty() ? "-" : text; }

} // namespace quincunx::tool
