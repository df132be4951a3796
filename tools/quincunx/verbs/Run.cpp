// quincunx run: runs an instrumented program over many inputs and appends one run each to a corpus;
// with --timed the plain program, several times each. Here is the command line; RecordRuns.cpp does
// the work.
#include "Verbs.h"
#include "record/RecordRuns.h"

#include "quincunx/base/Text.h"

#include <cmath>
#include <memory>

namespace quincunx::tool {

namespace {

const char *const examples =
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
    "Without any of them the input is appended. ::: takes inputs, :::: files with an input per "
    "line;\n"
    "several of them give all combinations.\n"
    "Exit status: 0 done, 1 error, 2 usage, 3 some runs crashed, timed out, were cut short or\n"
    "left no record, 130 interrupted.";

/// "0,1" as numbers. CLI11 would count them as several words and refuse them, or take the words
/// that follow.
std::vector<int> statuses(const std::string &list) {
  std::vector<int> out;
  for (std::string_view field : fields(list, ',')) {
    double value = -1;
    if (!parseNumber(field, value) || value < 0 || value > 255 || value != std::floor(value))
      throw CLI::ValidationError("--ok-status",
                                 "not a list of exit statuses like 0,1: " + escape(list));
    out.push_back(static_cast<int>(value));
  }
  return out;
}

void addWork(CLI::App &verb, RecordOptions &options) {
  verb.add_option("-o,--out", options.corpus, "Corpus to add runs to, made when missing")
      ->required()
      ->type_name("FILE");
  CLI::Option *jobs =
      verb.add_option("-j,--jobs", options.jobs, "Runs at the same time (default 1)")
          ->check(CLI::Range(1, 10000).description(""))
          ->type_name("N");
  verb.add_option("--timeout", options.timeout,
                  "End a run after this long; it counts as a lower bound")
      ->check(CLI::Validator(CLI::PositiveNumber).description(""))
      ->type_name("SECONDS");
  verb.add_option("--cases", options.plan.cases,
                  "Inputs from a table: id, standard input or -, arguments, name=value pairs; runs "
                  "in the folder of the file")
      ->type_name("TSV");
  verb.add_flag("--stdin", options.plan.onStandardInput,
                "The input is a file to read on standard input, not an argument");
  verb.add_flag("--resume", options.resume,
                "Skip inputs that have a run with the same label and arguments");
  verb.add_flag("--timed", options.timed,
                "Time the plain program: inputs again and again, one run at a time")
      ->excludes(jobs);
  verb.add_option(
          "--repeat", options.repeat,
          "Runs of each input (default 1, with --timed 7); a program without inputs needs it")
      ->check(CLI::Range(1, 10000).description(""))
      ->type_name("N");
}

void addDescription(CLI::App &verb, RecordOptions &options) {
  verb.add_option("--label", options.plan.label, "Name of a run (default {})")
      ->type_name("TEMPLATE");
  verb.add_option("--feature", options.plan.features,
                  "A number or a text known about a run before it starts; the size of input files "
                  "is \"size\" "
                  "by itself")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  verb.add_option_function<std::string>(
          "--ok-status", [&options](const std::string &list) { options.okStatus = statuses(list); },
          "Exit statuses of good runs (default: any that is not a signal)")
      ->type_name("LIST");
  verb.add_option("--keep-output", options.keepOutput,
                  "Keep standard output and error of every run in this folder")
      ->type_name("DIR");
  verb.add_flag("--no-args", options.noArguments, "Do not store arguments and input paths");
  verb.add_flag("-q,--quiet", options.quiet, "No progress, only failures");
}

/// What the command line left over is ours; false when it is an option that we do not know.
bool takeWords(std::vector<std::string> words, std::vector<std::string> &out) {
  if (!words.empty() && words.front() == "--") {
    words.erase(words.begin());
  } else if (!words.empty() && words.front().starts_with('-')) {
    fail({"unknown option " + escape(words.front()) + "; see quincunx run --help"});
    return false;
  }
  out = std::move(words);
  return true;
}

} // namespace

void addRun(CLI::App &app, int &status) {
  CLI::App *verb = app.add_subcommand("run", "Run a program over inputs and record each run");
  const auto options = std::make_shared<RecordOptions>();
  const auto refused = std::make_shared<std::string>(); // always empty
  verb->footer(examples);
  // The command's words must reach us untouched, `[a,b]` and options among them. CLI11 does that
  // for what no positional takes, and looks at `--` here only if there is a positional: so there is
  // one that takes nothing.
  verb->prefix_command()->allow_extras()->validate_positionals();
  verb->add_option("words", *refused, "Program, arguments, :::, inputs")
      ->type_name("")
      ->check([](const std::string &) { return std::string("not taken here"); });
  addWork(*verb, *options);
  addDescription(*verb, *options);
  verb->callback([verb, options, refused, &status] {
    const bool isGood = takeWords(verb->remaining(), options->plan.words);
    status = isGood ? recordRuns(*options) : int{usage};
  });
}

} // namespace quincunx::tool
