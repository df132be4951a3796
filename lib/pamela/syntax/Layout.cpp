// Lays out lines and comments.
// The idea: what is on one line or several is found by writing it for trial, until it is too wide
// or meets a comment at a place where there could be a new line; nothing else depends on comments,
// so the layout of its own output is that output. Reference: docs/12-pamela.md, "Layout".
#include "Layout.h"

#include <algorithm>

namespace quincunx::pamela {

namespace {

constexpr size_t lineWidth = 100;

} // namespace

bool Layout::commentBetween(Place a, Place b) const {
  const auto first =
      std::ranges::partition_point(comments, [&](const Comment &c) { return before(c.at, a); });
  return first != comments.end() && before(first->at, b);
}

/// Those in front of `until`; `blanks`: with the blank lines around them.
void Layout::takeComments(Place until, bool blanks) {
  const auto blankLine = [&](uint32_t line) {
    if (blanks && last.line != 0 && line > last.line + 1)
      lines.back().before.emplace_back();
  };
  for (; next < comments.size() && before(comments[next].at, until); ++next) {
    const Comment &c = comments[next];
    const std::string text = "%" + c.text;
    if (c.at.line == last.line) {
      std::string &behind = lines[lastLine].comment;
      behind += (behind.empty() ? "" : " ") + text;
      continue;
    }
    blankLine(c.at.line);
    lines.back().before.push_back(text);
    if (blanks)
      last = c.at;
  }
  blankLine(until.line);
}

void Layout::put(std::string_view text, Place at) {
  const bool known = at.line != 0 && at.file == 0;
  if (tries) {
    over = over || text.size() > left ||
           (known && gapped && last.line != 0 && commentBetween(last, at));
    left -= std::min(left, text.size());
  } else {
    if (known)
      takeComments(at, false);
    lines.back().code += text;
  }
  if (known) {
    last = at;
    lastLine = line();
    gapped = false;
  }
}

void Layout::newline(size_t indent) {
  lines.emplace_back();
  lines.back().indent = indent;
}

void Layout::gap() {
  put(" ");
  gapped = true;
}

void Layout::top(Place at) {
  if (at.line != 0 && at.file == 0)
    takeComments(at, true);
}

void Layout::blankBefore(size_t number) {
  std::vector<std::string> &own = lines[number].before;
  if (own.empty() || !own.front().empty())
    own.emplace(own.begin());
}

bool Layout::fits(const std::function<void()> &write, size_t tail) {
  const Place lastBefore = last;
  const size_t lineBefore = lastLine, used = indent() + lines.back().code.size() + tail;
  tries = true;
  if (lastLine != line()) // what is behind an earlier line has had its new line
    last = {};
  over = used > lineWidth;
  gapped = false;
  left = lineWidth - std::min(used, lineWidth);
  write();
  tries = gapped = false;
  last = lastBefore;
  lastLine = lineBefore;
  return !over;
}

std::string Layout::text() {
  if (!fresh())
    newline(0);
  takeComments({0, UINT32_MAX, 0}, true);
  if (!lines.back().before.empty())
    lines.back().before.pop_back(); // the end of the file is no line
  // Comments on lines that follow each other stand in one column.
  const auto inColumn = [&](size_t i) { return i < lines.size() && !lines[i].comment.empty(); };
  std::string out;
  for (size_t i = 0, column = 0; i < lines.size(); ++i) {
    const Line &l = lines[i];
    // In front of what closes, comments belong to what is closed.
    const size_t inside = l.indent + (l.code.starts_with('}') ? 2 : 0);
    for (const std::string &b : l.before)
      out += (b.empty() ? "" : std::string(inside, ' ') + b) + '\n';
    if (l.code.empty())
      continue;
    if (!inColumn(i) || i == 0 || !inColumn(i - 1) || !l.before.empty()) {
      column = 0;
      for (size_t j = i; inColumn(j) && (j == i || lines[j].before.empty()); ++j)
        column = std::max(column, lines[j].indent + lines[j].code.size() + 2);
    }
    out += std::string(l.indent, ' ') + l.code;
    if (!l.comment.empty())
      out += std::string(column - l.indent - l.code.size(), ' ') + l.comment;
    out += '\n';
  }
  return out;
}

} // namespace quincunx::pamela
