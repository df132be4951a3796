// Annotated sources as a document that any browser shows, without a script. `quincunx html` makes
// the page that one asks; this is the listing of the terminal, to send or to print.
#include "AnnotatedLines.h"
#include "quincunx/base/Text.h"
#include "report/layout/Markup.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace quincunx {

namespace {

constexpr const char *style = R"(
:root { color-scheme: light dark; }
body { font: 14px/1.4 sans-serif; margin: 1.5em; }
table { border-collapse: collapse; font: 13px/1.35 monospace; white-space: pre; }
td, th { padding: 0 0.5em; text-align: right; }
td:last-child, th:last-child { text-align: left; padding-left: 1em; }
td:nth-child(5) { opacity: 0.6; }
tr.function td { color: teal; }
tr:target td { outline: 1px solid; }
)";

/// From clear to red, by the logarithm of the share: a thousandth shows, and a half is full.
std::string heat(double share) {
  const double at = share > 0 ? std::clamp(1 + std::log10(share / 0.5) / 2.7, 0.0, 1.0) : 0;
  const int percent = static_cast<int>(std::lround(50 * at));
  return percent == 0 ? "" : " style=\"background:rgb(255 90 0/" + std::to_string(percent) + "%)\"";
}

void printFile(const AnnotatedFile &file, size_t number, const Observed &observed,
               std::ostream &out) {
  out << "<h2>" << markup(escape(file.name)) << "</h2>\n<table>\n<tr><th>executed</th><th>p50</th>"
      << "<th>p99</th><th>share</th><th>line</th><th></th></tr>\n";
  forEachLine(file.text, file.annotation, [&](const AnnotatedLine &line) {
    const size_t indent = std::min(line.text.find_first_not_of(" \t"), line.text.size());
    for (const std::string &c : line.above)
      out << "<tr class=\"function\"><td></td><td></td><td></td><td></td><td></td><td>"
          << line.text.substr(0, std::min(indent, mostShown)) << markup(c) << "</td></tr>\n";
    out << "<tr id=\"" << number << "L" << line.number << "\""
        << (line.figures ? heat(line.figures->share) : "") << ">";
    const std::array<std::string, 4> cells =
        line.figures ? cellsOf(*line.figures, observed) : std::array<std::string, 4>{};
    for (const std::string &cell : cells)
      out << "<td>" << markup(cell) << "</td>";
    out << "<td>" << line.number << "</td><td>" << markup(printable(line.text, mostSaid, "\\\t"))
        << "</td></tr>\n";
  });
  out << "</table>\n";
  for (const std::string &mark : marksIn(file.annotation.lines))
    out << "<p>" << markup(mark) << "</p>\n";
}

} // namespace

void printAnnotatedHtml(const std::vector<AnnotatedFile> &files, const Observed &observed,
                        const std::string &corpus, std::ostream &out) {
  const std::string title = markup(escape(fileName(corpus)));
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" << title
      << "</title>\n<style>" << style << "</style>\n</head>\n<body>\n<h1>" << title << "</h1>\n<p>"
      << markup(runsLine(observed)) << ", costs in " << markup(escape(observed.unit))
      << " (machine " << markup(escape(observed.machine)) << "), per run</p>\n";
  for (size_t i = 0; i < files.size(); ++i)
    printFile(files[i], i + 1, observed, out);
  for (const Note &n : observed.notes)
    out << "<p>note: " << markup(printable(n.text)) << "</p>\n";
  out << "</body>\n</html>\n";
}

} // namespace quincunx
