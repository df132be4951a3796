// Which definitions name which.
// The idea: an index or a formal argument hides the definition of its name. Definitions are visited
// in depth on a stack of our own, as there may be many; one that is met while it is still being
// visited closes a circle. Reference: docs/12-pamela.md, "Names and kinds".
#include "Names.h"

#include "Operators.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <set>

namespace quincunx::pamela {

namespace {

/// In a model where all names name each other, each has one with each other.
constexpr size_t maxCircles = 20;

/// Collects what a tree names and nothing in it hides.
class Namings {
public:
  Namings(const Model &m, const Definitions &d, std::vector<std::string_view> arguments)
      : model(m), definitions(d), hidden(std::move(arguments)) {}

  void visit(const Tree &tree) {
    const Node *n = tree.get();
    // Chains are deep on the left.
    for (; n && n->args.size() == 2 && find(operators, n->op); n = n->args[0].get())
      visit(n->args[1]);
    if (!n)
      return;
    if (n->op == Op::name && std::ranges::find(hidden, n->text) == hidden.end()) {
      if (const auto d = definitions.find(n->text); d != definitions.end())
        found.insert(d->second);
      else if (const auto process = analysedBy(model, definitions, n->text))
        found.insert(*process);
    }
    const bool index = find(repetitions, n->op) != nullptr;
    for (size_t i = 0; i < n->args.size(); ++i) {
      const bool hides = index && i == 2; // the bounds do not know the index
      if (hides)
        hidden.push_back(n->text);
      visit(n->args[i]);
      if (hides)
        hidden.pop_back();
    }
  }

  std::set<size_t> found;

private:
  const Model &model;
  const Definitions &definitions;
  std::vector<std::string_view> hidden;
};

} // namespace

Definitions definitionsOf(const Model &model) {
  Definitions all;
  for (size_t i = 0; i < model.definitions.size(); ++i)
    all.try_emplace(model.definitions[i].name, i);
  return all;
}

bool isParameter(const Definition *d) {
  return d && d->kind == Kind::numeric && d->arguments.empty();
}

Error noParameter(const std::string &name) {
  return Error{"the model has no parameter '" + escape(name) + "'"};
}

Error takesArguments(const Definition &target) {
  return Error{"'" + escape(target.name) + "' takes arguments; define a process that passes them"};
}

std::optional<size_t> analysedBy(const Model &model, const Definitions &definitions,
                                 std::string_view name) {
  for (const std::string_view what : {"T_", "phi_", "delta_", "omega_", "theta_"}) {
    if (!name.starts_with(what))
      continue;
    const auto d = definitions.find(name.substr(what.size()));
    if (d != definitions.end() && model.definitions[d->second].kind == Kind::process &&
        model.definitions[d->second].arguments.empty())
      return d->second;
  }
  return std::nullopt;
}

bool isResult(const Model &model, std::string_view name) {
  const Definitions all = definitionsOf(model);
  return !all.contains(name) && analysedBy(model, all, name);
}

namespace {

/// Visits definitions in depth, those that one names before itself.
class DepthFirst {
public:
  DepthFirst(const Model &m, const Definitions &d)
      : model(m), definitions(d), states(m.definitions.size(), State::unseen) {}

  Order order() {
    for (size_t root = 0; root < states.size(); ++root) {
      if (states[root] == State::unseen)
        open(root);
      while (!stack.empty())
        step();
    }
    return std::move(found);
  }

private:
  enum class State : uint8_t { unseen, open, done };
  struct Visit {
    size_t definition;
    std::vector<size_t> left; ///< what it names and has not been followed yet
  };

  void open(size_t d) {
    const Definition &def = model.definitions[d];
    Namings named(model, definitions, {def.arguments.begin(), def.arguments.end()});
    for (const Tree &tree : {def.body, def.least, def.most})
      named.visit(tree);
    states[d] = State::open;
    stack.push_back({d, {named.found.rbegin(), named.found.rend()}});
  }

  /// Follows one name of the definition on top, or leaves it.
  void step() {
    Visit &top = stack.back();
    if (top.left.empty()) {
      states[top.definition] = State::done;
      found.all.push_back(top.definition);
      stack.pop_back();
      return;
    }
    const size_t next = top.left.back();
    top.left.pop_back();
    if (states[next] == State::unseen)
      open(next);
    else if (states[next] == State::open && found.circles.size() < maxCircles)
      addCircle(next);
  }

  /// From the definition that is being visited up to the top, which names it.
  void addCircle(size_t first) {
    std::vector<size_t> circle;
    for (auto at = std::ranges::find(stack, first, &Visit::definition); at != stack.end(); ++at)
      circle.push_back(at->definition);
    found.circles.push_back(std::move(circle));
  }

  const Model &model;
  const Definitions &definitions;
  std::vector<State> states;
  std::vector<Visit> stack;
  Order found;
};

} // namespace

Order orderOf(const Model &model, const Definitions &definitions) {
  return DepthFirst(model, definitions).order();
}

} // namespace quincunx::pamela
