// Prints what is known of the branches and loops of one function, a row each. It judges nothing
// itself.
#include "BranchTables.h"

#include "quincunx/base/Text.h"
#include "quincunx/model/Arms.h"
#include "report/layout/Grid.h"

namespace quincunx {

namespace {

std::string placeOf(const Function &f, const Location &at, const Display &display) {
  std::string where;
  if (at.line != 0)
    where.append("line ").append(std::to_string(at.line));
  if (at.column != 0)
    where.append(":").append(std::to_string(at.column));
  if (at.scope != 0 && at.scope < f.scopes.size())
    where.append(" in ").append(display.function(f.scopes[at.scope].function));
  return where;
}

/// What the counts of the runs say of independent outcomes with one probability, or trips.
std::string verdict(const Dispersion &d) {
  if (d.trust.low > 1)
    return "refuted: runs differ, or they cluster";
  if (d.trust.high < 1)
    return "refuted: they make up for each other";
  return "holds";
}

/// What "true" stands for where the source's sense of a branch is not known.
std::string takenArm(const Function &f, const Branch &branch) {
  const uint32_t line = lineBehind(f, branch, branch.arms[0]);
  return line != 0 ? "true: to line " + std::to_string(line) : "true: one of the two arms";
}

} // namespace

void printBranches(const Function &f, const ModelledTree &tree, const Display &display,
                   std::ostream &out) {
  if (tree.branches.empty())
    return;
  Grid grid({"per call", "true", "rate of variance", "phi", "90 %", "branch", "independence"}, 2);
  grid.holdsSentences();
  for (const ModelledBranch &b : tree.branches) {
    std::string what = b.dispersion ? verdict(*b.dispersion) : "";
    if (f.branches[b.branch].ofIndex)
      what.append("indices of loops say when");
    if (!b.why.empty())
      what.append(what.empty() ? "" : "; ").append(b.why);
    if (const Branch &branch = f.branches[b.branch]; !branch.senseKnown)
      what.append(what.empty() ? "" : "; ").append(takenArm(f, branch));
    grid.add({figure(b.n / tree.executed.entries), percent(b.p),
              figure(b.rate ? b.rate->k2 : b.p * (1 - b.p)),
              b.dispersion ? figure(b.dispersion->phi) : "",
              b.dispersion ? figure(b.dispersion->trust) : "",
              escape(placeOf(f, f.branches[b.branch].at, display)), printable(what)});
  }
  grid.print(out, display);
  out << "\n";
}

void printLoops(const Function &f, const ModelledTree &tree, const Display &display,
                std::ostream &out) {
  if (tree.loops.empty())
    return;
  Grid grid({"entered per call", "trips", "phi", "90 %", "loop", "independence"}, 2);
  grid.holdsSentences();
  for (const ModelledLoop &l : tree.loops) {
    const Dispersion &d = l.dispersion;
    std::string what = d.runs >= 2 ? verdict(d) : "";
    if (l.along != 0)
      what.append("; ").append(figure(l.along)).append(" more for each trip of the loop around it");
    grid.add({figure(l.entries / tree.executed.entries), figure(d.p),
              d.runs >= 2 ? figure(d.phi) : "", d.runs >= 2 ? figure(d.trust) : "",
              placeOf(f, f.loops[l.loop].at, display), what});
  }
  grid.print(out, display);
  out << "\n";
}

void printGuesses(const Function &f, const ModelledTree &tree, const Display &display,
                  std::ostream &out) {
  if (tree.branches.empty())
    return;
  Grid grid({"guessed per call", "guessed true", "branch"}, 1);
  for (const ModelledBranch &b : tree.branches)
    grid.add({figure(b.n / tree.executed.entries), percent(b.p),
              placeOf(f, f.branches[b.branch].at, display)});
  grid.print(out, display);
  out << "\n";
}

} // namespace quincunx
