// Builders for models in tests: each function makes one node of the tree.
#pragma once

#include "quincunx/pamela/Ast.h"

#include <initializer_list>
#include <string>
#include <utility>

namespace quincunx::pamela::test {

inline Tree node(Op op, std::vector<Tree> args, std::string text = {}, double value = 0) {
  return std::make_shared<const Node>(Node{op, value, std::move(text), std::move(args), {0, 7, 3}});
}
inline Tree num(double x) { return node(Op::number, {}, {}, x); }
inline Tree name(std::string text, std::vector<Tree> args = {}) {
  return node(Op::name, std::move(args), std::move(text));
}
inline Tree law(std::string text, std::vector<double> parameters) {
  std::vector<Tree> args;
  for (const double p : parameters)
    args.push_back(num(p));
  return node(Op::law, std::move(args), std::move(text));
}
inline Tree call(std::string text, std::vector<Tree> args) {
  return node(Op::call, std::move(args), std::move(text));
}
inline Tree delay(Tree t) { return node(Op::delay, {std::move(t)}); }
inline Tree delay(double t) { return delay(num(t)); }
inline Tree fcfs(Tree index, Tree servers) { return node(Op::fcfs, {index, servers}); }
inline Tree fcfs(double index, double servers = 1) { return fcfs(num(index), num(servers)); }
inline Tree use(Tree resource, Tree t) { return node(Op::use, {resource, t}); }
inline Tree use(Tree resource, double t) { return use(std::move(resource), num(t)); }
inline Tree sequence(std::vector<Tree> parts) { return node(Op::sequence, std::move(parts)); }
inline Tree parallel(std::vector<Tree> parts) { return node(Op::parallel, std::move(parts)); }
inline Tree seq(std::string index, Tree from, Tree to, Tree body) {
  return node(Op::seq, {from, to, body}, std::move(index));
}
inline Tree seq(double count, Tree body) { return seq("i", num(1), num(count), std::move(body)); }
inline Tree par(std::string index, Tree from, Tree to, Tree body) {
  return node(Op::par, {from, to, body}, std::move(index));
}
inline Tree par(double count, Tree body) { return par("p", num(1), num(count), std::move(body)); }
inline Tree any(double k, Tree parts) { return node(Op::any, {num(k), std::move(parts)}); }
inline Tree branch(Tree c, Tree then) { return node(Op::branch, {c, then}); }
inline Tree branch(Tree c, Tree then, Tree otherwise) {
  return node(Op::branch, {c, then, otherwise});
}
/// Selector (null: none), then values and what they select.
inline Tree select(std::vector<Tree> args) { return node(Op::select, std::move(args)); }
inline Tree binary(Op op, Tree a, Tree b) { return node(op, {a, b}); }

inline Definition numeric(std::string called, Tree body, std::vector<std::string> arguments = {}) {
  return {Kind::numeric, false, std::move(called), std::move(arguments), std::move(body), {}};
}
inline Definition process(std::string called, Tree body, std::vector<std::string> arguments = {}) {
  return {Kind::process, false, std::move(called), std::move(arguments), std::move(body), {}};
}
inline Definition resource(std::string called, Tree body, std::vector<std::string> arguments = {}) {
  return {Kind::resource, false, std::move(called), std::move(arguments), std::move(body), {}};
}
/// A model with process `main` and other definitions.
inline Model model(Tree main, std::vector<Definition> others = {}) {
  others.push_back(process("main", std::move(main)));
  return {{"m.pam"}, std::move(others), {}, {}};
}
/// par (p = 1, clients) seq (i = 1, rounds) {delay(local); use(fcfs(0, 1), service)}
inline Model machineRepair(double clients, double rounds, Tree local, Tree service) {
  return model(
      par(clients, seq(rounds, sequence({delay(std::move(local)), use(fcfs(0), service)}))));
}

/// The parts of a text, which are made from left to right; the operands of + would be in any order,
/// and random texts different with each compiler.
inline std::string inOrder(std::initializer_list<std::string> parts) {
  std::string all;
  for (const std::string &part : parts)
    all += part;
  return all;
}

} // namespace quincunx::pamela::test
