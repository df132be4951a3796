// quincunx run: runs an instrumented program over many inputs and appends one run each to a corpus.
// The idea: every run gets a random name and a private folder for its records, so concurrent runs
// cannot mix and nothing of an unfinished run is kept; each finished run is one transaction. What
// was done is recognised by label and arguments (--resume), because names are random. It does not
// estimate anything.
#include "Execute.h"
#include "Gather.h"
#include "Progress.h"
#include "Verbs.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <unordered_map>

#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quincunx::tool {

namespace {

namespace fs = std::filesystem;

constexpr int interruptedStatus = 130; // what shells report for Ctrl-C

struct Options {
  std::string corpus, keepOutput;
  std::string refused; ///< for the command line's reader, always empty
  Plan plan;
  size_t jobs = 1;
  double timeout = 0;
  std::vector<int> okStatus;
  bool resume = false, noArguments = false, quiet = false;
};

/// A folder of our own for records, removed with all that is in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    const char *base = std::getenv("TMPDIR");
    name = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/quincunx-XXXXXX";
    if (name.front() != '/')
      name = fs::absolute(name).string();
    if (::mkdtemp(name.data()) == nullptr)
      reason = errno;
  }
  ~TemporaryFolder() {
    std::error_code no;
    if (reason == 0)
      fs::remove_all(name, no);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  quincunx::Status status() const {
    if (reason != 0)
      return Error{"cannot make " + escape(name) + ": " + std::strerror(reason)};
    return Done{};
  }
  const std::string &path() const { return name; }

private:
  std::string name;
  int reason = 0;
};

/// The pattern the runtime expands, with the percents of our own path doubled.
std::string recordPattern(const std::string &folder) {
  std::string out;
  for (char c : folder)
    out += c == '%' ? std::string("%%") : std::string(1, c);
  return out + "/%n-%p-%h.qxraw";
}

/// The last line with something on it, from the last 4 kB of a file.
std::string lastLine(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : 0;
  std::string text(static_cast<size_t>(std::clamp<std::streamoff>(size, 0, 4096)), '\0');
  file.seekg(size - static_cast<std::streamoff>(text.size()));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return escape(text.substr(text.rfind('\n') + 1));
}

std::string machine() {
  utsname names{};
  ::uname(&names);
  std::string model = names.machine;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      model = line.substr(std::min(line.find(':') + 2, line.size()));
      break;
    }
  return model + ", " + names.sysname + " " + names.release;
}

/// A file name made of a label.
std::string plainName(std::string label) {
  for (char &c : label)
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::strchr("-_.", c) == nullptr)
      c = '_';
  return label.substr(0, 100);
}

class Session {
public:
  Session(const Options &from, std::vector<Job> todo, Corpus &into,
          const TemporaryFolder &temporary)
      : options(from), jobs(std::move(todo)), corpus(into), folder(temporary.path()),
        progress(jobs.size(), from.quiet), granted(Hardware::isGranted()),
        executor(from.timeout, granted) {
    if (!granted)
      say("hardware counters are not granted here (kernel.perf_event_paranoid or a virtual "
          "machine), so runs go without cycles and instructions");
  }

  /// Runs everything; the exit status. `isKnown`: the program has left records before.
  int work(bool isKnown);

private:
  struct Names {
    std::string identity, folder, standardError;
  };
  void say(const std::string &text) {
    if (!options.quiet)
      progress.note("quincunx: " + text);
  }
  void complain(const std::string &text, const Ended &end);
  quincunx::Status begin(size_t number);
  quincunx::Status finish(const Ended &end);
  Run describe(const Ended &end) const;
  Result<bool> collect(const Ended &end, Run &run);
  quincunx::Status store(const Ended &end, Run &run, bool hasRecord);
  void report(const Ended &end, const Run &run);
  int conclude() const;

  const Options &options;
  std::vector<Job> jobs;
  Corpus &corpus;
  std::string folder;
  Progress progress;
  bool granted;
  Executor executor;
  std::unordered_map<size_t, Names> names; ///< of the jobs that run
  bool anyRecord = false;
  size_t stored = 0, crashed = 0, timedOut = 0, lost = 0, complaints = 0;
};

quincunx::Status Session::begin(size_t number) {
  Names &own = names[number];
  own.identity = newIdentity();
  own.folder = folder + "/" + std::to_string(number);
  own.standardError = own.folder + "/stderr";
  std::error_code problem;
  if (!fs::create_directory(own.folder, problem))
    return Error{"cannot make " + escape(own.folder) + ": " + problem.message()};
  Surroundings around;
  around.environment = {{"QUINCUNX_RUN", own.identity},
                        {"QUINCUNX_OUT", recordPattern(own.folder)}};
  if (!options.keepOutput.empty()) {
    const std::string base = fs::absolute(options.keepOutput).string() + "/" +
                             std::to_string(number + 1) + "-" + plainName(jobs[number].label);
    around.standardOutput = base + ".out";
    own.standardError = base + ".err";
  }
  around.standardError = own.standardError;
  return executor.start(number, jobs[number], around);
}

Run Session::describe(const Ended &end) const {
  const Job &job = jobs[end.job];
  Run run;
  run.identity = names.at(end.job).identity;
  run.label = job.label;
  run.features = job.features;
  if (!options.noArguments) {
    run.arguments.assign(job.words.begin() + 1, job.words.end());
    if (!job.standardInput.empty())
      run.standardInput = (fs::path(job.folder) / job.standardInput).string();
  }
  run.exitStatus = WIFEXITED(end.status) ? WEXITSTATUS(end.status) : -WTERMSIG(end.status);
  const auto &good = options.okStatus;
  const bool isGood =
      WIFEXITED(end.status) &&
      (good.empty() || std::find(good.begin(), good.end(), run.exitStatus) != good.end());
  run.outcome = end.timedOut ? Outcome::timedOut : isGood ? Outcome::finished : Outcome::crashed;
  run.start = end.start;
  run.wall = end.wall;
  run.user = end.user;
  run.system = end.system;
  run.peakMemory = end.peakMemory;
  run.cycles = end.hardware.cycles;
  run.instructions = end.hardware.instructions;
  run.branchMisses = end.hardware.branchMisses;
  return run;
}

/// Adds up the run's records and stores their maps; whether there was any record.
Result<bool> Session::collect(const Ended &end, Run &run) {
  const std::vector<std::string> files = recordsIn(names.at(end.job).folder);
  const std::string &in = jobs[end.job].folder;
  for (const std::string &file : files) {
    const Result<ProcessRecord> record = readRawFile(file);
    if (!record)
      return record.error();
    if (quincunx::Status s = addMaps(corpus, *record, in.empty() ? "." : in); !s)
      return s.error();
    add(run, *record);
  }
  for (ImageCounts &image : run.images)
    image.embedded.reset();
  return !files.empty();
}

quincunx::Status Session::finish(const Ended &end) {
  Run run = describe(end);
  const Result<bool> hasRecord = collect(end, run);
  if (!hasRecord)
    return hasRecord.error();
  anyRecord = anyRecord || *hasRecord;
  if (quincunx::Status s = store(end, run, *hasRecord); !s)
    return s;
  std::error_code no;
  fs::remove_all(names.at(end.job).folder, no);
  names.erase(end.job);
  return Done{};
}

quincunx::Status Session::store(const Ended &end, Run &run, bool hasRecord) {
  if (!hasRecord && run.outcome == Outcome::finished) {
    if (!anyRecord)
      return Error{escape(jobs[end.job].words[0]) +
                   " left no record: it was not built with the quincunx plugin; build it with "
                   "clang-22 --config=quincunx.cfg, also when linking"};
    ++lost;
    complain("left no record and is not stored", end);
    progress.done(true);
    return Done{};
  }
  if (quincunx::Status s = corpus.add(run); !s)
    return s;
  ++stored;
  report(end, run);
  progress.done(run.outcome != Outcome::finished);
  return Done{};
}

void Session::report(const Ended &end, const Run &run) {
  if (run.outcome == Outcome::timedOut) {
    ++timedOut;
    complain("stopped after " + exact(options.timeout) + " s", end);
  } else if (run.outcome == Outcome::crashed) {
    ++crashed;
    complain(run.exitStatus < 0 ? "killed by signal " + std::to_string(-run.exitStatus) + " (" +
                                      ::strsignal(-run.exitStatus) + ")"
                                : "exit status " + std::to_string(run.exitStatus),
             end);
  }
}

void Session::complain(const std::string &text, const Ended &end) {
  constexpr size_t most = 20;
  if (++complaints > most)
    return;
  const std::string said = lastLine(names.at(end.job).standardError);
  progress.note("quincunx: run " + escape(jobs[end.job].label) + ": " + text +
                (said.empty() ? "" : "; it said: " + said));
  if (complaints == most)
    progress.note("quincunx: further failures are counted and not shown");
}

int Session::work(bool isKnown) {
  anyRecord = isKnown;
  quincunx::Status status = Done{};
  size_t next = 0;
  while (status && !executor.interrupted() && (next < jobs.size() || executor.running() > 0)) {
    while (status && next < jobs.size() && executor.running() < options.jobs)
      status = begin(next++);
    for (const Ended &end : status ? executor.wait() : std::vector<Ended>{})
      if (status)
        status = finish(end);
  }
  executor.stopAll();
  progress.clear();
  if (!status)
    return fail(status.error());
  return conclude();
}

int Session::conclude() const {
  std::string text = std::to_string(stored) + (stored == 1 ? " run" : " runs") + " added to " +
                     escape(corpus.path());
  const std::pair<size_t, const char *> parts[] = {
      {crashed, " crashed"}, {timedOut, " timed out"}, {lost, " left no record"}};
  for (const auto &[count, what] : parts)
    if (count > 0)
      text += ", " + std::to_string(count) + what;
  if (executor.interrupted())
    text += "; interrupted, go on with the same command and --resume";
  if (!options.quiet || executor.interrupted())
    std::fprintf(stderr, "quincunx: %s\n", text.c_str());
  if (executor.interrupted())
    return interruptedStatus;
  return crashed + timedOut + lost > 0 ? someRunsFailed : ok;
}

/// Takes out the jobs that the corpus has a run of: same label, same arguments (where both know
/// them). A job that stands there twice needs two runs.
quincunx::Status removeDone(std::vector<Job> &jobs, const Corpus &corpus, bool noArguments) {
  std::unordered_map<std::string, std::vector<std::vector<std::string>>> done;
  quincunx::Status s = corpus.forEachRun(
      [&](Run &&run) -> quincunx::Status {
        done[run.label].push_back(std::move(run.arguments));
        return Done{};
      },
      false);
  if (!s)
    return s;
  std::vector<Job> left;
  for (Job &job : jobs) {
    std::vector<std::string> arguments;
    for (size_t i = 1; i < job.words.size(); ++i)
      arguments.push_back(validUtf8(job.words[i]));
    auto &runs = done[job.label];
    const auto at = std::find_if(runs.begin(), runs.end(), [&](const auto &recorded) {
      return noArguments || recorded.empty() || recorded == arguments;
    });
    if (at == runs.end())
      left.push_back(std::move(job));
    else
      runs.erase(at);
  }
  jobs = std::move(left);
  return Done{};
}

quincunx::Status setFacts(Corpus &corpus, const Options &options) {
  const auto &words = options.plan.words;
  const auto end = std::find_if(words.begin(), words.end(),
                                [](const auto &word) { return word == ":::" || word == "::::"; });
  const std::string command =
      options.noArguments ? fileName(words.front()) : joinWords({words.begin(), end});
  for (const auto &[name, value] :
       {std::pair{"command", command}, std::pair{"machine", machine()}}) {
    const std::string known = corpus.fact(name);
    const auto lines = fields(known, '\n');
    if (std::find(lines.begin(), lines.end(), value) != lines.end())
      continue;
    if (quincunx::Status s = corpus.setFact(name, known.empty() ? value : known + "\n" + value); !s)
      return s;
  }
  return Done{};
}

/// The part of the work in which the corpus is open.
int record(const Options &options, std::vector<Job> jobs, bool isNew) {
  Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::write);
  if (!corpus)
    return fail(corpus.error());
  const std::string name = escape(options.corpus);
  const size_t all = jobs.size();
  if (options.resume) {
    if (quincunx::Status s = removeDone(jobs, *corpus, options.noArguments); !s)
      return fail(s.error());
    if (!options.quiet)
      std::fprintf(stderr, "quincunx: %zu of %zu runs are in %s already\n", all - jobs.size(), all,
                   name.c_str());
    if (jobs.empty())
      return ok;
  } else if (const size_t there = corpus->runCount(); there > 0 && !options.quiet) {
    std::fprintf(stderr, "quincunx: adding to the %zu runs in %s (--resume skips those)\n", there,
                 name.c_str());
  }
  if (isNew && !options.quiet && !options.noArguments)
    std::fprintf(
        stderr,
        "quincunx: arguments and paths are stored in %s (see --no-args and quincunx corpus "
        "scrub)\n",
        name.c_str());
  if (quincunx::Status s = setFacts(*corpus, options); !s)
    return fail(s.error());
  if (!options.keepOutput.empty()) {
    std::error_code problem;
    fs::create_directories(options.keepOutput, problem);
    if (problem)
      return fail({"cannot make " + escape(options.keepOutput) + ": " + problem.message()});
  }
  const size_t left = jobs.size();
  TemporaryFolder temporary;
  if (quincunx::Status s = temporary.status(); !s)
    return fail(s.error());
  return Session(options, std::move(jobs), *corpus, temporary).work(left < all);
}

int run(const Options &options) {
  Result<std::vector<Job>> jobs = planJobs(options.plan);
  if (!jobs) {
    fail(jobs.error());
    return usage;
  }
  std::error_code no;
  const bool isNew = !fs::exists(options.corpus, no);
  const int status = record(options, std::move(*jobs), isNew);
  // Nothing was recorded: leave nothing behind.
  if (isNew && status != ok) {
    bool isEmpty = false;
    if (const Result<Corpus> left = Corpus::open(options.corpus, Corpus::Mode::read); left)
      isEmpty = left->runCount() == 0;
    if (isEmpty)
      fs::remove(options.corpus, no);
  }
  return status;
}

const char *const examples =
    "Usage: quincunx run -o CORPUS [options] -- PROGRAM [words] ::: INPUTS...\n\n"
    "Examples:\n"
    "  quincunx run -o prog.qx -- ./prog {} ::: inputs/*\n"
    "  quincunx run -o sort.qx -j 2 --timeout 10 -- ./sort -n {1} -k {2} ::: a b c ::: 1 2 3\n"
    "  quincunx run -o grep.qx --ok-status 0,1 --label {/} -- ./grep foo {} ::: texts/*\n"
    "  quincunx run -o fib.qx --feature n={} -- ./fib {} ::: 10 20 30\n"
    "  quincunx run -o gzip.qx --cases inputs/cases.tsv -- ./minigzip\n"
    "  quincunx run -o prog.qx --resume -- ./prog {} ::: inputs/*      # after Ctrl-C\n"
    "In the command and in templates: {} input, {.} without extension, {/} file name, {//} "
    "folder,\n"
    "{/.} file name without extension, {#} number of the run; {2}, {2/}, ... of the second :::.\n"
    "Without any of them the input is appended. ::: takes inputs, :::: files with an input per "
    "line;\n"
    "several of them give all combinations.\n"
    "Exit status: 0 done, 1 error, 2 usage, 3 some runs crashed, timed out or left no record,\n"
    "130 interrupted.";

} // namespace

void addRun(CLI::App &app, int &status) {
  CLI::App *verb = app.add_subcommand("run", "Run a program over inputs and record each run");
  auto options = std::make_shared<Options>();
  verb->footer(examples);
  // The command's words must reach us untouched, `[a,b]` and options among them. CLI11 does that
  // for what no positional takes, and looks at `--` here only if there is a positional: so there is
  // one that takes nothing.
  verb->prefix_command()->allow_extras()->validate_positionals();
  verb->add_option("words", options->refused, "Program, arguments, :::, inputs")
      ->type_name("")
      ->check([](const std::string &) { return std::string("not taken here"); });
  verb->add_option("-o,--out", options->corpus, "Corpus to add runs to, made when missing")
      ->required()
      ->type_name("FILE");
  verb->add_option("-j,--jobs", options->jobs, "Runs at the same time (default 1)")
      ->check(CLI::Range(1, 10000))
      ->type_name("N");
  verb->add_option("--timeout", options->timeout,
                   "End a run after this long; it counts as a lower bound")
      ->check(CLI::PositiveNumber)
      ->type_name("SECONDS");
  verb->add_option(
          "--cases", options->plan.cases,
          "Inputs from a table: id, standard input or -, arguments, name=value pairs; runs "
          "in the folder of the file")
      ->type_name("TSV");
  verb->add_flag("--stdin", options->plan.onStandardInput,
                 "The input is a file to read on standard input, not an argument");
  verb->add_flag("--resume", options->resume,
                 "Skip inputs that have a run with the same label and arguments");
  verb->add_option("--label", options->plan.label, "Name of a run (default {})")
      ->type_name("TEMPLATE");
  verb->add_option(
          "--feature", options->plan.features,
          "A number known about a run before it starts; the size of input files is \"size\" "
          "by itself")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  verb->add_option("--ok-status", options->okStatus,
                   "Exit statuses of good runs (default: any that is not a signal)")
      ->delimiter(',')
      ->expected(1)
      ->type_name("LIST");
  verb->add_option("--keep-output", options->keepOutput,
                   "Keep standard output and error of every run in this folder")
      ->type_name("DIR");
  verb->add_flag("--no-args", options->noArguments, "Do not store arguments and input paths");
  verb->add_flag("-q,--quiet", options->quiet, "No progress, only failures");
  verb->callback([verb, options, &status] {
    auto &words = options->plan.words = verb->remaining();
    if (!words.empty() && words.front() == "--") {
      words.erase(words.begin());
    } else if (!words.empty() && words.front().starts_with('-')) {
      fail({"unknown option " + escape(words.front()) + "; see quincunx run --help"});
      status = usage;
      return;
    }
    status = run(*options);
  });
}

} // namespace quincunx::tool
