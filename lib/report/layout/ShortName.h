// A demangled name as short as people say it. Reference: docs/03-runs-kept-apart.md, "Names". It
// does not know which names there are besides.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace quincunx {

/// How much of a name is said.
struct NameDetail {
  /// Template arguments: only that there are some, the first ones, more of them, all (with "std::"
  /// and what inline namespaces and namespaces without a name there are).
  enum class Templates : uint8_t { none, few, some, all };
  Templates templates = Templates::few;
  bool parameters = false; ///< what a function is called with
};

/// The line of the lambda whose class has this demangled name; 0: not known.
using LambdaLines = std::function<uint32_t(std::string_view lambda)>;

/// "vector<int>::push_back" of "std::vector<int, std::allocator<int> >::push_back(int const&)". A
/// text that is no name of a function that it can read stays as it is.
std::string shortName(const std::string &demangled, const NameDetail &detail = {},
                      const LambdaLines &lines = {});

/// The class of the lambda whose body this function is ("f()::{lambda(int)#1}"); empty: it is none.
std::string_view lambdaOf(std::string_view demangled);

} // namespace quincunx
