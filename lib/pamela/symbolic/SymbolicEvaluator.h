// Evaluates a model to expressions in its parameters.
// The idea: definitions are put in place of their names, each once for the same arguments. What a
// process costs is three expressions: T, phi and the vector of its demands. Reference:
// docs/12-pamela.md, "Symbolic results".
#pragma once

#include "pamela/algebra/Algebra.h"
#include "pamela/syntax/Names.h"
#include "quincunx/base/Result.h"

#include <optional>
#include <set>

namespace quincunx::pamela {

/// What a process costs. `demands`: a vector, per resource what is used of all its servers.
struct SymbolicTimes {
  Id T = 0, phi = 0, demands = 0;
};

struct SymbolicServer {
  Id place = 0, servers = 1;
};

/// What a name stands for in a definition or a loop.
struct Binding {
  std::string_view name;
  Kind kind = Kind::numeric;
  Id number = 0;
  SymbolicTimes times;
  SymbolicServer server;
  const Binding *outer = nullptr;
};

class SymbolicEvaluator {
public:
  /// `fixed`: numbers without arguments that have this value. `kept`: others that stay parameters;
  /// without it those do that are called so.
  SymbolicEvaluator(const Model &model, const std::map<std::string, double> &fixed,
                    const std::set<std::string> *kept = nullptr);

  Id number(const Node &n, const Binding *scope);
  SymbolicTimes process(const Node &n, const Binding *scope);
  /// What a process without arguments costs.
  SymbolicTimes timesOf(const Definition &d, const Node &use);
  /// Takes for granted what the model says of the ranges of its parameters; trouble when a value
  /// refutes it.
  void stateRanges();
  Id omega(Id demands);
  /// The parts and the demands, as they are large at once.
  Id bound(Id parts, Id demands);

  const Definition *definition(std::string_view name) const;
  /// The first thing that has no expression; what was made since means nothing.
  std::optional<Error> trouble;
  Algebra all;
  /// Parameters that were met, in the order of the text.
  std::vector<const Definition *> parameters() const;

private:
  static const Binding *find(std::string_view name, const Binding *scope);
  /// What each of several processes costs.
  struct Alternatives {
    std::vector<Id> T, phi, demands;
    void add(const SymbolicTimes &t) {
      T.push_back(t.T), phi.push_back(t.phi), demands.push_back(t.demands);
    }
  };
  Alternatives partsOf(const std::vector<Tree> &parts, const Binding *scope);
  Id fail(const Node &n, const std::string &text);
  void stateBound(const Definition &d, const Tree &bound, bool isLeast);
  Id certain(const Node &n, const Binding *scope, const char *what);
  Id numberOf(const Node &n, const Binding *scope);
  Id chain(const Node &n, const Binding *scope);
  Id combined(const Node &n, Id a, Id b);
  Id named(const Node &n, const Binding *scope);
  Id analysed(const Node &n);
  Id called(const Node &n, const Binding *scope);
  std::optional<std::vector<double>> valuesOf(const std::vector<Id> &args) const;
  bool assumeLaw(const Node &n, const std::vector<Id> &args);
  Id law(const Node &n, std::vector<Id> args);
  Id largest(const std::string &function, const std::vector<Id> &args);
  Id over(const Node &n, const Binding *scope);
  Id anyNumber(const Node &n, const Binding *scope);
  /// How many parts an `any` awaits.
  Id order(const Node &n, const Binding *scope);
  Id kthOf(const Node &n, Id k, std::vector<Id> parts);
  SymbolicServer resource(const Node &n, const Binding *scope);
  SymbolicTimes call(const Node &n, const Binding *scope);
  SymbolicTimes use(const Node &n, const Binding *scope);
  SymbolicTimes sequence(const Node &n, const Binding *scope);
  SymbolicTimes parallel(const Node &n, const Binding *scope);
  SymbolicTimes loop(const Node &n, const Binding *scope);
  SymbolicTimes any(const Node &n, const Binding *scope);
  SymbolicTimes chosen(const Node &n, const Binding *scope);
  Id chosenNumber(const Node &n, const Binding *scope);
  std::vector<Id> choice(const Node &n, const Binding *scope, std::vector<const Node *> &parts);
  void assumeProbability(const Node &n, Id p);
  Id mixed(const Node &n, Op op, const std::vector<Id> &head, const std::vector<Id> &parts);
  Id mixedVectors(const Node &n, Op op, const std::vector<Id> &head, const std::vector<Id> &parts);
  /// An index over the bounds of a replication; nothing and a random count where that is random.
  Id index(const Node &n, const Binding *scope, Id &randomCount);
  std::optional<Binding> argument(const Node &n, const Binding *scope);
  Kind kindOf(const Node &n, const Binding *scope) const;
  /// Formal arguments in `frames`; false when there was trouble.
  bool enter(const Definition &d, const Node &n, const Binding *scope, std::vector<Binding> &frames,
             std::vector<Id> &key);

  const Model &model;
  const std::map<std::string, double> &fixed;
  const std::set<std::string> *kept;
  std::unordered_map<std::string_view, const Definition *> definitions;
  std::map<std::pair<const Definition *, std::vector<Id>>, Id> numbersOf;
  std::map<std::pair<const Definition *, std::vector<Id>>, SymbolicTimes> timesOfCalls;
  std::map<std::pair<const Definition *, std::vector<Id>>, SymbolicServer> serversOf;
  std::map<Id, Id> multiplicities; ///< of resources, by their index
  std::set<const Definition *> met;
  int loops = 0, depth = 0;
  bool asRates = false; ///< inside of a condition
};

} // namespace quincunx::pamela
