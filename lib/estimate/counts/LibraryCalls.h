// What functions of the C library do with functions that they are given, by their names.
#pragma once

#include <string_view>

namespace quincunx {

/// Never calls code of the program: it is given no function, and none was left with it. Functions
/// that nobody knows may.
bool callsNothingBack(std::string_view name);
/// Sorts or searches by a comparison that it is given, and calls nothing else.
bool callsComparison(std::string_view name);
/// The type of such a comparison, or not known (CallType.h).
bool isComparison(std::string_view type);
/// Leaves functions with the library that others call back then, whatever they are given.
bool leavesCallbacks(std::string_view name);

} // namespace quincunx
