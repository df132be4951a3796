// What functions take and return, as the machine sees it: who calls through a pointer a function of
// another type breaks the rules of C, so types tell whom a pointer may be of.
#pragma once

#include <string_view>

namespace quincunx {

/// How well a function fits a call. Types are words of the compiler's intermediate code: that of
/// the result, those of the parameters, and `.` behind them where more may follow. One letter each:
/// v nothing, p a pointer, b c s i l q integers of 1, 8, 16, 32, 64 and 128 bits, h f d x y
/// floating point of 16, 32, 64, 80 and 128 bits; what else there is stands in braces.
enum class TypeFit {
  none,   ///< they differ
  prefix, ///< it leaves parameters or its result alone, as of functions that are cast
  exact   ///< they are the same, or one of them is not known
};
TypeFit fitOfTypes(std::string_view call, std::string_view function);

} // namespace quincunx
