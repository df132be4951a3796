// Demangling: the only file that asks the C++ runtime for it. Reference: Itanium C++ ABI,
// abi::__cxa_demangle. Clones and other suffixes after a dot ("f.cold") are left to the runtime,
// which shows them in brackets.
#include "quincunx/report/Names.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace quincunx {

std::string demangle(const std::string &linkageName) {
  // Names of internal functions may carry their file in front ("file.c:name").
  const size_t colon = linkageName.rfind(':');
  const size_t start =
      colon != std::string::npos && linkageName.compare(colon + 1, 2, "_Z") == 0 ? colon + 1 : 0;
  if (linkageName.compare(start, 2, "_Z") != 0)
    return linkageName;
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> text(
      abi::__cxa_demangle(linkageName.c_str() + start, nullptr, nullptr, &status), std::free);
  return status == 0 && text ? linkageName.substr(0, start) + text.get() : linkageName;
}

} // namespace quincunx
