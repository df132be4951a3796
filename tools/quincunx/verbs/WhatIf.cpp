// quincunx whatif: what runs would cost with other costs, another machine, another mix of inputs.
// The answer is lib/estimate's, its text lib/report's; here are only the options.
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Names.h"
#include "quincunx/report/WhatIf.h"

#include "arguments/PricedCorpus.h"
#include "system/TerminalTraits.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct Options {
  CorpusOptions corpus;
  std::vector<std::string> changes;
  std::string show = "p50,p90,p99", sweep;
  bool json = false;
};

/// Values that a sweep may take; more is a slip of the pen.
constexpr double maxPoints = 100000;

/// "p50,p99.9".
Status parseShow(const std::string &text, WhatIfOptions &out) {
  out.percentiles.clear();
  for (const std::string_view word : fields(text, ',')) {
    double p = 0;
    if (!word.starts_with('p') || !parseNumber(word.substr(1), p) || p <= 0 || p >= 100)
      return Error{"--show " + escape(text) + ": '" + escape(word) +
                   "' is no percentile; write p50, p99 and so on"};
    out.percentiles.push_back(p / 100);
  }
  return Done{};
}

/// "x=1..64" or "x=0..1..0.05".
Status parseSweep(const std::string &text, WhatIfOptions &out) {
  const Error wrong{"--sweep " + escape(text) + " is not NAME=FROM..TO or NAME=FROM..TO..STEP"};
  const size_t equals = text.find('='), dots = text.find("..", equals);
  if (equals == 0 || equals == std::string::npos || dots == std::string::npos)
    return wrong;
  const size_t more = text.find("..", dots + 2);
  double from = 0, to = 0, step = 1;
  const bool good =
      parseNumber(text.substr(equals + 1, dots - equals - 1), from) &&
      parseNumber(text.substr(dots + 2, more == std::string::npos ? more : more - dots - 2), to) &&
      (more == std::string::npos || parseNumber(text.substr(more + 2), step));
  if (!good || step <= 0 || from < 0 || from > to)
    return wrong;
  const double steps = std::floor((to - from) / step * (1 + 1e-12));
  if (steps >= maxPoints)
    return Error{"--sweep " + escape(text) + " has more than " + exact(maxPoints) + " points"};
  out.variable = text.substr(0, equals);
  for (size_t i = 0; i <= static_cast<size_t>(steps); ++i)
    out.points.push_back(from + static_cast<double>(i) * step);
  return Done{};
}

Result<std::vector<Change>> parseChanges(const std::vector<std::string> &texts) {
  std::vector<Change> changes;
  for (const std::string &text : texts) {
    Result<Change> change = parseChange(text);
    if (!change)
      return change.error();
    changes.push_back(std::move(*change));
  }
  return changes;
}

void noteRequests(const RequestFunction &f, WhatIfAnswer &answer) {
  answer.request = f.name;
  if (f.ended > f.kept)
    answer.notes.push_back({"sampled", std::to_string(f.kept) + " of " + std::to_string(f.ended) +
                                           " requests were kept, drawn at random"});
}

/// Answers and prints the question; the exit status.
int ask(const Options &options, const std::vector<Change> &changes, const WhatIfOptions &question) {
  const Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  const bool flows = std::any_of(changes.begin(), changes.end(), [](const Change &c) {
    return c.target == Change::Target::probability || c.target == Change::Target::trips;
  });
  const Result<CountMatrix> counts = readCounts(
      priced->runs(), flows ? Corpus::ReadMask::recorders : Corpus::ReadMask::counts);
  if (!counts)
    return fail(counts.error());
  Result<WhatIfAnswer> answer = whatIf(BlockCosts(*counts, priced->maps, priced->machine),
                                       priced->machine, changes, question);
  if (!answer)
    return fail(answer.error());
  if (priced->requests)
    noteRequests(*priced->requests, *answer);
  if (!options.json)
    printWhatIf(*answer, wantsColour(), std::cout);
  else if (Status s = printWhatIfJson(*answer, options.corpus.path, std::cout); !s)
    return fail(s.error());
  return finishOutput("the answer");
}

int runWhatIf(const Options &options) {
  WhatIfOptions question;
  question.demangle = demangle;
  const Result<std::vector<Change>> changes = parseChanges(options.changes);
  Status s = changes ? parseShow(options.show, question) : Status(changes.error());
  if (s && !options.sweep.empty())
    s = parseSweep(options.sweep, question);
  if (!s)
    return failUsage(s.error());
  std::ios::sync_with_stdio(false);
  return ask(options, *changes, question);
}

} // namespace

void addWhatIf(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
  CLI::App *verb = app.add_subcommand("whatif", "Show what runs would cost if something changed");
  verb->footer(
      "Examples:\n"
      "  quincunx whatif prog.qx 'cost(parse) *= 0.5'\n"
      "  quincunx whatif prog.qx 'cost(lines json.c:100-180) = moments(40,900,2,9)'\n"
      "  quincunx whatif prog.qx 'calls(malloc) := 90' 'machine = other.machine'\n"
      "  quincunx whatif prog.qx 'mix(size) = mix.tsv' --show p50,p99.9\n"
      "  quincunx whatif prog.qx 'trips(loop json.c:57) *= 4'\n"
      "  quincunx whatif prog.qx 'p(branch json.c:61:12) = 0.2' 'size(n) = 4096'\n"
      "  quincunx whatif prog.qx 'cost(parse) *= x' --sweep x=0..2..0.1\n"
      "  quincunx whatif --per request --json server.qx 'cost(lookup) *= 2'\n"
      "Changes take effect in this order: machine, costs as they are given, p and trips as "
      "they are given, mix, size.");
  addCorpusArgument(*verb, options->corpus);
  verb->add_option(
          "changes", options->changes,
          "cost(FUNCTION), cost(lines FILE:FROM-TO) or calls(FUNCTION) = COST, "
          "cost(...) *= FACTOR, machine = FILE, mix(FEATURE) = FILE, "
          "p(branch FILE:LINE[:COLUMN]) = P, trips(loop FILE:LINE[:COLUMN]) *= FACTOR or = N, "
          "size(FEATURE) = SIZE")
      ->required()
      ->type_name("CHANGE");
  verb->add_flag("--json", options->json, "The answer at full precision, for programs");
  verb->add_option("--show", options->show, "Percentiles to show (default: p50,p90,p99)")
      ->type_name("P,...");
  verb->add_option("--sweep", options->sweep,
                   "A line for each value of a variable in the changes (step: 1)")
      ->type_name("X=FROM..TO[..STEP]");
  addCorpusOptions(*verb, options->corpus,
                   "Cost of whole runs, or of requests: calls of a marked function (default: run)");
  verb->callback([options, &status] { status = runWhatIf(*options); });
}

} // namespace quincunx::tool
