// Calibrates a corpus: fits prices to its timed runs and stores them in it. The idea: counts and
// times are both in the corpus, so nothing runs here; reports find the fit in the corpus, and a
// file for other programs holds the machine alone. The fit is lib/estimate's, the text
// lib/report's.
#include "CalibrateCorpus.h"

#include "Verbs.h"
#include "arguments/PricingOptions.h"
#include "arguments/SelectedBuild.h"
#include "record/ShellWords.h"
#include "system/NextStep.h"
#include "system/ReplaceFile.h"
#include "system/TerminalTraits.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/TimedRuns.h"
#include "quincunx/report/Calibrate.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>

namespace quincunx::tool {

namespace {

struct CountedCorpus {
  std::vector<Map> maps;
  CountMatrix matrix;
};

Result<CountedCorpus> readCounted(const Corpus &corpus) {
  Result<std::vector<Map>> maps = corpus.maps();
  if (!maps)
    return maps.error();
  Result<CountMatrix> matrix = readCounts(corpus, *maps);
  if (!matrix)
    return matrix.error();
  return CountedCorpus{std::move(*maps), std::move(*matrix)};
}

/// What the corpus has of counts and times.
struct MeasuredCorpus {
  CountedCorpus counted;
  bool isTimed = false; ///< some input is, whether it was counted or not
  InputTimes timed;
  TimedRuns runs;
};

Result<MeasuredCorpus> readMeasured(const Corpus &corpus, bool needsTimes) {
  const auto program = corpus.timedProgram();
  const auto timings = corpus.timings();
  if (!program || !timings)
    return program ? timings.error() : program.error();
  if (timings->empty() && needsTimes)
    return Error{escape(corpus.path()) +
                 " has no timed runs: time the plain program over the same "
                 "inputs with quincunx run --timed -o " +
                 escape(corpus.path()) +
                 ", or take the prices of a machine that calibrate --machine measured (--guess)"};
  Result<CountedCorpus> counted = readCounted(corpus);
  if (!counted)
    return counted.error();
  MeasuredCorpus out{std::move(*counted), !timings->empty(), {}, {}};
  if (!out.isTimed)
    return out;
  out.timed = estimateTimes(*timings, *program ? (*program)->startUps : std::vector<StartUp>());
  Result<TimedRuns> runs = timedRuns(corpus, out.counted.matrix, out.timed);
  if (!runs)
    return runs.error();
  out.runs = std::move(*runs);
  return out;
}

/// As the options say; nothing is kept.
Result<Calibration> calibrated(const MeasuredCorpus &measured, const Machine &guess,
                               const std::string &missRatesFrom) {
  const auto with = [&](const SimulatedRuns *simulated) {
    const auto &[maps, matrix] = measured.counted;
    return measured.isTimed
               ? calibrate(matrix, maps, guess, measured.runs.runs, stopwatchOf(measured.timed),
                           simulated, measured.runs.sampled)
               : predictUntimed(matrix, maps, guess, simulated);
  };
  if (missRatesFrom.empty())
    return with(nullptr);
  const Result<Corpus> corpus = Corpus::open(missRatesFrom, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  const Result<CountedCorpus> counted = readCounted(*corpus);
  if (!counted)
    return counted.error();
  const SimulatedRuns runs{counted->matrix, counted->maps};
  return with(&runs);
}

void addNotes(const MeasuredCorpus &m, Calibration &c) {
  c.notes.insert(c.notes.end(), m.timed.notes.begin(), m.timed.notes.end());
  if (m.runs.uncounted > 0)
    c.notes.push_back({"uncounted", std::to_string(m.runs.uncounted) +
                                        " of the timed inputs were not counted, and are left out"});
}

/// The build of the program that was there at a time: the last that had begun to be counted, or
/// else the first.
size_t buildAt(const std::vector<Corpus::Build> &byStart, double time) {
  size_t at = 0;
  while (at + 1 < byStart.size() && byStart[at + 1].firstStart <= time)
    ++at;
  return at;
}

/// One word on builds of a program of which another was there when the plain program was timed.
void noteTimedBuild(std::vector<Corpus::Build> builds, const Interval &timed, Calibration &c) {
  std::ranges::sort(builds, {}, &Corpus::Build::firstStart);
  const size_t first = buildAt(builds, timed.low), last = buildAt(builds, timed.high);
  for (size_t b = 0; b < builds.size(); ++b)
    if (builds[b].read > 0 && (b < first || b > last)) {
      const Corpus::Build &then = builds[b < first ? first : last];
      c.notes.push_back(
          {"timed-build",
           "the plain program was timed when build " + escape(then.identity.substr(0, 12)) +
               " of " + escape(fileName(then.path)) + " was counted, and not " +
               escape(builds[b].identity.substr(0, 12)) +
               ": if its source changed in between, these times are of another program (quincunx "
               "corpus rm --timings, then time its plain build)"});
      return;
    }
}

/// Notes which builds were fitted to, and whether times are of them.
Status noteBuilds(const Corpus &corpus, Calibration &c) {
  const auto builds = corpus.builds();
  const auto timings = corpus.timings();
  if (!builds || !timings)
    return builds ? timings.error() : builds.error();
  Interval timed{INFINITY, -INFINITY};
  for (const Timing &timing : *timings)
    for (const Repetition &r : timing.repetitions)
      timed = {std::min(timed.low, r.start), std::max(timed.high, r.start)};
  std::map<std::string, std::vector<Corpus::Build>> byName;
  for (const Corpus::Build &b : *builds) {
    byName[fileName(b.path)].push_back(b);
    // A stranger's corpus may call a build anything, and a line of a machine cannot.
    if (b.read > 0 && b.identity.find_first_not_of("0123456789abcdef") == b.identity.npos)
      c.machine.fit.builds.push_back(b.identity);
  }
  for (const auto &[name, of] : byName)
    if (timed.low <= timed.high)
      noteTimedBuild(of, timed, c);
  return Done{};
}

/// For other programs: without what was found out about this one.
Status writeMachine(Machine machine, const std::string &out) {
  machine.fit = {};
  machine.name = machineName(out);
  return replaceFile(out, printMachine(machine));
}

} // namespace

std::string machineName(const std::string &file) {
  std::string name = std::filesystem::path(file).stem().string();
  // '#' and line breaks would end the name in the file.
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '#' || c == '\n' || c == '\r'; }, '_');
  return name.empty() ? "measured" : name;
}

namespace {

/// What was fitted, and to what.
struct FittedCorpus {
  MeasuredCorpus measured;
  Calibration calibration;
};

Result<FittedCorpus> fit(const CalibrateOptions &options) {
  const Result<Machine> guess = machineByName(options.guess.empty() ? usualMachine : options.guess);
  if (!guess)
    return guess.error();
  Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  if (const Status s = selectBuild(*corpus, options.build); !s)
    return s.error();
  Result<MeasuredCorpus> measured = readMeasured(*corpus, guess->unit != "ns");
  if (!measured)
    return measured.error();
  Result<Calibration> calibration = calibrated(*measured, *guess, options.missRatesFrom);
  if (!calibration)
    return calibration.error();
  calibration->machine.fit.medianError = calibration->medianError;
  addNotes(*measured, *calibration);
  if (const Status s = noteBuilds(*corpus, *calibration); !s)
    return s.error();
  corpus = Corpus::open(options.corpus, Corpus::Mode::write);
  if (!corpus)
    return corpus.error();
  if (const Status s = corpus->setCalibration(printMachine(calibration->machine)); !s)
    return s.error();
  if (!options.out.empty()) // where nothing was timed, nothing was learnt
    if (const Status s =
            writeMachine(measured->isTimed ? calibration->machine : *guess, options.out);
        !s)
      return s.error();
  return FittedCorpus{std::move(*measured), std::move(*calibration)};
}

} // namespace

Result<std::string> calibrateInALine(const CalibrateOptions &options) {
  const Result<FittedCorpus> fitted = fit(options);
  if (!fitted)
    return fitted.error();
  const Calibration &c = fitted->calibration;
  char text[120];
  std::snprintf(text, sizeof text,
                "%zu timed inputs: the error of one that was not is %.1f %% in the median, %.1f %% "
                "at p90",
                c.runs, 100 * c.medianError, 100 * c.p90Error);
  std::string line = text;
  for (const Note &note : c.notes)
    if (note.kind == "timed-build")
      line += "\nquincunx: note: " + printable(note.text);
  return line;
}

int calibrateCorpus(const CalibrateOptions &options) {
  const Result<FittedCorpus> fitted = fit(options);
  if (!fitted)
    return fail(fitted.error());
  const auto &[measured, calibration] = *fitted;
  Status printed = Done{};
  if (options.json)
    printed = printCalibrationJson(calibration, measured.counted.matrix, measured.timed,
                                   options.corpus, std::cout);
  else {
    printCalibration(calibration, measured.counted.matrix, measured.timed, options.top,
                     readersDisplay(), std::cout);
    printNext(std::cout, joinWords({"report", options.corpus}));
  }
  return printed ? finishOutput("the calibration") : fail(printed.error());
}

} // namespace quincunx::tool
