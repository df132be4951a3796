// The texts of machines/*.machine, compiled in. It does not parse them.
#pragma once

#include <span>
#include <string_view>

namespace quincunx {

struct BuiltinMachine {
  std::string_view name, text; ///< of the file, without folder and ending; its bytes
};
std::span<const BuiltinMachine> builtinMachines();

} // namespace quincunx
