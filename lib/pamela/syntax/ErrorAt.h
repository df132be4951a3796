// Errors with their place in a model.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/base/Text.h"
#include "quincunx/pamela/Ast.h"

#include <string>
#include <utility>

namespace quincunx::pamela {

inline Error errorAt(const Model &model, Place at, std::string text) {
  if (at.file >= model.files.size())
    return Error{std::move(text)};
  return {std::move(text), model.files[at.file], at.line, at.column};
}

} // namespace quincunx::pamela
