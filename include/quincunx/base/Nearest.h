// "Did you mean ...": the candidate that is fewest edits away from a misspelt word. It is for
// messages, not for guessing what to do.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace quincunx {

/// Edits (insert, delete, replace, swap neighbours) that turn one word into the other.
size_t editDistance(std::string_view a, std::string_view b);
/// The nearest candidate, the first of several as near; empty when none is within a third of its
/// length (at least two edits).
std::string nearest(std::string_view word, std::span<const std::string> candidates);

} // namespace quincunx
