// Annotates a source. The idea: a text is lines with their endings, some of which are our own
// comments. All outputs are made from the same walk over the other lines, so that what is printed
// and what is written agree, and fresh comments replace old ones because old ones are never copied.
// It parses no C: a comment goes above the line the compiler calls a function's own.
#include "AnnotatedLines.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"
#include "report/runs/FunctionTables.h"
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

/// "p50 1.2, p90 3.4, p99 5.6 ms, 12.3 %"; of one run what it cost.
std::string costText(const SummaryStatistics &cost, double share, const char *mark,
                     const Observed &o) {
  static const char *const names[] = {"p50 ", ", p90 ", ", p99 "};
  std::string s;
  if (hasPercentiles(o))
    for (size_t i = 0; i < std::size(names); ++i)
      s += names[i] + (mark + partOf(cost.percentiles[i], o));
  else
    s = mark + shown(cost.moments.mean, o);
  return s + " " + harmless(escape(o.unit)) + ", " + percent(share);
}

std::string comment(const FunctionFigures &f, const Annotation &a) {
  const Observed &o = a.observed;
  std::string s(opening);
  const Display ascii{.names = a.names};
  s += harmless(rowName(f, ascii)) + ": ";
  if (f.total)
    s += "total " + costText(f.total->cost, f.total->share, f.total->isRecorded ? "" : "~", o) +
         "; ";
  s += "self " + costText(f.cost, f.share, "", o);
  if (const std::string calls = callsOf(f, f.calls.moments.mean); !calls.empty())
    s += "; calls " + calls;
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

constexpr size_t executedWidth = 10, costWidth = 10, shareWidth = 7;

std::string gutter(const std::string &executed, const std::string &p50, const std::string &p99,
                   const std::string &share) {
  const auto right = [](const std::string &s, size_t to) {
    return std::string(to > s.size() ? to - s.size() : 0, ' ') + s;
  };
  return right(executed, executedWidth) + right(p50, costWidth) + right(p99, costWidth) + "  " +
         right(share, shareWidth);
}

/// Lines that make much of the mean cost stand out.
const char *colourOf(double share) {
  return share >= 0.1 ? "\033[31m" : share >= 0.01 ? "\033[33m" : nullptr;
}

} // namespace

void forEachLine(std::string_view text, const Annotation &a, const TakeLine &take) {
  const auto comments = commentsOf(a);
  uint32_t number = 0;
  bool continued = false; // the line before ends in a backslash: a comment here would end a macro
  for (const std::string_view line : linesOf(text)) {
    const bool ours = isComment(line);
    if (!ours || a.countsComments)
      ++number;
    if (ours)
      continue;
    static const std::vector<std::string> nothing;
    const auto above = comments.find(number);
    const auto figures = a.lines.find(number);
    take({body(line), ending(line), number,
          above == comments.end() || continued ? nothing : above->second,
          figures == a.lines.end() ? nullptr : &figures->second});
    continued = body(line).ends_with('\\');
  }
}

std::array<std::string, 4> cellsOf(const LineFigures &f, const Observed &o) {
  const LineText text(f);
  return {text.mean, partOf(f.costP50, o), partOf(f.costP99, o), text.share};
}

std::vector<std::string> marksIn(const FileFigures &lines) {
  const auto any = [&](auto is) {
    return std::any_of(lines.begin(), lines.end(), [&](const auto &l) { return is(l.second); });
  };
  std::vector<std::string> marks;
  if (any([](const LineFigures &f) { return f.notAllKnown; }))
    marks.emplace_back("?, >=: the compiler merged or removed code of the line, whose executions "
                       "are not known (-O0: all)");
  if (any([](const LineFigures &f) { return !f.notAllKnown && isWide(f); }))
    marks.emplace_back(
        "~: the middle of an interval: calls did not return (build again to count exactly)");
  return marks;
}

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
  const std::string head = gutter("executed", "p50", "p99", "share") + "    line";
  out << heading(head, display) << "\n";
  forEachLine(text, a, [&](const AnnotatedLine &line) {
    const std::string blank = gutter("", "", "", "") + "        | ";
    for (const std::string &c : line.above)
      out << blank << cut(std::string(indent(line.text)), mostShown)
          << (display.colour ? "\033[36m" + c + "\033[0m" : c) << "\n";
    std::string left = gutter("", "", "", "");
    if (line.figures) {
      const auto [executed, p50, p99, share] = cellsOf(*line.figures, a.observed);
      left = gutter(executed, p50, p99, share);
      if (const char *colour = display.colour ? colourOf(line.figures->share) : nullptr)
        left = colour + left + "\033[0m";
    }
    const std::string n = std::to_string(line.number);
    out << left << "  " << std::string(n.size() < 6 ? 6 - n.size() : 0, ' ') << n << "| "
        << printable(line.text, mostSaid, "\\\t") << "\n";
  });
  for (const std::string &mark : marksIn(a.lines))
    out << mark << "\n";
}

std::string commented(std::string_view text, const Annotation &a) {
  std::string out;
  forEachLine(text, a, [&](const AnnotatedLine &line) {
    for (const std::string &c : line.above) {
      out += indent(line.text);
      out += c;
      out += line.ending.empty() ? std::string_view("\n") : line.ending;
    }
    out += line.text;
    out += line.ending;
  });
  return out;
}

} // namespace quincunx
