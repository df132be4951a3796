// What the reader of the standard output can show: colours on a terminal, its width, UTF-8 by the
// locale. It asks the environment and the terminal, and nothing else.
#pragma once

#include "quincunx/report/Display.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

namespace quincunx::tool {

inline std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// On a terminal, unless NO_COLOR says otherwise (no-color.org).
inline bool wantsColour() {
  return isatty(STDOUT_FILENO) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

inline bool readsUtf8() {
  std::string locale = environment("LC_ALL");
  if (locale.empty())
    locale = environment("LC_CTYPE");
  if (locale.empty())
    locale = environment("LANG");
  std::transform(locale.begin(), locale.end(), locale.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

/// Columns of the terminal, unless COLUMNS says otherwise; what is no terminal has the usual ones.
inline size_t readersWidth() {
  if (!isatty(STDOUT_FILENO))
    return Display::usualWidth;
  const std::string columns = environment("COLUMNS");
  size_t width = 0;
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  winsize window{};
  if (width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0)
    width = window.ws_col;
  return width == 0 ? Display::usualWidth : width;
}

/// The standard output; whole names are shown whole, however wide.
inline Display readersDisplay(const FunctionNames &names = FunctionNames()) {
  return {wantsColour(), readsUtf8(), names.isBrief() ? readersWidth() : 0, names};
}

} // namespace quincunx::tool
