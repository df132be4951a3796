// The files that make a model: the main one and all that they include, read and cut into words.
// Reference: docs/12-pamela.md, "Grammar". It knows where definitions begin, not what they say.
#pragma once

#include "Lexer.h"

#include <memory>
#include <optional>
#include <set>

namespace quincunx::pamela {

struct ModelFile {
  std::string name; ///< as named on the command line, or the folder of the including file and more
  std::string text;
  std::vector<Token> tokens;
  std::vector<Comment> comments;
  /// For each `include` in its order, which file is to be read there; nothing when it has been.
  std::vector<std::optional<size_t>> includes;
};

struct ModelFiles {
  std::vector<std::unique_ptr<ModelFile>> files; ///< [0] is the main one
  std::set<std::string, std::less<>> defined;    ///< names that some file defines
};

/// All files of the model whose main one is `name` with this text.
Result<ModelFiles> readModelFiles(std::string text, const std::string &name);

} // namespace quincunx::pamela
