// The state of compiling one model. Numbers are in CompileNumber.cpp, processes and resources in
// CompileProcess.cpp.
// The idea: a name is compiled as what it stands for, in the scope where that was written; so
// formal arguments are called by name. The first error stops everything. Reference:
// docs/12-pamela.md.
#pragma once

#include "Program.h"
#include "pamela/syntax/Names.h"

#include <map>
#include <string_view>
#include <tuple>

namespace quincunx::pamela {

/// What a name means besides the definitions: an index or a formal argument. Outer scopes follow.
struct CompileScope {
  const CompileScope *outer = nullptr;
  std::string_view name;
  uint32_t slot = none;                ///< an index; else an argument:
  Tree tree = nullptr;                 ///< what was passed,
  const CompileScope *there = nullptr; ///< in the scope of the caller
};

class Compiler {
public:
  Compiler(const Model &m, const SimulateOptions &o) : model(m), options(o) {}
  Result<Program> run();

private:
  // Names.
  const Definition *find(std::string_view name) const;
  const CompileScope *inScope(std::string_view name, const CompileScope *scope) const;
  /// Compiles what `node`, a name, stands for: `compile` is called with its tree and scope.
  /// What is wrong with a name where a definition `d` of that kind should be.
  std::string misnamed(const Node &node, const Definition *d, Kind kind) const;
  template <class Compile>
  uint32_t expand(const Node &node, const CompileScope *scope, Kind kind, const Compile &compile);

  // Numbers: indices into Program::values.
  /// `decides`: as a condition or a value of one, where moments(...) are cumulants of rates.
  uint32_t number(const Tree &tree, const CompileScope *scope, bool decides = false);
  uint32_t named(const Node &node, const CompileScope *scope, bool decides);
  uint32_t numberOf(const Tree &tree, const CompileScope *scope, bool decides);
  uint32_t operation(const Node &node, const CompileScope *scope, bool decides);
  uint32_t operation(const Node &node, const std::vector<uint32_t> &operands, bool ofRates);
  /// The number of each tree; `constants`: the values of those that have one.
  std::vector<uint32_t> numbers(const std::vector<Tree> &trees, const CompileScope *scope,
                                std::vector<double> &constants);
  uint32_t function(const Node &node, const CompileScope *scope);
  uint32_t law(const Node &node, const CompileScope *scope);
  uint32_t reduction(const Node &node, const CompileScope *scope);
  uint32_t branchNumber(const Node &node, const CompileScope *scope, bool decides);
  uint32_t selectNumber(const Node &node, const CompileScope *scope, bool decides);
  /// A value that is 0 or 1: a number that is neither is a probability.
  uint32_t condition(const Tree &tree, const CompileScope *scope);
  uint32_t decided(uint32_t value, Place at);
  uint32_t rates(const Node &node, const CompileScope *scope);
  uint32_t choice(const Node &node, const CompileScope *scope);
  uint32_t add(CompiledNumber value, std::initializer_list<uint32_t> operands);
  uint32_t add(CompiledNumber value, const std::vector<uint32_t> &operands);
  uint32_t constant(double value, Place at);
  const double *constantIn(uint32_t value) const;

  // Processes: appended to Program::instructions.
  void process(const Tree &tree, const CompileScope *scope);
  void processOf(const Tree &tree, const CompileScope *scope);
  void delay(const Node &node, const CompileScope *scope);
  void use(const Node &node, const CompileScope *scope);
  void loop(const Node &node, const CompileScope *scope);
  /// `k`: of how many parts the end is waited for; `none`: all.
  void parts(const Tree &tree, const CompileScope *scope, uint32_t k);
  void branch(const Node &node, const CompileScope *scope);
  void select(const Node &node, const CompileScope *scope);
  uint32_t time(const Tree &tree, const CompileScope *scope);
  uint32_t resource(const Tree &tree, const CompileScope *scope, std::string name);
  uint32_t emit(Instruction instruction);
  uint32_t here() const { return static_cast<uint32_t>(program.instructions.size()); }

  void fail(Place at, std::string text);
  /// Slots from `depth` on are free; takes `count` of them.
  uint32_t takeSlots(uint32_t count);

  const Model &model;
  const SimulateOptions &options;
  Program program;
  LawSamplers laws;
  uint32_t depth = 0, nesting = 0, deep = 0;
  size_t expanded = 0; ///< names
  /// The extent of a value: how many it is when it is written out, how deep they are nested, and
  /// how long a chain of operators it is; that is not nested.
  struct Extent {
    double size = 1;
    uint32_t depth = 1, chain = 0;
  };
  std::vector<Extent> extents;
  bool rated = false; ///< the note on conditions without a variance is written
  /// Values of definitions by depth, and as conditions.
  std::map<std::tuple<const Definition *, uint32_t, bool>, uint32_t> known;
  std::optional<Error> failure;
};

/// Names and values when all are written out.
inline constexpr size_t maxValues = 2'000'000;
/// Names in names.
inline constexpr uint32_t maxNesting = 1000;
/// Numbers, and processes, in each other: each takes some hundred bytes of the stack.
inline constexpr uint32_t deepest = 2000;

template <class Compile>
uint32_t Compiler::expand(const Node &node, const CompileScope *scope, Kind kind,
                          const Compile &compile) {
  if (const CompileScope *s = inScope(node.text, scope)) {
    if (!node.args.empty())
      return fail(node.at, "'" + node.text + "' is an argument or an index and takes none itself"),
             none;
    if (s->tree == nullptr)
      return fail(node.at, "'" + node.text + "' is an index, which is a number"), none;
    return compile(s->tree, s->there);
  }
  const Definition *d = find(node.text);
  if (d == nullptr || d->kind != kind || d->body == nullptr ||
      d->arguments.size() != node.args.size()) {
    fail(node.at, misnamed(node, d, kind));
    return none;
  }
  if (++expanded > maxValues)
    return fail(node.at, "the model is too large to unfold"), none;
  if (++nesting > maxNesting) {
    fail(node.at, "definitions in definitions more than " + std::to_string(maxNesting) +
                      " deep; is '" + node.text + "' defined by itself?");
    return none;
  }
  std::vector<CompileScope> arguments(node.args.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    arguments[i] = {i == 0 ? nullptr : &arguments[i - 1], d->arguments[i], none, node.args[i],
                    scope};
  const uint32_t made = compile(d->body, arguments.empty() ? nullptr : &arguments.back());
  --nesting;
  return made;
}

} // namespace quincunx::pamela
