// What texts about models share.
#pragma once

#include "quincunx/report/Eval.h"
#include "report/layout/Sections.h"

#include <string>
#include <vector>

namespace quincunx {

/// "a, b".
std::string listed(const std::vector<std::string> &names);
std::vector<Note> notesOf(const EvaluatedModel &m);

} // namespace quincunx
