// Lines that are being written, and the comments that go along with them.
// Reference: docs/12-pamela.md, "Layout". It knows nothing of trees.
#pragma once

#include "quincunx/pamela/Ast.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx::pamela {

/// In one file.
inline bool before(const Place &a, const Place &b) {
  return a.line != b.line ? a.line < b.line : a.column < b.column;
}

/// Comments find their line by place: what is written says where it stood in the source. One that
/// had something in front of it on its line goes behind that, any other goes on a line of its own
/// in front of what followed it.
class Layout {
public:
  explicit Layout(std::span<const Comment> all) : comments(all), lines(1) {}

  /// Text without a newline, and where it stood when it comes from the source.
  void put(std::string_view text, Place at = {});
  void newline(size_t indent);
  /// A blank, where there could be a new line instead.
  void gap();
  /// A blank line in front of line `number` and its comments, unless there is one.
  void blankBefore(size_t number);
  /// Puts comments and blank lines that stand in the source in front of `at` in front of this line.
  void top(Place at);

  /// Would all that `write` puts fit on this line, with `tail` columns behind it, without a comment
  /// where there could be a new line? It writes nothing. Comments in front of its first word count
  /// when `write` has a gap there and they have no new line yet.
  bool fits(const std::function<void()> &write, size_t tail);
  bool measuring() const { return tries; }
  /// While measuring: it is known not to fit.
  bool tooWide() const { return over; }

  size_t indent() const { return lines.back().indent; }
  bool fresh() const { return lines.back().code.empty(); }
  size_t line() const { return lines.size() - 1; }

  /// With all comments that are left, and without blanks at the end of lines.
  std::string text();

private:
  struct Line {
    std::vector<std::string> before; ///< lines with comments; empty for a blank one
    size_t indent = 0;
    std::string code, comment;
  };
  void takeComments(Place until, bool blanks);
  bool commentBetween(Place a, Place b) const;

  std::span<const Comment> comments;
  size_t next = 0; ///< comment
  std::vector<Line> lines;
  Place last = {};     ///< in the source, of what was put
  size_t lastLine = 0; ///< on which line that is
  bool tries = false, over = false, gapped = false;
  size_t left = 0; ///< columns, while measuring
};

} // namespace quincunx::pamela
