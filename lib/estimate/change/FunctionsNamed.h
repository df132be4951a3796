// Which functions a name means, as people write it. It counts and prices nothing.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/estimate/NameReader.h"

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace quincunx {

/// "void ns::sort<int>(int*) const" without its parameters.
std::string_view withoutParameters(std::string_view name);
/// Is a function with that name in full what somebody wrote, with or without namespaces,
/// parameters, template arguments and tags of the ABI?
bool isWrittenAs(std::string_view demangled, std::string_view wanted);

/// A function that may be meant.
struct NamedFunction {
  std::string name;        ///< linkage name
  std::string file, image; ///< where its source begins, and the path of its image
  std::string instanceOf;  ///< what it is one of with others that are meant alike; empty: none
  /// Equal for builds of one function, and for instances of a template.
  std::tuple<std::string, std::string, std::string> key() const {
    return {image, file, instanceOf.empty() ? name : instanceOf};
  }
};
/// Those that are meant, ascending: as the linker has the name, as it is shown, or as it is written
/// in the source, the first of these that finds one; FILE: or IMAGE: may stand in front of it.
std::vector<size_t> functionsNamed(const std::string &name, std::span<const NamedFunction> all,
                                   const NameReader &reader);
/// Are they one function, in one build or several, or instances of one?
bool areOne(std::span<const NamedFunction> all, std::span<const size_t> found);
/// Says in words that tell them apart which of them `name` may be.
Error severalNamed(const std::string &name, std::span<const NamedFunction> all,
                   std::span<const size_t> found, const NameReader &reader);
/// Says that there is no such function, and which of `names`, in full, is nearest.
Error noneNamed(const std::string &name, const std::set<std::string> &names);

} // namespace quincunx
