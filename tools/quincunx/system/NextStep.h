// The last line of what verbs say: what one asks next.
#pragma once

#include "quincunx/base/Text.h"

#include <ostream>
#include <string>

namespace quincunx::tool {

/// "next: quincunx report prog.qx"; `words` are what is typed behind the program's name.
inline void printNext(std::ostream &out, const std::string &words) {
  out << "next: quincunx " << printable(words) << '\n';
}

} // namespace quincunx::tool
