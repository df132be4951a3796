// What every report has to say beside its figures.
#pragma once

#include <string>

namespace quincunx {

struct Note {
  std::string kind; ///< one word for programs that read reports: "censored", "lost-frames", ...
  std::string text; ///< a sentence without its full stop, for people
};

} // namespace quincunx
