// Errors as lines for people.
#include "quincunx/base/Result.h"

#include "quincunx/base/Text.h"

namespace quincunx {

std::string Error::message() const {
  std::string place = escape(file);
  if (!file.empty() && line != 0)
    place += ":" + std::to_string(line) + (column != 0 ? ":" + std::to_string(column) : "");
  return printable((place.empty() ? "" : place + ": ") + "error: " + text);
}

} // namespace quincunx
