// What the reader of the standard output can show: colours on a terminal, UTF-8 by the locale. It
// reads the environment and nothing else.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
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

} // namespace quincunx::tool
