// Names what calls through pointers may call. The idea: a few names tell a reader which calls are
// meant; all of them are in the JSON. It judges nothing.
#include "OpenCalls.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"

#include <algorithm>
#include <ostream>

namespace quincunx {

namespace {

/// Lines, and callees, that are named.
constexpr size_t named = 3;

std::string listOf(const std::vector<std::string> &all, const char *lastWord) {
  std::string text;
  const size_t shown = std::min(all.size(), named);
  for (size_t i = 0; i < shown; ++i)
    text.append(i == 0 ? "" : i + 1 == all.size() ? lastWord : ", ").append(all[i]);
  if (all.size() > shown)
    text.append(lastWord).append(std::to_string(all.size() - shown)).append(" more");
  return text;
}

} // namespace

std::string openCalls(const CallGraph &graph, const OpenCalls &open, const Display &display) {
  if (open.at.empty())
    return "counts do not tell whom pointers call in what it calls";
  std::vector<std::string> lines, callees;
  for (const Location &at : open.at)
    if (std::string line = std::to_string(at.line);
        at.line != 0 && std::ranges::find(lines, line) == lines.end())
      lines.push_back(std::move(line));
  for (const uint32_t callee : open.callees)
    callees.push_back(display.function(graph.functions[callee]->name));
  std::string text = "counts do not tell which calls through pointers";
  if (!lines.empty())
    text.append(lines.size() == 1 ? " on line " : " on lines ").append(listOf(lines, " and "));
  return callees.empty() ? text + " are of whom" : text + " are of " + listOf(callees, " or ");
}

void printOpenCalls(const ModelReport &m, std::span<const size_t> rows, const Display &display,
                    std::ostream &out) {
  Grid grid({"mean from", "to", "?", "because"}, 2);
  grid.holdsSentences();
  bool any = false;
  for (const size_t i : rows)
    if (const auto &open = m.model.functions[i].open) {
      any = true;
      const Function &f = *m.graph.functions[m.model.functions[i].number];
      grid.add({figure(open->least), figure(open->most), display.function(f.name),
                openCalls(m.graph, *open, display)});
    }
  if (!any)
    return;
  grid.print(out, display);
  out << "\n";
}

} // namespace quincunx
