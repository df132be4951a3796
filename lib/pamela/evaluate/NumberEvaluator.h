// Evaluates numbers of a model, where names have values. Reference: docs/12-pamela.md, "What it
// costs". Processes are evaluated by ProcessEvaluator.
#pragma once

#include "JoinedLaws.h"
#include "LawArithmetic.h"
#include "quincunx/pamela/Evaluate.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace quincunx::pamela {

/// A number, random or not, or a vector of them; what is not in `elements` is 0.
struct Value {
  RandomNumber k;
  bool isVector = false;
  std::map<double, RandomNumber> elements;
};

/// What names mean inside of a definition or a loop: an index has a value; an argument is an
/// expression in the scope of whoever passed it.
struct Scope {
  std::string_view name;
  double index = 0;
  const Node *argument = nullptr; ///< null: an index
  const Scope *passedFrom = nullptr;
  const Scope *outer = nullptr;
};

/// How often something is repeated: for the indices from, from + 1 and so on up to `to`; or, where
/// nothing depends on the index, `count` times.
struct Bounds {
  double from = 0, to = 0;
  double count = 0;                   ///< need not be whole
  double part = 0;                    ///< with this probability there is one turn more, behind `to`
  std::optional<RandomNumber> random; ///< a random count
  bool isAverage = false;             ///< `moments(...)`: the count has no spread but that
  bool indexed = false;               ///< what is repeated depends on the index
  double last() const { return part > 0 ? to + 1 : to; }
};

class NumberEvaluator {
public:
  NumberEvaluator(const Model &model, const EvaluateOptions &options);

  Result<Value> value(const Node &n, const Scope *scope);
  Result<RandomNumber> scalar(const Node &n, const Scope *scope);
  Result<double> constant(const Node &n, const Scope *scope, const char *what);
  /// How many parts an `any` awaits.
  Result<double> order(const Node &n, const Scope *scope);
  /// The bounds of a replication.
  Result<Bounds> bounds(const Node &n, const Scope *scope);
  /// The sum of so many draws, where nothing depends on the index.
  RandomNumber times(const Bounds &b, const RandomNumber &x);
  /// What the turn with index i adds, where `x` is what it is if it is made.
  RandomNumber turn(const Bounds &b, double i, const RandomNumber &x);
  /// Rates of a condition: how often it is true per execution.
  Result<RandomNumber> condition(const Node &n, const Scope *scope);
  /// The part of a `select` that its selector means (an index of args; 0: none), or the parts with
  /// their probabilities.
  struct Selected {
    size_t part = 0;
    std::vector<std::pair<size_t, double>> drawn;
  };
  Result<Selected> selected(const Node &n, const Scope *scope);

  /// Where the name is defined; null: nowhere.
  const Definition *definition(std::string_view name) const;
  /// Is it T_main, phi_main, delta_main or omega_main of a process main?
  bool isResult(std::string_view name) const { return processOf(name) != nullptr; }
  /// The scope of the body of a definition that is used as `n`; it lives in `frames`.
  const Scope *enter(const Definition &d, const Node &n, const Scope *scope,
                     std::vector<Scope> &frames) const;
  /// Counts from 0 again, as for another model.
  void restart() { steps = joinedPairs = 0, laws = LawArithmetic(options.steps); }
  static const Scope *find(std::string_view name, const Scope *scope);

  /// The nearest moments that a law can have, with a note; an error when that is asked for.
  Result<Cumulants> admitted(const Cumulants &k);

  /// As it is carried on: with its law, or only its cumulants when that is asked for.
  RandomNumber kept(RandomNumber x) const {
    if (!options.laws)
      x.parts = nullptr;
    return x;
  }

  /// Counts parts that are looked at, and joins; an error when they are too many.
  Status step(const Node &n, size_t parts = 1);
  Error error(const Node &n, const std::string &text) const;
  /// Evaluates what is nested in `n`, one deeper than `level`; an error where that is too deep.
  template <class Evaluate>
  auto nested(const Node &n, int &level, Evaluate evaluate) const -> decltype(evaluate()) {
    constexpr int deepest = 2000; // each takes some hundred bytes of the stack
    if (level >= deepest)
      return error(n, "nested more than " + std::to_string(deepest) + " deep");
    ++level;
    auto result = evaluate();
    --level;
    return result;
  }
  void note(const std::string &text);
  std::vector<std::string> notes;
  /// What T_main, phi_main, delta_main and omega_main are, of the process named by the node; none:
  /// they are not defined.
  std::function<Result<Value>(std::string_view what, const Node &process)> analysis;
  size_t joinedPairs = 0; ///< of laws that were joined
  LawArithmetic laws;     ///< with room for as many parts of laws as parts of trees are looked at

private:
  Error tooMany(const Node &n) const;
  Result<Value> valueOf(const Node &n, const Scope *scope);
  Result<Value> named(const Node &n, const Scope *scope);
  Result<Value> sum(const Node &n, const Scope *scope);
  Result<std::vector<Copies>> copiesOf(const Node &n, const Scope *scope);
  Result<Value> extreme(const Node &n, const Scope *scope);
  Result<Value> arithmetic(const Node &n, const Scope *scope);
  Result<Value> unary(const Node &n, const Scope *scope);
  Result<Value> vector(const Node &n, const Scope *scope);
  Result<Value> called(const Node &n, const Scope *scope);
  Result<Value> together(const Node &n, const std::vector<Value> &values);
  Result<Value> any(const Node &n, const Scope *scope);
  const Definition *processOf(std::string_view name) const;
  Result<Value> analysed(const Node &n);
  Result<Value> extremeOf(const Node &n, const std::vector<Value> &values, bool isMax);
  Result<Value> law(const Node &n, const Scope *scope);
  Result<Value> branch(const Node &n, const Scope *scope);
  Result<Value> select(const Node &n, const Scope *scope);

  const Model &model;
  const EvaluateOptions &options;
  std::unordered_map<std::string_view, const Definition *> definitions;
  size_t steps = 0;
  bool asRates = false;  ///< moments are rates, which need not be those of a law
  bool sawRates = false; ///< there were some
  int depth = 0;
};

/// Does the tree mean the index? Definitions cannot: they see their arguments only.
bool usesIndex(const Node &n, std::string_view index);

} // namespace quincunx::pamela
