// The format of callgrind. The idea: a file or function is named once and is a number from then on;
// costs are written as differences of rounded sums, so that what is printed adds up to the total.
// Readers add what calls cost to those who make them, so calls that lead back to their function
// cost nothing: what they cost is in the call that entered the recursion.
#include "quincunx/report/Callgrind.h"

#include "WholeCosts.h"
#include "quincunx/base/Text.h"

#include <map>
#include <ostream>

namespace quincunx {

namespace {

/// "(3) name" the first time, "(3)" later.
class Numbered {
public:
  std::string operator()(const std::string &name) {
    const auto [at, isNew] = numbers.try_emplace(name, numbers.size() + 1);
    return '(' + std::to_string(at->second) + ')' + (isNew ? ' ' + name : "");
  }

private:
  std::map<std::string, size_t> numbers;
};

class CallgrindWriter {
public:
  CallgrindWriter(const CostGraph &g, const FunctionNames &n, std::ostream &to)
      : graph(g), names(n), out(to), whole(g) {}

  void print(const std::string &command) {
    const std::string event = whole.unit();
    out << "# callgrind format\nversion: 1\ncreator: quincunx\ncmd: " << escape(command)
        << "\ndesc: Trigger: " << graph.what << " of " << graph.runs
        << " runs\npositions: line\nevents: " << event << "\n";
    for (const CostGraph::Function &f : graph.functions)
      print(f);
    out << "\nfl=" << files(unknown) << "\nfn=" << functions("(outside functions)") << "\n0 "
        << whole.next(graph.outside) << "\n\ntotals: " << whole.total() << "\n";
  }

private:
  static constexpr const char *unknown = "???";
  static std::string fileOr(const std::string &file) {
    return file.empty() ? unknown : escape(file);
  }

  void print(const CostGraph::Function &f) {
    out << "\nob=" << objects(fileOr(f.image)) << "\nfl=" << files(fileOr(f.file))
        << "\nfn=" << functions(escape(names.of(f.name))) << "\n";
    std::string file = f.file;
    const auto enter = [&](const std::string &other) {
      if (other != file)
        out << (other == f.file ? "fe=" : "fi=") << files(fileOr(other)) << "\n";
      file = other;
    };
    for (const CostGraph::Line &l : f.lines) {
      enter(l.file);
      out << l.line << ' ' << whole.next(l.cost) << "\n";
    }
    for (const CostGraph::Call &c : f.calls) {
      const CostGraph::Function &callee = graph.functions[c.callee];
      enter(c.file);
      out << "cob=" << objects(fileOr(callee.image)) << "\ncfi=" << files(fileOr(callee.file))
          << "\ncfn=" << functions(escape(names.of(callee.name)))
          << "\ncalls=" << WholeCosts::number(c.times) << ' ' << callee.line << "\n"
          << c.line << ' ' << whole.alone(callee.cycle == f.cycle ? 0 : c.cost) << "\n";
    }
  }

  const CostGraph &graph;
  const FunctionNames &names;
  std::ostream &out;
  WholeCosts whole;
  Numbered objects, files, functions;
};

} // namespace

void printCallgrind(const CostGraph &graph, const FunctionNames &names, const std::string &command,
                    std::ostream &out) {
  CallgrindWriter(graph, names, out).print(command);
}

} // namespace quincunx
