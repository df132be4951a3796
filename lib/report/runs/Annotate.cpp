// Annotates a source. The idea: a text is lines with their endings, some of which are our own
// comments. Both outputs are made from the same walk over the other lines, so that what is printed
// and what is written agree, and fresh comments replace old ones because old ones are never copied.
// It parses no C: a comment goes above the line the compiler calls a function's own.
#include "quincunx/report/Annotate.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"
#include "report/runs/LineText.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

namespace quincunx {

namespace {

constexpr std::string_view opening = "/* qx: ", closing = "*/";

/// Functions that start on one line (instances of a template) and get a comment of their own.
constexpr size_t commentsPerLine = 3;

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t n = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, n));
    text.remove_prefix(n);
  }
  return lines;
}

std::string_view ending(std::string_view line) {
  const size_t n = line.find_last_not_of("\r\n");
  return line.substr(n == std::string_view::npos ? 0 : n + 1);
}
std::string_view body(std::string_view line) {
  return line.substr(0, line.size() - ending(line).size());
}
std::string_view indent(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

/// Text that can stand in a comment: nothing in it ends the comment or continues a line.
std::string harmless(std::string s) {
  for (size_t at = 0; (at = s.find(closing, at)) != std::string::npos;)
    s.insert(at + 1, " ");
  return s;
}

std::string comment(const FunctionFigures &f, const Annotation &a) {
  static const char *const names[] = {"p50 ", ", p90 ", ", p99 ", ", p99.9 "};
  std::string s(opening);
  const Display ascii{.names = a.names};
  s += harmless(f.members.empty() ? ascii.function(f.name) : groupName(f)) + ": ";
  for (size_t i = 0; i < f.cost.percentiles.size(); ++i)
    s += names[i] + shortFigure(f.cost.percentiles[i]);
  s += " " + harmless(escape(a.unit)) + " per run, " + percent(f.share) +
       " of the program; calls per run: mean " + shortFigure(f.calls.moments.mean) + ", p99 " +
       shortFigure(f.calls.percentiles[2]);
  return s + " */";
}

/// The comments to stand above each line, by line number.
std::map<uint32_t, std::vector<std::string>> commentsOf(const Annotation &a) {
  std::map<uint32_t, std::vector<const FunctionFigures *>> starts;
  for (const FunctionFigures *f : a.functions)
    if (f->line != 0)
      starts[f->line].push_back(f);
  std::map<uint32_t, std::vector<std::string>> comments;
  for (auto &[line, functions] : starts) {
    std::stable_sort(functions.begin(), functions.end(), [](const auto *x, const auto *y) {
      return x->cost.moments.mean > y->cost.moments.mean;
    });
    for (size_t i = 0; i < std::min(commentsPerLine, functions.size()); ++i)
      comments[line].push_back(comment(*functions[i], a));
    if (functions.size() > commentsPerLine)
      comments[line].push_back(std::string(opening) + "and " +
                               std::to_string(functions.size() - commentsPerLine) +
                               " more functions that start here */");
  }
  return comments;
}

/// Calls `each` with every line that is not ours, its number, and the comments that belong above
/// it.
template <class Each> void walk(std::string_view text, const Annotation &a, Each each) {
  const auto comments = commentsOf(a);
  uint32_t number = 0;
  bool continued = false; // the line before ends in a backslash: a comment here would end a macro
  for (const std::string_view line : linesOf(text)) {
    const bool ours = isComment(line);
    if (!ours || a.countsComments)
      ++number;
    if (ours)
      continue;
    const auto found = comments.find(number);
    static const std::vector<std::string> nothing;
    each(line, number, found == comments.end() || continued ? nothing : found->second);
    continued = body(line).ends_with('\\');
  }
}

std::string gutter(const std::string &mean, const std::string &p99, const std::string &share) {
  const auto right = [](const std::string &s, size_t to) {
    return std::string(to > s.size() ? to - s.size() : 0, ' ') + s;
  };
  return right(mean, 10) + "  " + right(p99, 10) + "  " + right(share, 7);
}

std::string gutter(const LineFigures &f) {
  const LineText text(f);
  return gutter(text.mean, text.p99, text.share);
}

void explainMarks(const FileFigures &lines, std::ostream &out) {
  const auto any = [&](auto is) {
    return std::any_of(lines.begin(), lines.end(), [&](const auto &l) { return is(l.second); });
  };
  if (any([](const LineFigures &f) { return f.notAllKnown; }))
    out << "?, >=: the compiler merged or removed code of the line, whose executions are not known "
           "(-O0: all)\n";
  if (any([](const LineFigures &f) { return !f.notAllKnown && isWide(f); }))
    out << "~: the middle of an interval: calls did not return (build again to count exactly)\n";
}

} // namespace

bool isComment(std::string_view line) {
  std::string_view s = body(line);
  s.remove_prefix(indent(s).size());
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t'))
    s.remove_suffix(1);
  return s.starts_with(opening) && s.ends_with(closing) && s.find(closing) == s.size() - 2;
}

std::string withoutComments(std::string_view text) {
  std::string out;
  for (const std::string_view line : linesOf(text))
    if (!isComment(line))
      out += line;
  return out;
}

bool SourceVersion::isOf(const std::string &file, const Md5 &digest) const {
  return file == path && (md5.empty() || std::ranges::find(md5, digest) != md5.end());
}

std::optional<SourceVersion> versionOf(std::string_view text, const std::string &path,
                                       const std::vector<SourceFile> &sources) {
  const Md5 whole = md5(text), bare = md5(withoutComments(text)), unknown{};
  std::optional<SourceVersion> found;
  for (const SourceFile &s : sources) {
    if (s.path != path)
      continue;
    if (s.md5 == whole)
      return SourceVersion{path, {whole}, true};
    if (s.md5 == bare)
      found = SourceVersion{path, {bare}, false};
    else if (s.md5 == unknown && !found)
      found = SourceVersion{path, {unknown}, false};
  }
  return found;
}

std::vector<const FunctionFigures *> functionsIn(const Observed &observed,
                                                 const SourceVersion &version) {
  std::set<size_t> groups;
  for (const FunctionFigures &g : observed.groups)
    groups.insert(g.number);
  std::vector<const FunctionFigures *> out;
  for (const FunctionFigures &f : observed.functions)
    if (!groups.contains(f.group) && version.isOf(f.file, f.md5))
      out.push_back(&f);
  for (const FunctionFigures &g : observed.groups)
    if (version.isOf(g.file, g.md5))
      out.push_back(&g);
  return out;
}

void printAnnotated(std::string_view text, const Annotation &a, const Display &display,
                    std::ostream &out) {
  const std::string head = gutter("per run", "p99", "share") + "    line";
  out << (display.colour ? "\033[1m" + head + "\033[0m" : head) << "\n";
  walk(text, a, [&](std::string_view line, uint32_t number, const std::vector<std::string> &above) {
    const std::string blank = gutter("", "", "") + "        | ";
    for (const std::string &c : above)
      out << blank << cut(std::string(indent(line)), mostShown)
          << (display.colour ? "\033[36m" + c + "\033[0m" : c) << "\n";
    std::string left = gutter("", "", "");
    if (const auto found = a.lines.find(number); found != a.lines.end())
      left = gutter(found->second);
    const std::string n = std::to_string(number);
    out << left << "  " << std::string(n.size() < 6 ? 6 - n.size() : 0, ' ') << n << "| "
        << printable(body(line), mostSaid, "\\\t") << "\n";
  });
  explainMarks(a.lines, out);
}

std::string commented(std::string_view text, const Annotation &a) {
  std::string out;
  walk(text, a, [&](std::string_view line, uint32_t, const std::vector<std::string> &above) {
    for (const std::string &c : above) {
      out += indent(line);
      out += c;
      out += ending(line).empty() ? std::string_view("\n") : ending(line);
    }
    out += line;
  });
  return out;
}

} // namespace quincunx
