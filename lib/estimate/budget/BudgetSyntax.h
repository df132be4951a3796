// What budgets are read by, apart from changes: those know machines and much else.
#pragma once

#include "quincunx/estimate/Budget.h"

namespace quincunx {

inline bool isBlank(char c) { return c == ' ' || c == '\t'; }

using ReadChange = Result<Change> (*)(std::string_view text);

/// Errors as those of parseBudget, without the budget's text.
Result<Budget> readBudget(std::string_view text, ReadChange readChange);

} // namespace quincunx
