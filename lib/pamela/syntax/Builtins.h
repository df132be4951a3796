// The functions and laws that every model has, from Functions.def and Laws.def.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quincunx::pamela {

struct Builtin {
  std::string_view name;
  uint32_t least, most; ///< arguments; most 0: any number
};

inline constexpr Builtin functions[] = {
#define QUINCUNX_FUNCTION(name, least, most) {name, least, most},
#include "quincunx/pamela/Functions.def"
#undef QUINCUNX_FUNCTION
};

inline constexpr Builtin laws[] = {
#define QUINCUNX_LAW(name, least, most) {name, least, most},
#include "quincunx/pamela/Laws.def"
#undef QUINCUNX_LAW
};

/// Null when it is not among them.
inline const Builtin *named(std::span<const Builtin> all, std::string_view name) {
  for (const Builtin &b : all)
    if (b.name == name)
      return &b;
  return nullptr;
}

} // namespace quincunx::pamela
