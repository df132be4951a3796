// Changes as `quincunx whatif` takes them, one a line, asked of the runs of a small program; behind
// an empty line the mix of inputs that they name. A change is refused in one line, or the answer
// has figures that can be: percentiles ascend, nothing is NaN, and asked again it is the same.
// Reference: docs/17-what-if.md.
#include "Target.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/WhatIf.h"

#include "estimate/Synthetic.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

namespace quincunx::fuzz {

namespace {

using namespace test;

/// work() loops, and in each trip calls g or another function through a pointer, or calls malloc;
/// g calls h. Counters as in loopWithBranch.
Function work() {
  Function f = loopWithBranch("work");
  f.branches = {{1, true, {2, 3, 4}, noIndex, noIndex, false, {4, 9, 0}}};
  f.loops = {{1, noIndex, {1}, {5, 6}, "", false, noIndex, {}, {4, 3, 0}}};
  f.calls = {
      {2, "g", false, {5, 5, 0}}, {3, "malloc", false, {7, 5, 0}}, {2, "", false, {6, 5, 0}}};
  return f;
}

Function branching() {
  Function f = loopWithBranch("h");
  f.blocks.resize(6);
  f.edges = {{noIndex, 0, EdgeKind::entry, 0},
             {0, 1, EdgeKind::flow, noIndex},
             {1, 2, EdgeKind::flow, noIndex},
             {1, 5, EdgeKind::flow, noIndex},
             {2, 3, EdgeKind::flow, noIndex},
             {2, 4, EdgeKind::flow, noIndex},
             {3, 1, EdgeKind::flow, 1},
             {4, 1, EdgeKind::flow, 2},
             {5, noIndex, EdgeKind::leave, noIndex}};
  f.blocks[5] = {{{InstructionClass::add, 1}}, {{9, 1, 0}}};
  f.branches = {{1, false, {2, 3}, noIndex, noIndex, false, {4, 8, 0}},
                {2, false, {4, 5}, noIndex, noIndex, false, {5, 9, 0}}};
  f.loops = {{1, noIndex, {1}, {6, 7}, "", false, noIndex, {}, {4, 3, 0}}};
  return f;
}

Function calling(const std::string &name, const std::string &callee) {
  Function f = guardedCall(name, 0);
  f.calls = {{0, callee, false, {21, 5, 0}}};
  return f;
}

struct Program {
  std::vector<Map> maps{mapOf({work(), calling("g", "h"), branching()})};
  Machine machine = *machineByName("x86-64");
  CountMatrix counts;

  Program() {
    CountMatrixBuilder builder(maps, 40);
    Random random(1);
    for (uint64_t i = 0; i < 40; ++i) {
      const uint64_t g = 1 + random.below(50), rest = random.below(9);
      Run run =
          test::runOf(std::to_string(i), maps[0], {1, g, rest, g, g, g, g * random.below(4), g * 2},
                      random.oneIn(20) ? Outcome::cutShort : Outcome::finished);
      run.features = {{"n", static_cast<double>(g + rest)},
                      {"size", 100.0 * static_cast<double>(g)}};
      run.texts = {{"kind", random.oneIn(3) ? "a" : "b"}};
      if (const Status added = builder.add(run); !added)
        wrong("the program is none", added.error().message());
    }
    counts = *builder.finish();
  }
};

void judgeAnswer(const WhatIfAnswer &a) {
  const auto judgeFigures = [&](const char *when, auto valueOf) {
    double before = -HUGE_VAL;
    for (const Compared &f : a.figures) {
      const double value = valueOf(f);
      if (std::isnan(value))
        wrong(std::string("a figure is not a number ") + when, f.name);
      if (f.name.starts_with('p') && value < before * (1 - 1e-9) - 1e-9)
        wrong(std::string("percentiles do not ascend ") + when, f.name);
      if (f.name.starts_with('p'))
        before = value;
      if (f.name == "sd" && value < 0)
        wrong(std::string("a deviation is below 0 ") + when);
    }
  };
  judgeFigures("before", [](const Compared &f) { return f.before.value; });
  if (a.points.empty())
    judgeFigures("after", [](const Compared &f) { return f.after.value; });
  for (const SweepPoint &point : a.points)
    for (const double value : point.after)
      if (std::isnan(value))
        wrong("a figure of a sweep is not a number");
}

/// As text, and as JSON.
std::string printed(const WhatIfAnswer &a) {
  std::ostringstream text, json;
  printWhatIf(a, {}, text);
  if (const Status s = printWhatIfJson(a, "fuzz", json); !s)
    wrong("an answer that cannot be printed", s.error().message());
  if (!nlohmann::json::accept(json.str()))
    wrong("no JSON", json.str());
  return text.str() + json.str();
}

WhatIfOptions questionOf(const std::vector<Change> &changes) {
  WhatIfOptions question;
  for (const Change &c : changes)
    for (const std::string &name : {c.variable, c.otherVariable}) {
      if (name.empty() || name == question.variable || name == question.otherVariable)
        continue;
      const bool first = question.variable.empty();
      (first ? question.variable : question.otherVariable) = name;
      (first ? question.points : question.otherPoints) = {0, 0.5, 1, 3};
    }
  return question;
}

/// Of the lines before the first empty one; none when one is refused, or names a file of ours.
std::vector<Change> changesIn(const std::string &input) {
  const size_t end = std::min(input.find("\n\n"), input.size());
  std::vector<Change> changes;
  for (const std::string_view line : fields(std::string_view(input).substr(0, end), '\n')) {
    Result<Change> change = parseChange(line);
    judgeError(change);
    if (!change || changes.size() == 8)
      return {};
    if (change->target == Change::Target::mix) {
      change->file = scratchFile("mix.tsv");
      writeFile(change->file, input.substr(std::min(end + 2, input.size())));
    } else if (!change->file.empty() && change->file != "unit" && change->file != "x86-64") {
      return {};
    }
    changes.push_back(std::move(*change));
  }
  return changes;
}

void judge(const std::string &input) {
  static const Program program;
  const std::vector<Change> changes = changesIn(input);
  if (changes.empty())
    return;
  const WhatIfOptions question = questionOf(changes);
  const auto ask = [&] {
    return whatIf(BlockCosts(program.counts, program.maps, program.machine), program.machine,
                  changes, question);
  };
  const Result<WhatIfAnswer> answer = ask();
  if (!answer)
    return judgeError(answer);
  judgeAnswer(*answer);
  if (printed(*answer) != printed(*ask()))
    wrong("an answer is another one the second time");
}

} // namespace

const Target target{judge};

} // namespace quincunx::fuzz
