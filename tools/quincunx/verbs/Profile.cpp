// quincunx profile: from a program and its inputs to percentiles in time, in one command.
// The idea: counting, timing the plain program and calibrating are verbs of their own, which skip
// what is done; here they come one after the other, so that the command can be stopped at any time
// and given again. Without a plain program there is nothing to time, and prices are the machine's.
#include "Verbs.h"

#include "CalibrateCorpus.h"
#include "arguments/RecordingOptions.h"
#include "record/PlainProgram.h"
#include "sample/SampleRuns.h"

#include "quincunx/base/Text.h"

#include <memory>

namespace quincunx::tool {

namespace {

const char *const profileExamples =
    "Usage: quincunx profile -o CORPUS [--plain PROGRAM] [options] -- PROGRAM [words] ::: "
    "INPUTS...\n\n"
    "Examples:\n"
    "  clang-22 $(quincunx flags) -O2 -g -o prog prog.c && clang-22 -O2 -g -o prog-plain prog.c\n"
    "  quincunx profile -o prog.qx --plain ./prog-plain -- ./prog {} ::: inputs/*\n"
    "  quincunx profile -o prog.qx -- ./prog {} ::: inputs/*    # by prices of this machine\n"
    "Counts every input once, times the plain program (seven times each; of more than 100 inputs,\n"
    "100 that are spread over what they cost), calibrates, and reports. What is done is skipped, "
    "so\n"
    "that the same command goes on after Ctrl-C, and takes further inputs. Words are those of\n"
    "quincunx run. Let nothing else run while something is timed.\n"
    "Exit status: that of quincunx run; 1 when times tell no prices, which is said.";

/// Of more, some: a calibration hardly gains from further ones, and each takes seven runs.
constexpr size_t mostTimed = 100;
/// Leave 3 % of noise on a function that takes 5 % of the time.
constexpr size_t samples = 24000;

struct ProfileArguments {
  RecordOptions record;
  std::string plain;
};

/// The same inputs with the plain program.
RecordOptions timedOptions(const ProfileArguments &options) {
  RecordOptions timed = options.record;
  timed.timed = true;
  timed.mostTimed = mostTimed;
  timed.plan.words.front() = options.plain;
  return timed;
}

/// Refuses before anything is counted what could not be timed.
Status checkPlain(const RecordOptions &timed) {
  const Result<std::vector<Job>> jobs = planJobs(timed.plan);
  if (!jobs)
    return jobs.error();
  const Result<TimedProgram> program = plainProgram(*jobs, true);
  return program ? Status(Done{}) : program.error();
}

/// Times, samples where that can be done, and calibrates; the exit status.
int learnPrices(const ProfileArguments &options) {
  const RecordOptions timed = timedOptions(options);
  if (const int status = recordRuns(timed); status != ok)
    return status;
  int sampled = ok; // without samples there are prices, too
  if (const Status s = canSample(timed); !s)
    std::fprintf(stderr, "quincunx: note: times of single functions will be less certain: %s\n",
                 printable(s.error().text).c_str());
  else if (sampled = sampleRuns(timed, samples); sampled == interruptedStatus)
    return sampled;
  CalibrateOptions calibration;
  calibration.corpus = options.record.corpus;
  const Result<std::string> quality = calibrateInALine(calibration);
  if (!quality)
    return fail(quality.error());
  if (!options.record.quiet)
    std::fprintf(stderr, "quincunx: calibrated by %s\n", quality->c_str());
  return sampled;
}

/// Counts; where times will tell prices, nothing is measured for them.
int count(const ProfileArguments &options, bool willBeTimed) {
  RecordOptions record = options.record;
  if (willBeTimed)
    record.machine = "none";
  return recordRuns(record);
}

int profile(const ProfileArguments &options) {
  if (options.record.plan.words.empty())
    return failUsage(Error{"a program to run is missing; see quincunx profile --help"});
  if (!options.plain.empty())
    if (const Status s = checkPlain(timedOptions(options)); !s)
      return failUsage(s.error());
  const int counted = count(options, !options.plain.empty());
  if (counted != ok && counted != someRunsFailed)
    return counted;
  const int priced = options.plain.empty() ? ok : learnPrices(options);
  if (priced == interruptedStatus)
    return priced;
  if (priced != ok) // nothing is left to be counted, and prices may still be to be had
    count(options, false);
  const int reported = reportCorpus(options.record.corpus);
  return reported != ok ? reported : priced != ok ? priced : counted;
}

} // namespace

void addProfile(CLI::App &app, int &status) {
  CLI::App *verb =
      app.add_subcommand("profile", "Count, time, calibrate and report, in one command");
  const auto options = std::make_shared<ProfileArguments>();
  options->record.resume = true;
  verb->footer(profileExamples);
  addCommand(*verb);
  addRecordingOptions(*verb, options->record);
  verb->add_option("--plain", options->plain,
                   "The program built without the flag, to be timed; takes the place of the "
                   "first word behind --")
      ->type_name("PROGRAM");
  verb->callback([verb, options, &status] {
    const bool isGood = takeCommand(*verb, options->record.plan.words);
    status = isGood ? profile(*options) : int{usage};
  });
}

} // namespace quincunx::tool
