// The process of one function, from its tree of regions. Reference: docs/12-pamela.md, "From
// programs".
#pragma once

#include "ExportText.h"
#include "quincunx/report/Model.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace quincunx {

/// Names of the language, no two the same.
class ExportNames {
public:
  explicit ExportNames(const CallGraph &g) : graph(g) {}
  /// Names the process of one call of the function.
  const std::string &process(uint32_t function);
  /// Names a number of the function.
  const std::string &parameter(uint32_t function, const std::string &what);

private:
  std::string unique(std::string name);
  const CallGraph &graph;
  std::map<std::pair<uint32_t, std::string>, std::string> names;
  std::set<std::string> used{"main", "cpu", "P"};
};

/// What all processes of a model share.
struct ExportPlan {
  explicit ExportPlan(const ModelReport &report) : m(report), names(report.graph) {}
  const ModelReport &m;
  ExportNames names;
  /// Threads run on processors that are resources, and processes say on which: `name(p)`.
  bool onProcessors = false;
  bool usesIndices = true; ///< bodies may depend on an index, and be gone through
  /// The team that runs a function (OpenMP): how many threads, and the parameter that says so.
  struct Team {
    double threads = 0;
    std::string parameter;
    std::vector<uint32_t> shared; ///< loops of which the team shares the passes
  };
  std::map<uint32_t, Team> teams;
  bool mayStart(uint32_t function, uint32_t callee) const; ///< not one that starts it in turn
};

struct ExportedProcess {
  struct Parameter {
    std::string name;
    double value = 0;
    std::string comment;
    bool operator<(const Parameter &o) const { return name < o.name; }
  };
  struct Fork {
    pamela::Tree tree;
    uint32_t callee = 0;
    double perCall = 0;  ///< threads that a call of the function starts
    Cumulants untilLast; ///< of one fork, in the model
  };
  pamela::Tree body;
  bool isTeam = false; ///< it is what all threads of a team do, and has no processor
  std::vector<uint32_t> callees;
  std::vector<Fork> forks;
  std::set<Parameter> parameters;
  NodeComments comments;
};

/// Exports a tree; the process has its moments, but for threads, which are not in these.
ExportedProcess exportProcess(ExportPlan &plan, const ModelledTree &tree);
/// Exports the cost of a call, with as many calls and threads, where the tree does not have the
/// moments of it.
ExportedProcess exportAsOne(ExportPlan &plan, const ModelledTree &tree, const Cumulants &cost);
/// Exports nothing but the cost of a call.
ExportedProcess exportAlone(const ExportPlan &plan, const Cumulants &cost);

/// delay(cost), or use(cpu(processor), cost).
pamela::Tree taking(const Cumulants &cost, const pamela::Tree &processor);
/// Equal up to rounding.
bool alike(const Cumulants &a, const Cumulants &b);
/// Comments its forks: what they cost in `model`, which has all processes, and in that of the
/// program.
void judgeForks(std::map<uint32_t, ExportedProcess> &processes, const CallGraph &graph,
                const Display &display, pamela::Model model);
/// Most parts of a tree that are looked at to say what threads cost.
inline constexpr size_t maxForkSteps = 2000000;
/// The outermost loops of an outlined function whose passes its team shares.
std::vector<uint32_t> sharedLoops(const Function &f);
/// Whether it waits for a thread that was started one by one.
bool joinsThreads(const Call &c);
/// How many threads a call of `f` starts one by one at `fork`; 0: it starts teams.
double oneByOne(const Function &f, const ModelledTree &tree, const ModelledCall &fork);

} // namespace quincunx
