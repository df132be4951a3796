// Checks names and kinds.
// The idea: kinds go down the trees, as each place asks for one. Definitions are checked behind
// those they name, so it is known what these ask of their arguments. Reference: docs/12-pamela.md,
// "Names and kinds". Which definitions name which is in Names.cpp.
#include "quincunx/pamela/Check.h"

#include "Builtins.h"
#include "Multiplicities.h"
#include "Names.h"
#include "Operators.h"
#include "quincunx/base/Nearest.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace quincunx::pamela {

namespace {

constexpr size_t maxErrors = 20;
constexpr size_t maxNamed = 10; ///< of a circle

using MaybeKind = std::optional<Kind>; ///< nothing: not known, or any

const char *text(Kind kind) {
  return kind == Kind::numeric ? "number" : kind == Kind::process ? "process" : "resource";
}

std::string quoted(const std::string &name) { return "'" + escape(name) + "'"; }

std::string arguments(size_t n) {
  return n == 0 ? "no arguments" : n == 1 ? "1 argument" : std::to_string(n) + " arguments";
}

class Checker {
public:
  explicit Checker(const Model &m) : model(m), definitions(definitionsOf(m)) {}

  std::vector<Error> run();

private:
  struct Local {
    std::string_view name;
    MaybeKind kind;
  };

  void report(const Place &at, const std::string &what);
  void twice();
  void definition(size_t number);
  MaybeKind kindOf(const Node &n, MaybeKind wanted);
  MaybeKind name(const Node &n, MaybeKind wanted);
  void builtin(const Node &n, const Builtin &b);
  void undefined(const Node &n);
  Kind repetition(const Node &n);
  void numbers(const Node &n);
  void constantResource(const Node &n);
  MaybeKind choice(const Node &n, MaybeKind wanted);
  void need(const Tree &tree, MaybeKind wanted);
  std::string place(const Place &at) const {
    return escape(model.files[at.file]) + ":" + std::to_string(at.line);
  }

  const Model &model;
  const Definitions definitions;
  std::map<size_t, std::vector<MaybeKind>> formals; ///< of definitions that were checked
  std::vector<Local> locals;
  Multiplicities multiplicities; ///< of resources that are written as constants
  std::vector<std::pair<Place, std::string>> errors;
};

void Checker::report(const Place &at, const std::string &what) { errors.emplace_back(at, what); }

/// Names that are defined twice, and formal arguments.
void Checker::twice() {
  for (size_t i = 0; i < model.definitions.size(); ++i) {
    const Definition &d = model.definitions[i];
    if (const size_t first = definitions.find(d.name)->second; first != i)
      report(d.at, quoted(d.name) + " is already defined at " + place(model.definitions[first].at) +
                       "; give one of them another name");
    for (size_t a = 0; a < d.arguments.size(); ++a)
      if (std::find(d.arguments.begin(), d.arguments.begin() + static_cast<std::ptrdiff_t>(a),
                    d.arguments[a]) != d.arguments.begin() + static_cast<std::ptrdiff_t>(a))
        report(d.at,
               quoted(d.name) + " has two arguments that are called " + quoted(d.arguments[a]));
  }
}

void Checker::definition(size_t number) {
  const Definition &d = model.definitions[number];
  locals.clear();
  for (const std::string &a : d.arguments)
    locals.push_back({a, {}});
  if (d.body)
    need(d.body, d.kind);
  for (const Tree &bound : {d.least, d.most})
    if (bound)
      need(bound, Kind::numeric);
  for (const Local &l : locals)
    formals[number].push_back(l.kind);
}

/// The tree is of this kind, or it is reported.
void Checker::need(const Tree &tree, MaybeKind wanted) {
  if (errors.size() >= maxErrors)
    return;
  const MaybeKind kind = kindOf(*tree, wanted);
  if (!kind || !wanted || *kind == *wanted)
    return;
  const std::string what = tree->op == Op::name ? quoted(tree->text) + " is a " : "this is a ";
  report(tree->at, what + text(*kind) + ", and a " + text(*wanted) + " is needed here");
}

/// The kind of the tree, whose parts are checked; `wanted` is what its place asks for.
MaybeKind Checker::kindOf(const Node &n, MaybeKind wanted) {
  switch (n.op) {
  case Op::name:
    return name(n, wanted);
  case Op::call:
  case Op::law:
    builtin(n, *(n.op == Op::call ? named(functions, n.text) : named(laws, n.text)));
    break;
  case Op::sequence:
  case Op::parallel:
    for (const Tree &t : n.args)
      need(t, Kind::process);
    return Kind::process;
  case Op::use:
    need(n.args[0], Kind::resource);
    need(n.args[1], Kind::numeric);
    return Kind::process;
  case Op::fcfs:
    constantResource(n);
    numbers(n);
    return Kind::resource;
  case Op::any:
    need(n.args[0], Kind::numeric);
    return kindOf(*n.args[1], {});
  case Op::branch:
  case Op::select:
    return choice(n, wanted);
  case Op::seq:
  case Op::par:
  case Op::sum:
  case Op::max:
  case Op::min:
    return repetition(n);
  default:
    numbers(n);
  }
  return n.op == Op::delay ? Kind::process : Kind::numeric;
}

/// The bounds do not know the index, the body does.
Kind Checker::repetition(const Node &n) {
  const Kind kind = n.op == Op::seq || n.op == Op::par ? Kind::process : Kind::numeric;
  need(n.args[0], Kind::numeric);
  need(n.args[1], Kind::numeric);
  locals.push_back({n.text, Kind::numeric});
  need(n.args[2], kind);
  locals.pop_back();
  return kind;
}

/// All its parts are numbers. Chains of operators are deep on the left.
void Checker::numbers(const Node &n) {
  const Node *at = &n;
  while (find(operators, at->op) && find(operators, at->args[0]->op)) {
    need(at->args[1], Kind::numeric);
    at = at->args[0].get();
  }
  for (const Tree &t : at->args)
    need(t, Kind::numeric);
}

void Checker::constantResource(const Node &n) {
  if (n.args[0]->op != Op::number || n.args[1]->op != Op::number)
    return;
  if (const std::string why = multiplicities.meet(n.args[0]->value, n.args[1]->value); !why.empty())
    report(n.at, why);
}

/// An index, a formal argument (whose kind is what its first use asks for), or a definition.
MaybeKind Checker::name(const Node &n, MaybeKind wanted) {
  const auto local = std::find_if(locals.rbegin(), locals.rend(),
                                  [&](const Local &l) { return l.name == n.text; });
  if (local != locals.rend()) {
    if (!n.args.empty())
      report(n.at, quoted(n.text) + " takes no arguments; it is an argument or an index itself");
    const auto number = locals.rend() - local - 1; // `need` may make the vector grow
    for (const Tree &t : n.args)
      need(t, {});
    MaybeKind &kind = locals[static_cast<size_t>(number)].kind;
    if (!kind)
      kind = wanted;
    return kind;
  }
  const auto found = definitions.find(n.text);
  if (found == definitions.end() && n.args.empty() && analysedBy(model, definitions, n.text))
    return Kind::numeric;
  if (found == definitions.end()) {
    undefined(n);
    return {};
  }
  const Definition &d = model.definitions[found->second];
  if (d.arguments.size() != n.args.size())
    report(n.at, quoted(n.text) + " takes " + arguments(d.arguments.size()) + ", not " +
                     std::to_string(n.args.size()) + "; it is defined at " + place(d.at));
  const auto known = formals.find(found->second);
  for (size_t i = 0; i < n.args.size(); ++i)
    need(n.args[i],
         known != formals.end() && i < known->second.size() ? known->second[i] : MaybeKind{});
  return d.kind;
}

void Checker::builtin(const Node &n, const Builtin &b) {
  const size_t given = n.args.size();
  if (given < b.least || (b.most != 0 && given > b.most))
    report(n.at, quoted(n.text) + " takes " + (b.most == 0 ? "at least " : "") +
                     arguments(b.least) + ", not " + std::to_string(given));
  else if (n.text == "histogram" && given % 2 != 0)
    report(n.at, "'histogram' takes pairs of a value and its weight, not " + std::to_string(given) +
                     " numbers");
  for (const Tree &t : n.args)
    need(t, Kind::numeric);
}

void Checker::undefined(const Node &n) {
  if (errors.size() >= maxErrors)
    return;
  std::vector<std::string> near;
  for (const Local &l : locals)
    near.emplace_back(l.name);
  for (const auto &[other, number] : definitions)
    near.push_back(other);
  if (!n.args.empty())
    for (const std::span<const Builtin> all :
         {std::span<const Builtin>(functions), std::span<const Builtin>(laws)})
      for (const Builtin &b : all)
        near.emplace_back(b.name);
  const std::string best = nearest(n.text, near);
  report(n.at, quoted(n.text) + " is not defined" +
                   (best.empty() ? "; define it, or declare it as a parameter"
                                 : "; did you mean " + quoted(best) + "?"));
  for (const Tree &t : n.args)
    need(t, {});
}

/// Numbers or processes, all of one kind.
MaybeKind Checker::choice(const Node &n, MaybeKind wanted) {
  if (wanted == Kind::resource) {
    report(n.at, "if and switch choose numbers or processes, not resources");
    return {};
  }
  std::vector<const Tree *> arms;
  if (n.op == Op::branch) {
    need(n.args[0], Kind::numeric);
    for (size_t i = 1; i < n.args.size(); ++i)
      arms.push_back(&n.args[i]);
  } else {
    if (n.args[0])
      need(n.args[0], Kind::numeric);
    for (size_t i = 1; i < n.args.size(); i += 2) {
      if (i + 1 < n.args.size())
        need(n.args[i], Kind::numeric);
      arms.push_back(&n.args[std::min(i + 1, n.args.size() - 1)]);
    }
  }
  for (const Tree *arm : arms) {
    if (wanted)
      need(*arm, wanted);
    else if (wanted = kindOf(**arm, {}); wanted == Kind::resource) {
      report((*arm)->at, "if and switch choose numbers or processes, not resources");
      return {};
    }
  }
  return wanted;
}

std::vector<Error> Checker::run() {
  twice();
  const Order order = orderOf(model, definitions);
  for (const std::vector<size_t> &circle : order.circles) {
    std::string names;
    for (const size_t d : std::span(circle).first(std::min(circle.size(), maxNamed)))
      names += model.definitions[d].name + " -> ";
    if (circle.size() > maxNamed)
      names += "... -> ";
    report(model.definitions[circle.front()].at, "definitions go in a circle: " + names +
                                                     model.definitions[circle.front()].name +
                                                     "; repeat with seq or sum instead");
  }
  for (const size_t d : order.all)
    definition(d);
  std::ranges::stable_sort(errors, {}, [](const std::pair<Place, std::string> &e) {
    return std::tuple(e.first.file, e.first.line, e.first.column);
  });
  std::vector<Error> all;
  for (const auto &[at, what] : errors)
    if (all.size() < maxErrors)
      all.push_back({what, model.files[at.file], at.line, at.column});
  return all;
}

} // namespace

std::vector<Error> check(const Model &model) { return Checker(model).run(); }

} // namespace quincunx::pamela
