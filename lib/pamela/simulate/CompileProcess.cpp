// Processes and resources of a model as instructions of a program.
// The idea: the body of a loop is there once, the index is in the frame of whoever runs it. What
// constants decide is decided here. Reference: docs/12-pamela.md.
#include "Compiler.h"
#include "quincunx/base/Nearest.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>

namespace quincunx::pamela {

namespace {
constexpr size_t maxInstructions = 1'000'000;

std::string didYouMean(const Model &model, Kind kind, const std::string &name) {
  std::vector<std::string> names;
  for (const Definition &d : model.definitions)
    if (d.kind == kind && d.arguments.empty())
      names.push_back(d.name);
  const std::string near = nearest(name, names);
  return near.empty() ? "" : "; did you mean '" + escape(near) + "'?";
}
} // namespace

void Compiler::fail(Place at, std::string text) {
  if (!failure)
    failure = errorAt(model, at, std::move(text));
}

const Definition *Compiler::find(std::string_view name) const {
  const auto found = std::find_if(model.definitions.begin(), model.definitions.end(),
                                  [&](const Definition &d) { return d.name == name; });
  return found == model.definitions.end() ? nullptr : &*found;
}

const CompileScope *Compiler::inScope(std::string_view name, const CompileScope *scope) const {
  while (scope != nullptr && scope->name != name)
    scope = scope->outer;
  return scope;
}

uint32_t Compiler::takeSlots(uint32_t count) {
  const uint32_t slot = depth;
  depth += count;
  program.slots = std::max(program.slots, depth);
  return slot;
}

uint32_t Compiler::emit(Instruction instruction) {
  if (program.instructions.size() >= maxInstructions)
    fail(instruction.at, "the model is too large to unfold");
  else
    program.instructions.push_back(instruction);
  return here() - 1;
}

std::string Compiler::misnamed(const Node &node, const Definition *d, Kind kind) const {
  static constexpr const char *kinds[] = {"number", "process", "resource"};
  const std::string name = "'" + node.text + "'";
  if (d == nullptr)
    return isResult(model, node.text)
               ? name + " is what analysis gives, which has no place in simulation"
               : name + " is not defined";
  if (d->kind != kind)
    return name + " is a " + kinds[static_cast<size_t>(d->kind)] + "; a " +
           kinds[static_cast<size_t>(kind)] + " must stand here";
  if (d->arguments.size() != node.args.size())
    return name + " takes " + std::to_string(d->arguments.size()) + " arguments, not " +
           std::to_string(node.args.size());
  return name + " has no value; give the parameter one";
}

Result<Program> Compiler::run() {
  for (const auto &[name, value] : options.parameters) {
    const Definition *d = find(name);
    if (d == nullptr || d->kind != Kind::numeric || !d->arguments.empty())
      return Error{"there is no number '" + escape(name) + "' to give a value" +
                   didYouMean(model, Kind::numeric, name)};
  }
  const Definition *main = find(options.target);
  if (main == nullptr || main->kind != Kind::process || !main->arguments.empty() || !main->body)
    return Error{"there is no process '" + escape(options.target) + "' without arguments" +
                 didYouMean(model, Kind::process, options.target)};
  process(main->body, nullptr);
  emit({.code = Code::end, .at = main->at});
  if (failure)
    return *failure;
  program.notes.insert(program.notes.end(), laws.notes.begin(), laws.notes.end());
  return std::move(program);
}

void Compiler::process(const Tree &tree, const CompileScope *scope) {
  if (failure)
    return;
  if (deep >= deepest)
    return fail(tree->at, "nested more than " + std::to_string(deepest) + " deep");
  ++deep;
  processOf(tree, scope);
  --deep;
}

void Compiler::processOf(const Tree &tree, const CompileScope *scope) {
  const Node &node = *tree;
  switch (node.op) {
  case Op::name:
    expand(node, scope, Kind::process, [&](const Tree &body, const CompileScope *there) {
      process(body, there);
      return none;
    });
    return;
  case Op::delay:
    emit({.code = Code::delay, .a = time(node.args[0], scope), .at = node.at});
    return;
  case Op::use:
    return use(node, scope);
  case Op::sequence:
    for (const Tree &t : node.args)
      process(t, scope);
    return;
  case Op::seq:
    return loop(node, scope);
  case Op::parallel:
  case Op::par:
    return parts(tree, scope, none);
  case Op::any: {
    const uint32_t k = number(node.args[0], scope);
    return parts(node.args[1], scope, k);
  }
  case Op::branch:
    return branch(node, scope);
  case Op::select:
    return select(node, scope);
  default:
    return fail(node.at, "a process must stand here, not a number or a resource");
  }
}

uint32_t Compiler::time(const Tree &tree, const CompileScope *scope) {
  const uint32_t made = number(tree, scope);
  if (const double *t = constantIn(made); t != nullptr && !(*t >= 0 && std::isfinite(*t)))
    fail(tree->at, "a time must be finite and 0 or more, not " + exact(*t));
  return made;
}

uint32_t Compiler::resource(const Tree &tree, const CompileScope *scope, std::string name) {
  if (tree->op == Op::name) {
    const bool argument = inScope(tree->text, scope) != nullptr;
    return expand(*tree, scope, Kind::resource, [&](const Tree &body, const CompileScope *there) {
      return resource(body, there, argument || !tree->args.empty() ? name : tree->text);
    });
  }
  if (tree->op != Op::fcfs)
    return fail(tree->at, "a resource must stand here, not a number or a process"), none;
  Resource r;
  r.index = number(tree->args[0], scope);
  r.servers = number(tree->args[1], scope);
  r.at = tree->at;
  const double *index = constantIn(r.index), *servers = constantIn(r.servers);
  if (failure)
    return none;
  if (index != nullptr && servers != nullptr) {
    const Result<uint32_t> found = program.servers.find(*index, *servers, name);
    if (!found)
      return fail(tree->at, found.error().text), none;
    r.server = *found;
  }
  program.resources.push_back(r);
  return static_cast<uint32_t>(program.resources.size() - 1);
}

void Compiler::use(const Node &node, const CompileScope *scope) {
  const uint32_t r = resource(node.args[0], scope, "");
  emit({.code = Code::use, .a = r, .b = time(node.args[1], scope), .at = node.at});
}

void Compiler::loop(const Node &node, const CompileScope *scope) {
  const uint32_t from = number(node.args[0], scope), to = number(node.args[1], scope);
  const uint32_t before = depth, slot = takeSlots(2);
  const CompileScope inner{scope, node.text, slot};
  const uint32_t head = emit({.code = Code::seq, .a = slot, .b = from, .c = to, .at = node.at});
  process(node.args[2], &inner);
  emit({.code = Code::next, .a = slot, .d = head + 1, .at = node.at});
  program.instructions[head].d = here();
  depth = before;
}

void Compiler::parts(const Tree &tree, const CompileScope *scope, uint32_t k) {
  const Node &node = *tree;
  if (failure)
    return;
  if (node.op == Op::name) {
    expand(node, scope, Kind::process, [&](const Tree &body, const CompileScope *there) {
      parts(body, there, k);
      return none;
    });
    return;
  }
  if (node.op != Op::parallel && node.op != Op::par)
    return fail(node.at, "'any' needs parts: a process made by || or par");
  const uint32_t before = depth;
  uint32_t head = none;
  if (node.op == Op::par) {
    const uint32_t from = number(node.args[0], scope), to = number(node.args[1], scope);
    const uint32_t slot = takeSlots(1);
    const CompileScope inner{scope, node.text, slot};
    head = emit({.code = Code::par, .a = slot, .b = from, .c = to, .e = k, .at = node.at});
    process(node.args[2], &inner);
    emit({.code = Code::end, .at = node.at});
  } else {
    const auto first = static_cast<uint32_t>(program.targets.size());
    const auto count = static_cast<uint32_t>(node.args.size());
    program.targets.resize(first + count);
    head = emit({.code = Code::fork, .a = first, .b = count, .e = k, .at = node.at});
    for (uint32_t i = 0; i < count; ++i) {
      program.targets[first + i] = here();
      process(node.args[i], scope);
      emit({.code = Code::end, .at = node.args[i]->at});
    }
  }
  program.instructions[head].d = here();
  depth = before;
}

void Compiler::branch(const Node &node, const CompileScope *scope) {
  const uint32_t c = condition(node.args[0], scope);
  const bool otherwise = node.args.size() > 2;
  if (const double *known0 = constantIn(c)) {
    if (*known0 != 0)
      process(node.args[1], scope);
    else if (otherwise)
      process(node.args[2], scope);
    return;
  }
  const uint32_t test = emit({.code = Code::unless, .a = c, .at = node.at});
  process(node.args[1], scope);
  if (otherwise) {
    const uint32_t jump = emit({.code = Code::jump, .at = node.at});
    program.instructions[test].d = here();
    process(node.args[2], scope);
    program.instructions[jump].d = here();
  } else {
    program.instructions[test].d = here();
  }
}

void Compiler::select(const Node &node, const CompileScope *scope) {
  const uint32_t c = choice(node, scope);
  const auto pairs = static_cast<uint32_t>((node.args.size() - 1) / 2);
  const auto run = [&](uint32_t i) {
    if (i < pairs)
      process(node.args[2 + 2 * i], scope);
    else if (node.args.size() % 2 == 0)
      process(node.args.back(), scope);
  };
  if (const double *chosen = constantIn(c))
    return run(static_cast<uint32_t>(*chosen));
  const auto first = static_cast<uint32_t>(program.targets.size());
  program.targets.resize(first + pairs + 1);
  emit({.code = Code::choose, .a = c, .b = first, .at = node.at});
  std::vector<uint32_t> jumps;
  for (uint32_t i = 0; i <= pairs; ++i) {
    program.targets[first + i] = here();
    run(i);
    jumps.push_back(emit({.code = Code::jump, .at = node.at}));
  }
  for (const uint32_t jump : jumps)
    program.instructions[jump].d = here();
}

Result<Program> compile(const Model &model, const SimulateOptions &options) {
  return Compiler(model, options).run();
}

} // namespace quincunx::pamela
