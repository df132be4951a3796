// Trees as text, on the lines of a Layout. Reference: docs/12-pamela.md, "Grammar" and "Layout". It
// knows nothing of definitions and comments.
#pragma once

#include "Layout.h"
#include "Operators.h"

#include <string_view>
#include <vector>

namespace quincunx::pamela {

/// What an expression is followed by that it could swallow.
struct Follow {
  bool factor = false;    ///< * / mod div ^: a sum would take it into its body
  bool operand = false;   ///< any operator of numbers: nobody would read it behind an if
  bool otherwise = false; ///< else: an if without one would take it
};

class Printer {
public:
  explicit Printer(Layout &layout) : out(layout) {}

  /// `tail`: columns that must follow on the same line.
  void expression(const Tree &tree, Level least, size_t tail, Follow follow = {});
  /// Behind "=" or ":": on the same line, or below when it is a chain that does not fit.
  void behind(const Tree &tree, size_t tail);

private:
  void plain(const Node &n, size_t tail, const Follow &follow);
  void parts(const Node &n, bool broken, size_t tail, const Follow &follow);
  void brackets(const Tree &tree, size_t tail, bool broken);
  void body(const Tree &tree, bool broken, size_t tail, const Follow &follow);
  void chain(const Node &n, bool broken, size_t tail, const Follow &follow);
  void list(const std::vector<Tree> &args, bool broken, std::string_view close, size_t tail);
  void repetition(const Node &n, bool broken, size_t tail, const Follow &follow);
  void named(const Node &n, bool broken, size_t tail);
  void any(const Node &n, bool broken, size_t tail, const Follow &follow);
  void branch(const Node &n, bool broken, size_t tail, const Follow &follow);
  void select(const Node &n, bool broken, size_t tail);
  void separate(bool broken, size_t indent);

  Layout &out;
  bool flat = false; ///< what is being written was found to fit on this line, with all its parts
};

} // namespace quincunx::pamela
