// One line of `quincunx corpus dump`: fields between tabs, escaped. It knows no records.
#pragma once

#include "quincunx/base/Text.h"
#include "quincunx/map/Map.h"

#include <cstdio>
#include <optional>
#include <string>

namespace quincunx::tool {

/// One line under construction.
class Line {
public:
  explicit Line(const char *kind) : text(kind) {}
  Line &operator<<(const std::string &field) {
    (text += '\t') += escape(field);
    return *this;
  }
  Line &operator<<(const char *field) { return *this << std::string(field); }
  Line &operator<<(double number) { return *this << exact(number); }
  Line &operator<<(const std::optional<double> &number) {
    return number ? *this << *number : *this << "-";
  }
  Line &operator<<(uint64_t number) {
    (text += '\t') += std::to_string(number);
    return *this;
  }
  Line &operator<<(uint32_t number) { // an index
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
