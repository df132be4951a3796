// quincunx corpus: looks after corpora: add, ls, show, log, dump, merge, scrub, rm. This file reads
// the command line and holds the verbs that take a few lines; the others have files of their own.
// It runs nothing and estimates nothing.
#include "CorpusVerbs.h"

#include "quincunx/base/Text.h"

#include <filesystem>
#include <memory>

namespace quincunx::tool {

namespace {

struct CorpusArguments {
  std::string corpus, label, out;
  std::vector<std::string> others, identities;
  bool json = false, timings = false;
  AddOptions add;
  PricingOptions pricing;
};

int merge(const CorpusArguments &options) {
  std::error_code ignored;
  const bool isNew = !std::filesystem::exists(options.corpus, ignored);
  Result<Corpus> out = Corpus::open(options.corpus, Corpus::Mode::write);
  if (!out)
    return fail(out.error());
  const Result<size_t> before = out->runCount();
  if (!before)
    return fail(before.error());
  if (const Status s = out->merge(options.others); !s) {
    if (isNew)
      std::filesystem::remove(options.corpus, ignored);
    return fail(s.error());
  }
  const Result<size_t> after = out->runCount();
  if (!after)
    return fail(after.error());
  std::fprintf(stderr, "quincunx: %zu runs in %s, %zu of them new\n", *after,
               escape(options.corpus).c_str(), *after - *before);
  return ok;
}

/// An existing corpus, open for writing.
Result<Corpus> openExisting(const std::string &path) {
  if (Result<Corpus> existing = Corpus::open(path, Corpus::Mode::read); !existing)
    return existing.error();
  return Corpus::open(path, Corpus::Mode::write);
}

int scrub(const CorpusArguments &options) {
  Result<Corpus> corpus = openExisting(options.corpus);
  if (!corpus)
    return fail(corpus.error());
  if (Status s = corpus->scrub(); !s)
    return fail(s.error());
  std::fprintf(stderr,
               "quincunx: %s: arguments, inputs and folders removed; maps still name functions and "
               "source files\n",
               escape(options.corpus).c_str());
  return ok;
}

/// The identities that the options name: by label, or by a beginning that only one run has.
Result<std::vector<std::string>> select(const Corpus &corpus, const CorpusArguments &options) {
  std::vector<std::string> out;
  std::vector<size_t> matches(options.identities.size(), 0);
  const auto read = corpus.forEachRun(
      [&](Run &&run) -> Status {
        bool isChosen = !options.label.empty() && run.label == options.label;
        for (size_t i = 0; i < options.identities.size(); ++i)
          if (run.identity.starts_with(options.identities[i])) {
            ++matches[i];
            isChosen = true;
          }
        if (isChosen)
          out.push_back(run.identity);
        return Done{};
      },
      Corpus::ReadMask::description);
  if (!read)
    return read.error();
  for (size_t i = 0; i < matches.size(); ++i)
    if (matches[i] != 1)
      return Error{(matches[i] == 0 ? "no run is named " : "several runs are named ") +
                   escape(options.identities[i]) + "; see quincunx corpus ls"};
  if (out.empty())
    return Error{"no run is labelled " + escape(options.label)};
  return out;
}

int removeTimings(Corpus &corpus) {
  const Result<size_t> removed = corpus.removeTimings();
  if (!removed)
    return fail(removed.error());
  std::fprintf(stderr, "quincunx: %zu timed %s removed\n", *removed,
               *removed == 1 ? "run" : "runs");
  return ok;
}

int removeRuns(const CorpusArguments &options) {
  const bool hasRuns = !options.label.empty() || !options.identities.empty();
  if (!hasRuns && !options.timings)
    return failUsage({"say which runs to remove with --run or --label, or --timings"});
  Result<Corpus> corpus = openExisting(options.corpus);
  if (!corpus)
    return fail(corpus.error());
  if (options.timings)
    if (const int status = removeTimings(*corpus); status != ok || !hasRuns)
      return status;
  const Result<std::vector<std::string>> chosen = select(*corpus, options);
  if (!chosen)
    return fail(chosen.error());
  const Result<size_t> removed = corpus->remove(*chosen);
  if (!removed)
    return fail(removed.error());
  const Result<size_t> left = corpus->runCount();
  if (!left)
    return fail(left.error());
  std::fprintf(stderr, "quincunx: %zu %s removed, %zu left\n", *removed,
               *removed == 1 ? "run" : "runs", *left);
  return ok;
}

using Shared = std::shared_ptr<CorpusArguments>;

CLI::App *addVerb(CLI::App &corpus, const char *name, const char *what, const char *examples,
                  const Shared &options) {
  CLI::App *verb = corpus.add_subcommand(name, what);
  verb->footer(examples);
  verb->add_option("corpus", options->corpus, "Corpus file")->required()->type_name("CORPUS");
  return verb;
}

void addReaders(CLI::App &corpus, const Shared &options, int &status) {
  const auto addTable = [&](const char *name, const char *what, const char *examples,
                            int (*show)(const std::string &path, bool json)) {
    CLI::App *verb = addVerb(corpus, name, what, examples, options);
    verb->add_flag("--json", options->json, "As JSON");
    verb->callback([options, show, &status] { status = show(options->corpus, options->json); });
  };
  addTable("ls", "List the runs",
           "Examples:\n  quincunx corpus ls prog.qx\n"
           "  quincunx corpus ls --json prog.qx | jq '.runs[].wall'",
           listCorpus);
  addTable("show", "Show what the corpus is about",
           "Examples:\n  quincunx corpus show prog.qx\n"
           "  quincunx corpus show --json prog.qx | jq .facts.command",
           showCorpus);
  addTable(
      "check", "Read every byte and say what is damaged",
      "Examples:\n  quincunx corpus check prog.qx\n"
      "  quincunx corpus check --json prog.qx | jq -r '.lost[].name'\n"
      "Status 1 when something is damaged. Every page of a corpus has a checksum, which is also "
      "verified whenever it is read.",
      checkCorpus);
  CLI::App *dump = addVerb(
      corpus, "dump", "Print everything as text, one record a line",
      "Examples:\n  quincunx corpus dump prog.qx | grep '^feature'\n"
      "  diff <(quincunx corpus dump a.qx) <(quincunx corpus dump b.qx)\n"
      "Same corpus, same bytes. Fields are separated by tabs; docs/11-formats.md lists them.",
      options);
  dump->callback([options, &status] { status = dumpCorpus(options->corpus); });
}

void addLog(CLI::App &corpus, const Shared &options, int &status) {
  CLI::App *log = addVerb(
      corpus, "log", "Show the history of builds, and which of them changed the cost of a run",
      "Examples:\n  quincunx corpus log prog.qx\n"
      "  quincunx corpus log --json prog.qx | jq '.programs[0].builds[] | "
      "select(.change.isChange)'\n"
      "Each build is compared with the one before it over the inputs of both, as by quincunx "
      "compare. Builds are in the order of their commits where the repository of the current "
      "folder knows all of them, else in that of their first runs.",
      options);
  log->add_flag("--json", options->json, "As JSON");
  addPricingOptions(*log, options->pricing);
  log->callback(
      [options, &status] { status = logCorpus(options->corpus, options->pricing, options->json); });
}

void addSalvage(CLI::App &corpus, const Shared &options, int &status) {
  CLI::App *salvage = addVerb(corpus, "salvage", "Copy what is left of a damaged corpus",
                              "Examples:\n  quincunx corpus salvage prog.qx -o rest.qx\n"
                              "What is lost is named, as by quincunx corpus check. The damaged "
                              "corpus is not changed.",
                              options);
  salvage->add_option("-o,--output", options->out, "Corpus to make")->required()->type_name("FILE");
  salvage->add_flag("--json", options->json, "What is lost, as JSON");
  salvage->callback(
      [options, &status] { status = salvageCorpus(options->corpus, options->out, options->json); });
}

void addAdd(CLI::App &corpus, const Shared &options, int &status) {
  CLI::App *add =
      addVerb(corpus, "add", "Add raw records (.qxraw)",
              "Examples:\n  QUINCUNX_OUT=out/%n-%p-%h.qxraw ./prog input\n"
              "  quincunx corpus add prog.qx out/*.qxraw\n"
              "  quincunx corpus add prog.qx out/*.qxraw --label input --feature n=7\n"
              "Records of one run are added up. Runs that are there already are left alone.",
              options);
  add->add_option("files", options->add.files, "Raw records")->required()->type_name("FILE");
  add->add_option("--label", options->add.label, "Name of the runs (default: the program's)")
      ->type_name("TEXT");
  add->add_option("--feature", options->add.features, "A number or a text known about these runs")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  add->callback([options, &status] {
    options->add.corpus = options->corpus;
    status = addRecords(options->add);
  });
}

void addMergeAndScrub(CLI::App &corpus, const Shared &options, int &status) {
  CLI::App *into = addVerb(corpus, "merge", "Add the runs of other corpora",
                           "Examples:\n  quincunx corpus merge all.qx monday.qx tuesday.qx\n"
                           "  quincunx corpus merge copy.qx prog.qx\n"
                           "A run is added once, however often and in whatever order.",
                           options);
  into->add_option("others", options->others, "Corpora to read")->required()->type_name("FILE");
  into->callback([options, &status] { status = merge(*options); });
  CLI::App *clean =
      addVerb(corpus, "scrub", "Forget arguments, inputs and folders of paths",
              "Examples:\n  quincunx corpus scrub prog.qx\n"
              "  cp prog.qx public.qx && quincunx corpus scrub public.qx\n"
              "Maps keep the names of functions and source files (see clang's -ffile-prefix-map).",
              options);
  clean->callback([options, &status] { status = scrub(*options); });
}

void addRemove(CLI::App &corpus, const Shared &options, int &status) {
  CLI::App *rm =
      addVerb(corpus, "rm", "Remove runs, or timings",
              "Examples:\n  quincunx corpus rm prog.qx --run 3f2a91\n"
              "  quincunx corpus rm prog.qx --label inputs/broken.txt\n"
              "  quincunx corpus rm prog.qx --timings    # before another build is timed",
              options);
  rm->add_option("--run", options->identities, "Runs by the beginning of their names (see ls)")
      ->type_name("ID")
      ->expected(1)
      ->take_all();
  rm->add_option("--label", options->label, "All runs with this label")->type_name("LABEL");
  rm->add_flag("--timings", options->timings, "All timed runs of the plain program");
  rm->callback([options, &status] { status = removeRuns(*options); });
}

} // namespace

void addCorpus(CLI::App &app, int &status) {
  CLI::App *corpus = app.add_subcommand("corpus", "Look after corpora of runs");
  corpus->require_subcommand(1);
  corpus->footer(
      "Examples:\n  quincunx corpus ls prog.qx\n  quincunx corpus merge all.qx a.qx b.qx");
  const auto options = std::make_shared<CorpusArguments>();
  addReaders(*corpus, options, status);
  addLog(*corpus, options, status);
  addSalvage(*corpus, options, status);
  addAdd(*corpus, options, status);
  addMergeAndScrub(*corpus, options, status);
  addRemove(*corpus, options, status);
}

} // namespace quincunx::tool
