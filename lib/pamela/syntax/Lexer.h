// Cuts text into words: numbers, names, quoted file names, and keywords and signs; comments apart.
// Reference: docs/12-pamela.md, "Grammar". It knows no order of words.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Ast.h"

#include <string>
#include <string_view>
#include <vector>

namespace quincunx::pamela {

struct Token {
  enum class Type : uint8_t { end, number, name, quoted, word };
  Type type = Type::end;
  Place at;
  std::string_view text; ///< as it stands there; of `quoted` what is between the quotes
  double value = 0;      ///< of a number

  /// Is it this keyword or sign?
  bool is(std::string_view word) const { return type == Type::word && text == word; }
};

/// The words of `text`, which must outlive them, and an `end` behind them. `name` and `file`: for
/// errors and places. An error for what is no word, a number that no double can hold, or more than
/// 4,000,000 words.
Result<std::vector<Token>> lex(std::string_view text, const std::string &name, uint32_t file,
                               std::vector<Comment> &comments);

/// "'word'" or "the end of the file", cut when it is long: for messages.
std::string describe(const Token &token);

} // namespace quincunx::pamela
