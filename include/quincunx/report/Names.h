// Names as people wrote them. It decides nothing about what is shown.
#pragma once

#include "quincunx/base/Result.h"

#include <memory>
#include <string>

namespace quincunx {

/// A C++ linkage name as it is written in the source, any other name as it is.
std::string demangle(const std::string &linkageName);

/// A regular expression that is searched in demangled names; an empty one is found in all.
class NamePattern {
public:
  static Result<NamePattern> compile(const std::string &text);
  bool matches(const std::string &demangled) const;
  bool isEmpty() const { return compiled == nullptr; }

private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled;
};

} // namespace quincunx
