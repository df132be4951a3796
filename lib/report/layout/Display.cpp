// Shows names on what they are read on.
#include "quincunx/report/Display.h"

#include "quincunx/base/Text.h"

namespace quincunx {

std::string Display::function(const std::string &linkageName) const {
  constexpr std::string_view sign = "…";
  const std::string known = names.of(linkageName);
  std::string name = width == 0 ? escapeWhole(known) : escape(known);
  for (size_t at = 0; !utf8 && (at = name.find(sign, at)) != std::string::npos;)
    name.replace(at, sign.size(), gap());
  return name;
}

} // namespace quincunx
