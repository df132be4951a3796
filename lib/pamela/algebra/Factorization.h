// Factorizes sums of products into products of sums, where that is so.
#pragma once

#include "Algebra.h"

#include <optional>

namespace quincunx::pamela {

struct Term {
  Algebra::Factors factors; ///< sorted
  Coefficient weight;
};

/// Two sums whose product the terms are, if there are some that are found by trying each factor as
/// a part of one of them.
std::optional<std::pair<std::vector<Term>, std::vector<Term>>>
factorize(const std::vector<Term> &terms);

} // namespace quincunx::pamela
