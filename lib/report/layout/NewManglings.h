// Linkage names that the C++ runtime does not know, as it is older than the compiler that made
// them. Reference: Itanium C++ ABI, 5.1, and what Clang adds for C++20 and 23. It demangles
// nothing.
#pragma once

#include <string>
#include <string_view>

namespace quincunx {

/// The name without what is new and says nothing of what a function is called with: what is
/// required of template arguments, and which parameter is the object.
std::string withoutNewMarks(std::string_view mangled);

/// No list of template arguments in the name has more members, nor has a pack in it.
size_t longestList(std::string_view mangled);

/// What of a mangled name stands in it as words: "ns::f<...>", where all else cannot be read.
/// Empty: nothing does.
std::string pathInName(std::string_view mangled);

} // namespace quincunx
