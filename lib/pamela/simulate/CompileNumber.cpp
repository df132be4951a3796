// Numbers of a model as values of a program.
// The idea: whatever is known without drawing and without an index is computed here, and constant
// conditions decide here what is compiled at all. Reference: docs/12-pamela.md.
#include "Compiler.h"
#include "NumberSampler.h"
#include "pamela/evaluate/Arithmetic.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quincunx::pamela {

namespace {
/// Operators in a row that are computed without the stack. Shorter ones are faster with it.
constexpr uint32_t longChain = 32;

bool isComparison(Op op) { return op >= Op::equal && op <= Op::greaterEqual; }
bool isOperation(Op op) { return op >= Op::negate && op <= Op::logicalOr; }
bool isLogic(Op op) { return op == Op::logicalNot || op == Op::logicalAnd || op == Op::logicalOr; }
} // namespace

uint32_t Compiler::add(CompiledNumber value, std::initializer_list<uint32_t> operands) {
  return add(value, std::vector<uint32_t>(operands));
}

uint32_t Compiler::add(CompiledNumber value, const std::vector<uint32_t> &operands) {
  Extent extent;
  for (size_t i = 0; i < operands.size() && !failure; ++i)
    if (operands[i] != none) {
      const Extent &part = extents[operands[i]];
      const bool chain = i == 0 && value.form == NumberKind::operation &&
                         program.values[operands[i]].form == NumberKind::operation;
      extent.size += part.size;
      extent.chain = std::max(extent.chain, chain ? part.chain + 1 : 0);
      extent.depth = std::max(extent.depth, part.depth + (chain ? 0 : 1));
    }
  if (program.values.size() >= maxValues || extent.size > maxValues)
    fail(value.at, "the model is too large to unfold");
  if (extent.depth > deepest)
    fail(value.at, "nested more than " + std::to_string(deepest) + " deep");
  if (failure)
    return none;
  extents.push_back(extent);
  value.isLong = extent.chain > longChain;
  value.first = static_cast<uint32_t>(program.operands.size());
  value.count = static_cast<uint32_t>(operands.size());
  program.operands.insert(program.operands.end(), operands.begin(), operands.end());
  program.values.push_back(value);
  return static_cast<uint32_t>(program.values.size() - 1);
}

uint32_t Compiler::constant(double value, Place at) {
  return add({.form = NumberKind::constant, .value = value, .at = at}, {});
}

const double *Compiler::constantIn(uint32_t value) const {
  return value != none && program.values[value].form == NumberKind::constant
             ? &program.values[value].value
             : nullptr;
}

uint32_t Compiler::number(const Tree &tree, const CompileScope *scope, bool decides) {
  if (failure)
    return none;
  if (deep >= deepest)
    return fail(tree->at, "nested more than " + std::to_string(deepest) + " deep"), none;
  ++deep;
  const uint32_t made = numberOf(tree, scope, decides);
  --deep;
  return made;
}

uint32_t Compiler::numberOf(const Tree &tree, const CompileScope *scope, bool decides) {
  const Node &node = *tree;
  switch (node.op) {
  case Op::number:
    return constant(node.value, node.at);
  case Op::name:
    return named(node, scope, decides);
  case Op::vector:
    return fail(node.at, "a vector has no place in simulation"), none;
  case Op::call:
    return function(node, scope);
  case Op::law:
    return decides && node.text == "moments" && node.args.size() == 4 ? rates(node, scope)
                                                                      : law(node, scope);
  case Op::sum:
  case Op::max:
  case Op::min:
    return reduction(node, scope);
  case Op::any:
    return fail(node.at, "'any' of numbers has no place in simulation: let processes wait"), none;
  case Op::branch:
    return branchNumber(node, scope, decides);
  case Op::select:
    return selectNumber(node, scope, decides);
  default:
    if (isOperation(node.op))
      return operation(node, scope, decides);
    return fail(node.at, "a number must stand here, not a process or a resource"), none;
  }
}

uint32_t Compiler::named(const Node &node, const CompileScope *scope, bool decides) {
  const auto compile = [&](const Tree &tree, const CompileScope *there) {
    return number(tree, there, decides);
  };
  if (const CompileScope *s = inScope(node.text, scope)) {
    if (s->tree == nullptr && node.args.empty())
      return add({.form = NumberKind::slot, .slot = s->slot, .at = node.at}, {});
    return expand(node, scope, Kind::numeric, compile);
  }
  const Definition *d = find(node.text);
  if (d == nullptr && node.text == "inf" && node.args.empty())
    return constant(std::numeric_limits<double>::infinity(), node.at);
  if (d == nullptr || !node.args.empty() || !d->arguments.empty())
    return expand(node, scope, Kind::numeric, compile);
  if (const auto given = options.parameters.find(node.text); given != options.parameters.end())
    return constant(given->second, node.at);
  // The same value serves again wherever as many slots are taken.
  const std::tuple key(d, depth, decides);
  if (const auto found = known.find(key); found != known.end())
    return found->second;
  const uint32_t made = expand(node, scope, Kind::numeric, compile);
  known[key] = made;
  return made;
}

/// A chain leans to the left and may be as long as one likes: it is compiled from its first operand
/// on.
uint32_t Compiler::operation(const Node &node, const CompileScope *scope, bool decides) {
  const auto ofRates = [&](const Node &of) {
    return decides && !isLogic(of.op) && !isComparison(of.op);
  };
  const auto operand = [&](const Node &of, const Tree &t) {
    return isLogic(of.op) ? condition(t, scope) : number(t, scope, ofRates(of));
  };
  std::vector<const Node *> chain{&node};
  while (isOperation(chain.back()->args[0]->op))
    chain.push_back(chain.back()->args[0].get());
  uint32_t left = operand(*chain.back(), chain.back()->args[0]);
  for (; !chain.empty() && !failure; chain.pop_back()) {
    const Node &n = *chain.back();
    std::vector<uint32_t> operands{left};
    if (n.args.size() == 2)
      operands.push_back(operand(n, n.args[1]));
    left = operation(n, operands, ofRates(n));
    if (chain.size() > 1 && isLogic(chain[chain.size() - 2]->op))
      left = decided(left, n.at);
  }
  return left;
}

uint32_t Compiler::operation(const Node &node, const std::vector<uint32_t> &operands,
                             bool ofRates) {
  if (failure)
    return none;
  for (const uint32_t id : operands)
    if (ofRates && (program.values[id].form == NumberKind::truth ||
                    program.values[id].form == NumberKind::rates))
      return fail(node.at, "moments in a condition are rates, and simulation cannot draw what is "
                           "computed of rates: give the rates of the result, or analyse the model"),
             none;
  const double *a = constantIn(operands[0]), *b = constantIn(operands.back());
  if (a != nullptr && b != nullptr) {
    const double x = operands.size() == 1 ? computed(node.op, *a) : computed(node.op, *a, *b);
    if (const std::string why =
            std::isfinite(x) || operands.size() == 1 ? "" : whyNoValue(node.op, *a, *b);
        !why.empty())
      return fail(node.at, why), none;
    return constant(x, node.at);
  }
  return add({.form = NumberKind::operation, .op = node.op, .at = node.at}, operands);
}

std::vector<uint32_t> Compiler::numbers(const std::vector<Tree> &trees, const CompileScope *scope,
                                        std::vector<double> &constants) {
  std::vector<uint32_t> all;
  for (const Tree &t : trees) {
    all.push_back(number(t, scope));
    if (const double *x = constantIn(all.back()))
      constants.push_back(*x);
  }
  return all;
}

uint32_t Compiler::function(const Node &node, const CompileScope *scope) {
  const std::optional<Function> f = functionNamed(node.text);
  if (node.text == "together")
    return fail(node.at, "'together' is of draws that hang together, and simulation draws each by "
                         "itself"),
           none;
  if (!f)
    return fail(node.at, "the function '" + node.text + "' cannot be simulated"), none;
  if (!takes(*f, node.args.size()))
    return fail(node.at, "'" + node.text + "' does not take " + std::to_string(node.args.size()) +
                             " arguments"),
           none;
  std::vector<double> values;
  const std::vector<uint32_t> operands = numbers(node.args, scope, values);
  if (!failure && values.size() == operands.size()) {
    if (const std::string why = whyNoValue(node.text, values); !why.empty())
      return fail(node.at, why), none;
    return constant(computed(*f, values), node.at);
  }
  return add({.form = NumberKind::function, .which = static_cast<uint8_t>(*f), .at = node.at},
             operands);
}

uint32_t Compiler::law(const Node &node, const CompileScope *scope) {
  const std::optional<LawKind> kind = lawKind(node.text);
  if (!kind)
    return fail(node.at, "the law '" + node.text + "' cannot be simulated"), none;
  if (const std::optional<Error> error = checkCount(*kind, node.args.size()))
    return fail(node.at, error->text), none;
  std::vector<double> values;
  const std::vector<uint32_t> operands = numbers(node.args, scope, values);
  if (failure)
    return none;
  if (values.size() != operands.size())
    return add({.form = NumberKind::law, .which = static_cast<uint8_t>(*kind), .at = node.at},
               operands);
  if (*kind == LawKind::moments && values[1] == 0)
    return constant(values[0], node.at);
  const Result<LawSampler> made = laws.make(*kind, values);
  if (!made)
    return fail(node.at, made.error().text), none;
  program.laws.push_back(*made);
  return add({.form = NumberKind::fixedLaw,
              .slot = static_cast<uint32_t>(program.laws.size() - 1),
              .at = node.at},
             {});
}

uint32_t Compiler::reduction(const Node &node, const CompileScope *scope) {
  const uint32_t from = number(node.args[0], scope), to = number(node.args[1], scope);
  const uint32_t before = depth, slot = takeSlots(1);
  const CompileScope inner{scope, node.text, slot};
  const uint32_t body = number(node.args[2], &inner);
  depth = before;
  return add({.form = NumberKind::reduction, .op = node.op, .slot = slot, .at = node.at},
             {from, to, body});
}

uint32_t Compiler::branchNumber(const Node &node, const CompileScope *scope, bool decides) {
  const uint32_t c = condition(node.args[0], scope);
  const auto otherwise = [&] {
    return node.args.size() > 2 ? number(node.args[2], scope, decides) : constant(0, node.at);
  };
  if (const double *known0 = constantIn(c))
    return *known0 != 0 ? number(node.args[1], scope, decides) : otherwise();
  const uint32_t then = number(node.args[1], scope, decides);
  return add({.form = NumberKind::branch, .at = node.at}, {c, then, otherwise()});
}

uint32_t Compiler::choice(const Node &node, const CompileScope *scope) {
  std::vector<uint32_t> operands{node.args[0] ? number(node.args[0], scope) : none};
  bool constants = node.args[0] == nullptr || constantIn(operands[0]) != nullptr;
  for (size_t i = 1; i + 1 < node.args.size(); i += 2) {
    operands.push_back(number(node.args[i], scope));
    constants = constants && constantIn(operands.back()) != nullptr;
  }
  const uint32_t made = add({.form = NumberKind::choice, .at = node.at}, operands);
  if (!constants || failure)
    return made;
  // What constants say, right or wrong, is known now.
  Random random(0);
  NumberSampler evaluator(program, model, laws, random);
  evaluator.limit = SIZE_MAX;
  const double chosen = evaluator.value(made, nullptr);
  if (evaluator.failure)
    return failure = evaluator.failure, none;
  return node.args[0] ? constant(chosen, node.at) : made;
}

uint32_t Compiler::selectNumber(const Node &node, const CompileScope *scope, bool decides) {
  const uint32_t c = choice(node, scope);
  std::vector<uint32_t> operands{c};
  const size_t pairs = (node.args.size() - 1) / 2;
  const auto result = [&](size_t i) {
    if (i < pairs)
      return number(node.args[2 + 2 * i], scope, decides);
    return node.args.size() % 2 == 0 ? number(node.args.back(), scope, decides)
                                     : constant(0, node.at);
  };
  if (const double *chosen = constantIn(c))
    return result(static_cast<size_t>(*chosen));
  for (size_t i = 0; i <= pairs; ++i)
    operands.push_back(result(i));
  return add({.form = NumberKind::select, .at = node.at}, operands);
}

uint32_t Compiler::rates(const Node &node, const CompileScope *scope) {
  const uint32_t mean = number(node.args[0], scope), variance = number(node.args[1], scope);
  if (failure)
    return none;
  const double *m = constantIn(mean), *v = constantIn(variance);
  if (m == nullptr || v == nullptr)
    return add({.form = NumberKind::rates, .at = node.at}, {mean, variance});
  if (!canDrawRates(*m, *v))
    return fail(node.at, ratesError(*m, *v)), none;
  if (*v == 0 && *m != 0 && *m != 1 && !rated) {
    rated = true;
    program.notes.push_back("a condition with mean " + exact(*m) +
                            " and variance 0 is drawn as a probability, each time anew");
  }
  return add({.form = NumberKind::truth, .at = node.at}, {mean});
}

uint32_t Compiler::condition(const Tree &tree, const CompileScope *scope) {
  return decided(number(tree, scope, true), tree->at);
}

uint32_t Compiler::decided(uint32_t made, Place at) {
  if (failure)
    return none;
  const CompiledNumber v = program.values[made];
  if (v.form == NumberKind::constant) {
    if (v.value == 0 || v.value == 1)
      return made;
    if (!isProbability(v.value))
      return fail(at, conditionError(v.value)), none;
  }
  const bool isTruth = v.form == NumberKind::truth || v.form == NumberKind::rates ||
                       (v.form == NumberKind::operation && (isComparison(v.op) || isLogic(v.op)));
  if (isTruth)
    return made;
  return add({.form = NumberKind::truth, .at = at}, {made});
}

} // namespace quincunx::pamela
