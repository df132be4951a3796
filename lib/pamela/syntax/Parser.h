// Expressions, by the binding of their operators, as trees. Reference: docs/12-pamela.md,
// "Grammar". It knows nothing of definitions and files.
#pragma once

#include "Lexer.h"
#include "Operators.h"

#include <optional>
#include <set>

namespace quincunx::pamela {

class Parser {
public:
  /// The words of a file, with an `end` behind them; `defined`: names that are not builtins.
  Parser(const std::vector<Token> &words, const std::string &file,
         const std::set<std::string, std::less<>> &defined);

  const Token &now() const { return tokens[at]; }
  void next() { ++at; }
  /// Takes the word when it is this one.
  bool take(std::string_view word);
  /// Takes it, or says what was expected "to" do what.
  bool expect(std::string_view word, const char *to);
  /// A name; empty and an error when there is none.
  std::string_view name(const char *of);
  /// An expression up to where it ends; null and an error when there is none.
  Tree expression();
  /// An operand of a comparison, likewise.
  Tree operand();
  /// Keeps the first error. Always false, so that one can return it.
  bool fail(const std::string &text, Place place);
  /// "expected WHAT, not 'this'", here.
  bool unexpected(const std::string &what);
  const Error &error() const { return *failed; }

private:
  using Made = std::shared_ptr<Node>;
  /// Counts how deep it is while it lives.
  struct DepthGuard;

  Made make(Op op, Place place, std::vector<Tree> args = {}, std::string_view text = {});
  Made loose(Level least);
  Made chain(Made first, const Word &op);
  Made comparison(Made left, const Word &op);
  Made negation();
  Made unary();
  Made power();
  Made primary();
  Made number();
  Made brackets();
  Made named();
  Made repetition(const Word &construct);
  Made task(const Task &construct);
  Made any();
  Made branch();
  Made select();
  bool list(std::vector<Tree> &into, std::string_view close);
  bool startsPrimary() const;
  bool endsHere() const;
  static bool endsInBranch(const Node &n);
  bool isClear(const Made &left);

  const std::vector<Token> &tokens;
  const std::string &file;
  const std::set<std::string, std::less<>> &defined;
  size_t at = 0, depth = 0;
  std::optional<Error> failed;
};

} // namespace quincunx::pamela
