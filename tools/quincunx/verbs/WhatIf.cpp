// quincunx whatif: what runs would cost with other costs, another machine, another mix of inputs.
// The answer is lib/estimate's, its text lib/report's; here are only the options.
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/ThreadChanges.h"
#include "quincunx/report/ThreadsWhatIf.h"
#include "quincunx/report/WhatIf.h"

#include "arguments/NamesAsked.h"
#include "arguments/RowGroups.h"
#include "arguments/TimesOfThreads.h"
#include "record/ShellWords.h"
#include "system/NextStep.h"
#include "system/TerminalTraits.h"
#include "system/WrappedNotes.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

namespace quincunx::tool {

namespace {

struct WhatIfArguments {
  CorpusOptions corpus;
  std::vector<std::string> changes, sweeps;
  std::string show = "p50,p90,p99";
  bool json = false;
  double processors = std::numeric_limits<double>::infinity();
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

/// "1..64", "0..1..0.05" or "1,2,4"; nothing where it is none of them.
Result<std::vector<double>> parseValues(const std::string &text) {
  const Error wrong{""};
  const size_t dots = text.find("..");
  std::vector<double> values;
  if (dots == std::string::npos) {
    for (const std::string_view word : fields(text, ',')) {
      double x = 0;
      if (!parseNumber(word, x) || x < 0)
        return wrong;
      values.push_back(x);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }
  const size_t more = text.find("..", dots + 2);
  double from = 0, to = 0, step = 1;
  const bool good =
      parseNumber(text.substr(0, dots), from) &&
      parseNumber(text.substr(dots + 2, more == std::string::npos ? more : more - dots - 2), to) &&
      (more == std::string::npos || parseNumber(text.substr(more + 2), step));
  if (!good || step <= 0 || from < 0 || from > to)
    return wrong;
  const double steps = std::floor((to - from) / step * (1 + 1e-12));
  if (steps >= maxPoints)
    return Error{" has more than " + exact(maxPoints) + " points"};
  for (size_t i = 0; i <= static_cast<size_t>(steps); ++i)
    values.push_back(from + static_cast<double>(i) * step);
  return values;
}

/// "x=1..64".
Status parseSweep(const std::string &text, std::string &variable, std::vector<double> &points) {
  const size_t equals = text.find('=');
  variable = text.substr(0, equals);
  Result<std::vector<double>> values =
      parseValues(equals == std::string::npos ? "" : text.substr(equals + 1));
  if (values && !variable.empty()) {
    points = std::move(*values);
    return Done{};
  }
  const std::string why = values ? "" : values.error().text;
  return Error{
      "--sweep " + escape(text) +
      (why.empty() ? " is not NAME=FROM..TO, NAME=FROM..TO..STEP or NAME=VALUE,..." : why)};
}

/// The second sweep is the columns of a table.
Status parseSweeps(const std::vector<std::string> &texts, WhatIfOptions &out) {
  if (texts.size() > 2)
    return Error{"--sweep takes one variable or two, not " + std::to_string(texts.size())};
  Status s = Done{};
  if (!texts.empty())
    s = parseSweep(texts[0], out.variable, out.points);
  if (s && texts.size() == 2)
    s = parseSweep(texts[1], out.otherVariable, out.otherPoints);
  if (s && texts.size() == 2 && out.variable == out.otherVariable)
    return Error{"two sweeps of '" + escape(out.variable) + "'"};
  if (s && static_cast<double>(out.points.size() * out.otherPoints.size()) > maxPoints)
    return Error{"both --sweep have more than " + exact(maxPoints) + " points together"};
  return s;
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

std::vector<std::string> filesIn(const std::vector<Change> &changes) {
  std::vector<std::string> files;
  for (const Change &c : changes)
    if (!c.place.file.empty())
      files.push_back(c.place.file);
  return files;
}

void noteRequests(const RequestFunction &f, WhatIfAnswer &answer) {
  answer.request = f.name;
  if (f.ended > f.kept)
    answer.notes.push_back({"sampled", std::to_string(f.kept) + " of " + std::to_string(f.ended) +
                                           " requests were kept, drawn at random"});
}

/// Answers and prints the question; the exit status.
int ask(const WhatIfArguments &options, const std::vector<Change> &changes,
        WhatIfOptions question) {
  Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  if (const auto grouped = groupRows(*priced, options.corpus, filesIn(changes)); !grouped)
    return fail(grouped.error());
  const Display display = readersDisplay(priced->names);
  static_cast<NameReader &>(question) = namesAsked(display);
  question.observed = priced->requests ? "request" : "run";
  const bool ofCalls = std::any_of(changes.begin(), changes.end(), [](const Change &c) {
    return c.isInclusive() || c.target == Change::Target::probability ||
           c.target == Change::Target::trips;
  });
  const Result<CountMatrix> counts =
      readCounts(priced->runs(), ofCalls ? Corpus::ReadMask::recorders : Corpus::ReadMask::counts);
  if (!counts)
    return fail(counts.error());
  Result<WhatIfAnswer> answer = whatIf(BlockCosts(*counts, priced->maps, priced->machine),
                                       priced->machine, changes, question);
  if (!answer)
    return fail(answer.error());
  if (priced->requests)
    noteRequests(*priced->requests, *answer);
  if (!options.json) {
    printWhatIf(*answer, display, std::cout);
    printNext(std::cout, joinWords({"run", "-o", options.corpus.path, "--tag", "changed"}) + " ...",
              "when it is changed, and report --build changed");
  } else if (Status s = printWhatIfJson(*answer, options.corpus.path, std::cout); !s)
    return fail(s.error());
  return finishOutput("the answer");
}

/// The same of changes that make threads wait for each other for another time.
int askOfThreads(const WhatIfArguments &options, const std::vector<Change> &changes,
                 const WhatIfOptions &question) {
  const Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  if (priced->requests)
    return failUsage(Error{"requests have no threads of their own; ask of runs (--per run)"});
  const Result<ThreadChanges> meant = threadChanges(priced->corpus, priced->maps, changes);
  if (!meant)
    return fail(meant.error());
  const Result<Observed> observed = observe(*priced);
  if (!observed)
    return fail(observed.error());
  const Result<TimesOfThreads> of =
      timesOfThreads(*priced, *observed, meant->strands, {.asked = options.processors});
  if (!of)
    return fail(of.error());
  const ThreadsWhatIf answer{meant->changes, question.percentiles, of->notes, of->processors.asked,
                             meant->strands.threads != 0};
  if (options.json) {
    const Status printed = printThreadsWhatIfJson(of->times, answer, std::cout);
    return printed ? finishOutput("the answer") : fail(printed.error());
  }
  printThreadsWhatIf(of->times, answer, readersDisplay(priced->names), std::cout);
  printNext(std::cout, joinWords({"scale", options.corpus.path}));
  return finishOutput("the answer");
}

int runWhatIf(const WhatIfArguments &options) {
  WhatIfOptions question;
  const Result<std::vector<Change>> changes = parseChanges(options.changes);
  Status s = changes ? parseShow(options.show, question) : Status(changes.error());
  if (s)
    s = parseSweeps(options.sweeps, question);
  if (!s)
    return failUsage(s.error());
  writeInLargePieces();
  const bool areOfThreads = std::ranges::all_of(*changes, &Change::isOfThreads);
  if (std::isfinite(options.processors) && !areOfThreads)
    return failUsage(Error{"--processors is of wall times: ask of what threads do (lock, work, "
                           "schedule, join, threads)"});
  if (areOfThreads)
    return options.sweeps.empty()
               ? askOfThreads(options, *changes, question)
               : failUsage(Error{"--sweep is of costs; ask each value of changes of threads"});
  return ask(options, *changes, std::move(question));
}

} // namespace

void addWhatIf(CLI::App &app, int &status) {
  auto options = std::make_shared<WhatIfArguments>();
  CLI::App *verb = app.add_subcommand("whatif", "Show what runs would cost if something changed");
  verb->footer(
      "Examples:\n"
      "  quincunx whatif prog.qx 'cost(parse) *= 0.5'\n"
      "  quincunx whatif prog.qx 'cost(lines json.c:100-180) = moments(40,900,2,9)'\n"
      "  quincunx whatif prog.qx 'calls(malloc) := 90' 'machine = other.machine'\n"
      "  quincunx whatif prog.qx 'price(divide) *= 0.5' 'price(fault) = 800'\n"
      "  quincunx whatif prog.qx 'mix(size) = mix.tsv' --show p50,p99.9\n"
      "  quincunx whatif prog.qx 'trips(loop json.c:57) *= 4'\n"
      "  quincunx whatif prog.qx 'p(branch json.c:61:12) = 0.2' 'size(n) = 4096'\n"
      "  quincunx whatif prog.qx 'calls(lookup) *= 3' 'total(render) *= 0.5'\n"
      "  quincunx whatif prog.qx 'cost(parse) *= x' --sweep x=0..2..0.1\n"
      "  quincunx whatif prog.qx 'calls(f) *= x' 'total(g) *= y' --sweep x=1..4 --sweep y=0.5,1\n"
      "  quincunx whatif --per request --json server.qx 'cost(lookup) *= 2'\n"
      "  quincunx whatif prog.qx 'lock(queue.c:40) = none' 'work(thread pool.c:12) *= 0.5'\n"
      "  quincunx whatif prog.qx 'schedule(smooth.c:12) = dynamic,16' 'threads = 64'\n"
      "  quincunx whatif prog.qx 'schedule(loop main.c:30) = static' 'threads = 8'\n"
      "  quincunx whatif prog.qx 'join(thread search.c:44) = first'\n"
      "Changes take effect in this order: machine, its prices, costs as they are given, calls and "
      "totals, p and trips as they are given, mix, size.");
  addCorpusArgument(*verb, options->corpus);
  verb->add_option(
          "changes", options->changes,
          "cost(FUNCTION), cost(lines FILE:FROM-TO) or calls(FUNCTION) = COST, "
          "cost(...) *= FACTOR, calls(FUNCTION) *= FACTOR (called so many times as often), "
          "total(FUNCTION) *= FACTOR (its calls with all they call), machine = FILE, "
          "price(CLASS|EVENT) = COST or *= FACTOR, mix(FEATURE) = FILE, "
          "p(branch FILE:LINE[:COLUMN]) = P, trips(loop FILE:LINE[:COLUMN]) *= FACTOR or = N, "
          "size(FEATURE) = SIZE; of wall times of programs with threads: lock(FILE:LINE) = none or "
          "own, work(thread FILE:LINE) *= FACTOR (of threads, teams or tasks begun there), "
          "schedule(FILE:LINE) = SCHEDULE (of the loop that a team of OpenMP shares), "
          "schedule(loop FILE:LINE) = SCHEDULE (of one that one thread goes through, built with "
          "loop=FILE:LINE), join(thread FILE:LINE) = first (threads begun there end with the first "
          "of them), threads = N")
      ->required()
      ->type_name("CHANGE");
  verb->add_flag("--json", options->json, "The answer at full precision, for programs");
  verb->add_option("--show", options->show, "Percentiles to show (default: p50,p90,p99)")
      ->type_name("P,...");
  verb->add_option(
          "--sweep", options->sweeps,
          "A line for each value of a variable in the changes (step: 1); of two variables, "
          "a table for each figure")
      ->allow_extra_args(false)
      ->type_name("X=FROM..TO[..STEP]|X=VALUE,...");
  verb->add_option(
          "--processors", options->processors,
          "Of changes of what threads do: they share so many (default: each thread has one)")
      ->check(CLI::Range(1, 1'000'000).description(""))
      ->type_name("N");
  addNames(*verb, options->corpus);
  addForeignOptions(*verb, options->corpus.foreign);
  addCorpusOptions(*verb, options->corpus,
                   "Cost of whole runs, or of requests: calls of a marked function (default: run)");
  verb->callback([options, &status] { status = runWhatIf(*options); });
}

} // namespace quincunx::tool
