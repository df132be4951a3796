// Evaluates processes of a model, their times and their demands on resources. Reference:
// docs/12-pamela.md, "What it costs". It does not simulate: who waits for whom is bounded, not
// known.
#pragma once

#include "JoinedLaws.h"
#include "NumberEvaluator.h"
#include "pamela/syntax/Multiplicities.h"
#include "quincunx/pamela/Evaluate.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace quincunx::pamela {

using Demands = std::map<double, Demand>; ///< by the index of the resource

/// What a process costs: its lower bound, its critical path, and what it uses at least.
/// It takes at most path + wait alone; among others sharedPath and what servers do meanwhile of all
/// demands, over their number, of which `work` is its own (with what is cancelled).
struct Times {
  RandomNumber T, phi, path, wait, sharedPath, work;
  Demands demands; ///< each resource that it uses, also if nothing is certain
};
inline constexpr RandomNumber Times::*figuresOfTimes[] = {
    &Times::T, &Times::phi, &Times::path, &Times::wait, &Times::sharedPath, &Times::work};

class ProcessEvaluator {
public:
  ProcessEvaluator(const Model &model, const EvaluateOptions &options) : numbers(model, options) {
    numbers.analysis = [this](std::string_view what, const Node &process) {
      return analysed(what, process);
    };
  }
  Result<Times> of(const Node &n, const Scope *scope);
  /// The largest demand for one server, (4).
  Result<RandomNumber> omega(const Demands &demands);
  /// The largest of the parts and of all demands for one server, (5).
  Result<RandomNumber> bound(const RandomNumber &parts, const Demands &demands);
  NumberEvaluator numbers;

private:
  /// T_main and so on.
  Result<Value> analysed(std::string_view what, const Node &process);
  struct Server {
    double index = 0, multiplicity = 1;
  };
  /// What a name stands for, and the scope in which that was written.
  struct Meaning {
    const Node *body = nullptr;
    const Scope *scope = nullptr;
  };
  /// An argument, or a definition of that kind, whose formal arguments live in `frames`.
  Result<Meaning> meaning(const Node &n, const Scope *scope, Kind kind, std::vector<Scope> &frames);
  Result<Server> resource(const Node &n, const Scope *scope);
  Result<Server> server(const Node &n, const Scope *scope);
  Result<Times> inside(const Node &n, const Scope *scope);
  Result<Times> named(const Node &n, const Scope *scope);
  Result<Times> use(const Node &n, const Scope *scope);
  Result<Times> sequence(const Node &n, const Scope *scope);
  using Parts = std::vector<std::pair<Times, double>>; ///< and how many copies of each
  Result<Times> parallel(const Node &n, const Parts &parts);
  /// path, wait, sharedPath and work of parts of which the k-th that ends is awaited.
  Status boundAbove(const Parts &parts, std::optional<double> k, Times &out);
  /// The k smallest of the demands on a resource.
  Result<RandomNumber> fewest(double k, std::vector<Copies> demands);
  Result<Times> replicated(const Node &n, const Scope *scope);
  /// The parts of `||` or par.
  Result<Parts> parts(const Node &n, const Scope *scope, const Bounds *bounds);
  /// `join` of the parts of `parallel`; where their number is not whole, of one of the two next to
  /// it. `n`: what they are parts of.
  Result<Times> joined(const Node &n, const Node &parallel, const Scope *scope,
                       const std::function<Result<Times>(const Parts &)> &join);
  Result<Times> any(const Node &n, const Scope *scope);
  /// When the k-th of the parts ends.
  Result<Times> kthOf(const Node &n, double k, const Parts &parts);
  Result<Times> branch(const Node &n, const Scope *scope);
  /// The one at this rate, else the other.
  Result<Times> branched(const Node &n, const RandomNumber &rate, const Result<Times> &yes,
                         const Result<Times> &no);
  Result<Times> select(const Node &n, const Scope *scope);
  /// Adds `times` times as much of each demand.
  Status add(const Node &n, const Demands &more, double times, Demands &to);
  Multiplicities multiplicities;
  int depth = 0;
};

} // namespace quincunx::pamela
