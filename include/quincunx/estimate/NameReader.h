// What functions are called by those who ask about them. It knows no program.
#pragma once

#include <functional>
#include <string>

namespace quincunx {

struct NameReader {
  /// A linkage name as it is written in the source.
  std::function<std::string(const std::string &)> demangle = [](const std::string &name) {
    return name;
  };
  /// What a function is called in what is said, escaped; empty: as it is written in the source.
  std::function<std::string(const std::string &linkageName)> shown{};
  /// Does a name that is shown somewhere mean this function, or may it (as others do)?
  using IsCalled = std::function<bool(const std::string &linkageName, const std::string &text)>;
  IsCalled isCalled = [](const std::string &name, const std::string &text) { return name == text; };
  IsCalled mayBeCalled = isCalled;

  /// As it is shown, escaped.
  std::string nameOf(const std::string &linkageName) const;
};

} // namespace quincunx
