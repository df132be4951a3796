// Budgets, one a line, asked of the runs of a small program, and as they stand at functions. One is
// refused in one line, or has an answer: an interval about its figure, sentences that a terminal
// can show, XML and JSON that can be read, and asked again it is the same. Reference:
// docs/22-budgets.md.
#include "Target.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/CheckBudgets.h"
#include "quincunx/report/Budgets.h"

#include "estimate/Synthetic.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

namespace quincunx::fuzz {

namespace {

using namespace test;

Function calling(const std::string &name, const std::string &callee) {
  Function f = guardedCall(name, 0);
  f.calls = {{0, callee, false, {21, 5, 0}}};
  return f;
}

/// A program whose work() loops, with forty inputs that ran twice each.
struct Program {
  std::vector<Map> maps;
  std::vector<Corpus> corpus; ///< one
  Machine machine = *machineByName("x86-64");

  Program() {
    const std::string path = scratchFile("budgets.qx");
    const RawMap raw = rawOf({loopWithBranch("work"), calling("g", "malloc")});
    Result<Corpus> made = Corpus::open(path, Corpus::Mode::write);
    const Result<Map> map = decodeMap(raw);
    if (!made || !map || !made->addMap(raw, "/bin/prog"))
      wrong("no corpus");
    Random random(1);
    for (uint64_t i = 0; i < 80; ++i) {
      const uint64_t n = 1 + i / 2;
      Run run = test::runOf(std::to_string(i), *map, {1, n, random.below(9), n, n});
      run.label = std::to_string(i / 2);
      run.features = {{"n", static_cast<double>(n)}, {"size", 100.0 * static_cast<double>(n)}};
      if (!made->add(run))
        wrong("a run is none");
    }
    maps = *made->maps();
    corpus.push_back(std::move(*made));
  }
};

/// Of the lines; those that ask a machine file, or for more than a few changes, are left out.
std::vector<Budget> budgetsIn(const std::string &input) {
  std::vector<Budget> out;
  for (const std::string_view line : fields(input, '\n')) {
    for (Result<Budget> b : {parseBudget(line), parseBudgetOf("work", "work", line)}) {
      judgeError(b);
      if (!b || b->changes.size() > 4 ||
          std::ranges::any_of(b->changes, [](const Change &c) { return !c.file.empty(); }))
        continue;
      if (!b->isOfSource && b->text.size() > line.size())
        wrong("a budget that is longer than its text", b->text);
      if (b->isOfSource) // with its name it is a budget by itself
        if (const Result<Budget> whole = parseBudget(b->text); !whole || whole->bound != b->bound)
          wrong("a budget of the source that is none by itself", b->text);
      out.push_back(std::move(*b));
    }
    if (out.size() >= 6)
      break;
  }
  return out;
}

void judgeText(const std::string &text) {
  for (const std::string_view line : fields(text, '\n'))
    if (!line.empty() && printable(line, line.size()) != line) // names are cut, lines are not
      wrong("a line that drives a terminal", std::string(line));
}

/// In all formats.
std::string printed(const BudgetReport &report) {
  std::ostringstream text;
  printBudgets(report, {}, text);
  printAnnotations(report, text);
  judgeText(text.str());
  const std::string sarif = sarifOf(report);
  if (!nlohmann::json::accept(sarif))
    wrong("no JSON", sarif);
  return text.str() + sarif + junitOf(report) + markdownOf(report);
}

void judge(const std::string &input) {
  static const Program program;
  const std::vector<Budget> all = budgetsIn(input);
  const RunSource runs{program.corpus.front(), program.maps, {}};
  for (const Budget &b : all) {
    if (b.isPerRequest()) // of another source of runs
      continue;
    const auto ask = [&] {
      return checkBudgets({&b, 1}, {runs, runs, program.machine}, NameReader());
    };
    const Result<std::vector<CheckedBudget>> answer = ask();
    judgeError(answer);
    if (!answer) {
      if (b.isOfSource)
        wrong("a budget of the source that is an error", answer.error().text);
      continue;
    }
    const CheckedBudget &c = answer->front();
    if (std::isnan(c.interval.low) || std::isnan(c.interval.high) ||
        c.interval.low > c.interval.high)
      wrong("an interval that is none", b.text);
    if (!std::isnan(c.value) && (c.value < c.interval.low || c.value > c.interval.high) &&
        c.answer != BudgetAnswer::cannotTell)
      wrong("a figure outside of its interval", b.text);
    BudgetReport report;
    report.corpus = "fuzz.qx";
    report.budgets = *answer;
    BudgetReport again = report;
    again.budgets = *ask();
    if (printed(report) != printed(again))
      wrong("an answer is another one the second time");
  }
}

} // namespace

const Target target{judge};

} // namespace quincunx::fuzz
