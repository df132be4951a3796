// The last line of what verbs say: what one asks next.
#pragma once

#include "TerminalTraits.h"
#include "quincunx/base/Text.h"

#include <ostream>
#include <string>

namespace quincunx::tool {

/// "next: quincunx report prog.qx"; `words` are what is typed behind the program's name, and `when`
/// is said of it. What is wider than the reader stands on lines of its own, as it is to be copied.
inline void printNext(std::ostream &out, const std::string &words, const std::string &when = "") {
  const std::string command = "quincunx " + printable(words);
  const bool fits = columns("next: " + command) + columns(when) <= readersWidth();
  out << (fits ? "next: " : "next:\n  ") << command;
  if (!when.empty())
    out << (fits ? " " : "\n  ") << when;
  out << '\n';
}

} // namespace quincunx::tool
