// From text to a model. The grammar is in docs/12-pamela.md. It says of a text whether it is
// PAMELA+; whether its names mean something is Check.h's.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Ast.h"

#include <string>
#include <string_view>

namespace quincunx::pamela {

/// The model in the file and in all that it includes, each file once, relative to the one that
/// includes it. An error with its place at the first thing that is not PAMELA+, when files include
/// each other in a circle, when there are brackets and constructs more than 500 deep, more than 200
/// arguments of a definition or more than 4,000,000 words.
Result<Model> parse(const std::string &path);
/// Parses a text that would be in the file `name`.
Result<Model> parseText(std::string text, const std::string &name);

/// The line of `text` that the error is about and a caret below the place, each with a newline;
/// empty when the error has no such place. At most 100 columns of the line.
std::string pointOut(const Error &error, std::string_view text);

} // namespace quincunx::pamela
