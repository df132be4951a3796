// The table of held-out errors, for people and for programs.
#pragma once

#include "quincunx/estimate/Validate.h"
#include "quincunx/report/Display.h"

#include <iosfwd>

namespace quincunx {

void printValidation(const Validation &v, const Display &display, std::ostream &out);
void printValidationJson(const Validation &v, const std::string &corpus, std::ostream &out);

} // namespace quincunx
