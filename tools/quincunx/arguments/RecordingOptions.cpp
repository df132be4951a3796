// Options of run and profile. The idea: what follows `--` is the user's and reaches us as it is.
#include "RecordingOptions.h"

#include "system/ExitStatus.h"

#include "quincunx/base/Text.h"

#include <cmath>
#include <memory>

namespace quincunx::tool {

namespace {

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

/// "1,2,4" as numbers of threads.
std::vector<uint32_t> threadsOf(const std::string &list) {
  std::vector<uint32_t> out;
  for (std::string_view field : fields(list, ',')) {
    double value = 0;
    if (!parseNumber(field, value) || value < 1 || value > 65536 || value != std::floor(value))
      throw CLI::ValidationError("--threads",
                                 "not a list of numbers of threads like 1,2,4: " + escape(list));
    out.push_back(static_cast<uint32_t>(value));
  }
  return out;
}

/// `--build all` means all builds, and names of builds are hex digits.
std::string checkedTag(const std::string &tag) {
  if (tag.empty() || tag == "all" || tag.size() > mostShown)
    throw CLI::ValidationError("--tag", "not a name for a build: " + escape(tag));
  return validUtf8(tag);
}

void addInputs(CLI::App &verb, RecordOptions &options) {
  verb.add_option("--cases", options.plan.cases,
                  "Inputs from a table: id, standard input or -, arguments, name=value pairs; runs "
                  "in the folder of the file")
      ->type_name("TSV");
  verb.add_flag("--stdin", options.plan.onStandardInput,
                "The input is a file to read on standard input, not an argument");
  verb.add_option("--label", options.plan.label, "Name of a run (default {})")
      ->type_name("TEMPLATE");
  verb.add_option("--feature", options.plan.features,
                  "A number or a text known about a run before it starts; the size of input files "
                  "is \"size\" by itself")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  verb.add_option_function<std::string>(
          "--threads",
          [&options](const std::string &list) { options.plan.threads = threadsOf(list); },
          "Run each input with so many threads: OMP_NUM_THREADS, and {threads} in the command")
      ->type_name("LIST");
  verb.add_flag("--no-args", options.noArguments,
                "Do not store arguments, input paths and the name of this host");
}

} // namespace

CLI::Option *addRecordingOptions(CLI::App &verb, RecordOptions &options) {
  verb.add_option("-o,--out", options.corpus, "Corpus to add runs to, made when missing")
      ->required()
      ->type_name("FILE");
  CLI::Option *jobs =
      verb.add_option("-j,--jobs", options.jobs, "Counted runs at the same time (default 1)")
          ->check(CLI::Range(1, 10000).description(""))
          ->type_name("N");
  verb.add_option("--timeout", options.timeout,
                  "End a run after this long; it counts as a lower bound")
      ->check(CLI::Validator(CLI::PositiveNumber).description(""))
      ->type_name("SECONDS");
  addInputs(verb, options);
  verb.add_option_function<std::string>(
          "--tag", [&options](const std::string &tag) { options.tag = checkedTag(tag); },
          "What you call this build: report --build NAME chooses these runs")
      ->type_name("NAME");
  verb.add_option_function<std::string>(
          "--ok-status", [&options](const std::string &list) { options.okStatus = statuses(list); },
          "Exit statuses of good runs (default: any that is not a signal)")
      ->type_name("LIST");
  verb.add_option("--machine", options.machine,
                  "Prices in nanoseconds that the corpus gets when it has none: a .machine file, "
                  "or none (default: of this machine, measured once)")
      ->envname("QUINCUNX_MACHINE")
      ->type_name("FILE|none");
  verb.add_flag("-q,--quiet", options.quiet, "No progress, only failures");
  return jobs;
}

void addCommand(CLI::App &verb) {
  const auto refused = std::make_shared<std::string>(); // always empty
  // The command's words must reach us untouched, `[a,b]` and options among them. CLI11 does that
  // for what no positional takes, and looks at `--` here only if there is a positional: so there is
  // one that takes nothing.
  verb.prefix_command()->allow_extras()->validate_positionals();
  verb.add_option("words", *refused, "Program, arguments, :::, inputs")
      ->type_name("")
      ->check([refused](const std::string &) { return std::string("not taken here"); });
}

bool takeCommand(const CLI::App &verb, std::vector<std::string> &words) {
  std::vector<std::string> all = verb.remaining();
  if (!all.empty() && all.front() == "--") {
    all.erase(all.begin());
  } else if (!all.empty() && all.front().starts_with('-')) {
    fail({"unknown option " + escape(all.front()) + "; see quincunx " + verb.get_name() +
          " --help"});
    return false;
  }
  words = std::move(all);
  return true;
}

} // namespace quincunx::tool
