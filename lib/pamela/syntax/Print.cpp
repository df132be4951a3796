// Models as text: definitions and includes in their order, comments where they stood.
// Reference: docs/12-pamela.md, "Layout". Trees are printed by Printer.cpp.
#include "quincunx/pamela/Print.h"

#include "Printer.h"

namespace quincunx::pamela {

namespace {

void definition(const Definition &d, Layout &out) {
  std::string head = d.kind == Kind::numeric   ? "numeric"
                     : d.kind == Kind::process ? "process"
                                               : "resource";
  head += (d.parameter ? " parameter " : " ") + d.name;
  for (size_t i = 0; i < d.arguments.size(); ++i)
    head += (i == 0 ? "(" : ", ") + d.arguments[i];
  const bool ranged = d.least || d.most;
  const char *const equals = d.body ? " =" : "";
  out.put(head + (d.arguments.empty() ? "" : ")") + (ranged ? "" : equals), d.at);
  if (d.least) {
    out.put(" >= ");
    Printer(out).expression(d.least, Level::sum, 3);
  }
  if (d.most) {
    out.put(d.least ? " and <= " : " <= ");
    Printer(out).expression(d.most, Level::sum, 3);
  }
  if (ranged)
    out.put(equals);
  if (d.body)
    Printer(out).behind(d.body, 0);
}

} // namespace

std::string print(const Tree &tree) {
  Layout out({});
  Printer(out).expression(tree, Level::sequence, 0);
  std::string text = out.text();
  text.pop_back();
  return text;
}

std::string print(const Model &model) {
  Layout out(model.comments);
  auto include = model.includes.begin();
  const auto startLine = [&](Place at) {
    if (!out.fresh())
      out.newline(0);
    out.top(at);
  };
  const auto includesBefore = [&](Place at) {
    for (; include != model.includes.end() && before(include->first, at); ++include) {
      startLine(include->first);
      out.put("include \"" + include->second + "\"", include->first);
    }
  };
  bool wasLong = false, any = false;
  for (const Definition &d : model.definitions) {
    if (d.at.file != 0 && !model.includes.empty())
      continue;
    includesBefore(d.at);
    startLine(d.at);
    const size_t first = out.line();
    definition(d, out);
    const bool isLong = out.line() > first;
    if (any && (isLong || wasLong))
      out.blankBefore(first);
    any = true;
    wasLong = isLong;
  }
  includesBefore({0, UINT32_MAX, 0});
  return out.text();
}

} // namespace quincunx::pamela
