// quincunx run: runs an instrumented program over many inputs and appends one run each to a corpus;
// with --timed the plain program, several times each. Here is the command line; RecordRuns.cpp does
// the work.
#include "Verbs.h"
#include "arguments/RecordingOptions.h"
#include "record/ShellWords.h"
#include "sample/SampleRuns.h"
#include "system/ExitStatus.h"
#include "system/NextStep.h"

#include <memory>

namespace quincunx::tool {

namespace {

const char *const runExamples =
    "Usage: quincunx run -o CORPUS [options] -- PROGRAM [words] ::: INPUTS...\n\n"
    "Examples:\n"
    "  quincunx run -o prog.qx -- ./prog {} ::: inputs/*\n"
    "  quincunx run -o sort.qx -j 2 --timeout 10 --feature n={2} -- ./sort {1} {2} ::: a b ::: 1 "
    "9\n"
    "  quincunx run -o grep.qx --ok-status 0,1 --label {/} -- ./grep foo {} ::: texts/*\n"
    "  quincunx run -o test.qx --repeat 20 -- ./unit_tests    # a program without inputs\n"
    "  quincunx run -o prog.qx --resume --cases inputs/cases.tsv -- ./prog    # after Ctrl-C\n"
    "  quincunx run -o prog.qx --timed -- ./plain {} ::: inputs/*    # built without the flag\n"
    "In the command and in templates: {} input, {.} without extension, {/} file name, {//} "
    "folder,\n"
    "{/.} file name without extension, {#} number of the run; {2}, {2/}, ... of the second :::.\n"
    "With --threads: {threads} the number of threads.\n"
    "Without any of them the input is appended. ::: takes inputs, :::: files with an input per "
    "line;\n"
    "several of them give all combinations.\n"
    "Exit status: 0 done, 1 error, 2 usage, 3 some runs crashed, timed out, were cut short or\n"
    "left no record, 130 interrupted.";

struct RunArguments {
  RecordOptions record;
  size_t samples = 0;
};

int run(const RunArguments &options) {
  const int status = recordRuns(options.record);
  return status == ok && options.samples > 0 ? sampleRuns(options.record, options.samples) : status;
}

CLI::Option *addRepetition(CLI::App &verb, RecordOptions &options, CLI::Option *jobs) {
  verb.add_flag("--resume", options.resume,
                "Skip inputs that have a run with the same label and arguments");
  CLI::Option *timed =
      verb.add_flag("--timed", options.timed,
                    "Time the plain program: inputs again and again, one run at a time");
  timed->excludes(jobs);
  verb.add_option(
          "--repeat", options.repeat,
          "Runs of each input (default 1, with --timed 7); a program without inputs needs it")
      ->check(CLI::Range(1, 10000).description(""))
      ->type_name("N");
  verb.add_option("--keep-output", options.keepOutput,
                  "Keep standard output and error of every run in this folder")
      ->type_name("DIR");
  return timed;
}

} // namespace

void addRun(CLI::App &app, int &status) {
  CLI::App *verb = app.add_subcommand("run", "Run a program over inputs and record each run");
  const auto options = std::make_shared<RunArguments>();
  verb->footer(runExamples);
  addCommand(*verb);
  RecordOptions &record = options->record;
  CLI::Option *timed = addRepetition(*verb, record, addRecordingOptions(*verb, record));
  verb->add_option("--samples", options->samples,
                   "Then sample where the plain program is, in further runs, until the corpus has "
                   "N samples")
      ->needs(timed)
      ->check(CLI::Range(1, 100'000'000).description(""))
      ->type_name("N");
  verb->callback([verb, options, &record, &status] {
    const bool isGood = takeCommand(*verb, record.plan.words);
    status = isGood ? run(*options) : int{usage};
    if ((status == ok || status == someRunsFailed) && isGood && !record.quiet)
      printNext(std::cerr, joinWords({record.timed ? "calibrate" : "report", record.corpus}));
  });
}

} // namespace quincunx::tool
