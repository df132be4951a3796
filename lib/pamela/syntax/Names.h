// What the names of a model stand for, and which definitions name which.
// Reference: docs/12-pamela.md, "Names and kinds". Kinds are checked by Check.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Ast.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx::pamela {

/// The first definition of each name, by its number.
using Definitions = std::map<std::string, size_t, std::less<>>;
Definitions definitionsOf(const Model &model);

/// Is it a number without arguments, which may be given another value?
bool isParameter(const Definition *d);
/// What to say of a name that is given a value and is no parameter.
Error noParameter(const std::string &name);
/// What to say of a target that takes arguments.
Error takesArguments(const Definition &target);

/// The process without arguments that T_main, phi_main, delta_main, omega_main or theta_main is
/// about; nothing when the name is none of them.
std::optional<size_t> analysedBy(const Model &model, const Definitions &definitions,
                                 std::string_view name);

/// Is it such a name, and no definition?
bool isResult(const Model &model, std::string_view name);

/// Definitions in an order in which each comes behind those it names, and the circles among them,
/// which are numbers of definitions that each name the next one, the last the first.
struct Order {
  std::vector<size_t> all;
  std::vector<std::vector<size_t>> circles; ///< at most 20
};
Order orderOf(const Model &model, const Definitions &definitions);

} // namespace quincunx::pamela
