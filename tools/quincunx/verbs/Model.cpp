// quincunx model: what one call of every function costs by the model, beside what was measured. The
// model is lib/estimate's, the text lib/report's.
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/cost/Branch.h"
#include "quincunx/estimate/Guess.h"
#include "quincunx/report/Export.h"
#include "quincunx/report/Json.h"
#include "quincunx/report/Model.h"

#include "arguments/ModelFile.h"
#include "arguments/RowGroups.h"
#include "arguments/SelectedBuild.h"
#include "system/TerminalTraits.h"
#include "system/WrappedNotes.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>

namespace quincunx::tool {

namespace {

struct ModelArguments {
  CorpusOptions corpus;
  ModelOptions model;
  ReportOptions report;
  std::vector<std::string> set;
  bool json = false, pooled = false, summary = false, pamela = false;
};

/// The tree that is to be shown, where the options mean one function.
using TreeOf = std::function<Result<ModelledTree>(uint32_t number)>;

Status show(const ModelReport &report, const TreeOf &treeOf, const ModelArguments &o) {
  if (o.summary)
    return printSummary(report, std::cout);
  if (o.pamela)
    return printPamela(report, treeOf, o.report, std::cout);
  std::optional<ModelledTree> tree;
  if (!o.report.function.empty()) {
    const auto chosen = modelledFunctions(report.model, report.graph, o.report);
    if (!chosen)
      return chosen.error();
    if (chosen->size() == 1) {
      Result<ModelledTree> t = treeOf(report.model.functions[chosen->front()].number);
      if (!t)
        return t.error();
      tree = std::move(*t);
    }
  }
  if (o.json)
    return printModelJson(report, tree ? &*tree : nullptr, o.corpus.path, o.report, std::cout);
  return tree ? printTree(report, *tree, o.report, std::cout)
              : printModel(report, o.report, std::cout);
}

/// A program or an object file in place of a corpus: nothing was run.
Status printGuess(const Parameters &parameters, ModelArguments o) {
  if (o.corpus.pricing.units == "time")
    return Error{"--unit time is for a corpus that is calibrated; a program has no times"};
  const Result<Machine> machine = machineOf(o.corpus.pricing);
  if (!machine)
    return machine.error();
  Result<Map> map = readMapAlone(o.corpus.path);
  if (!map)
    return map.error();
  std::vector<Map> maps{std::move(*map)};
  if (const Status grouped = groupRows(maps, o.corpus.foreign); !grouped)
    return grouped.error();
  Result<Guessed> guessed = guess(maps, *machine, parameters);
  if (!guessed)
    return guessed.error();
  if (!guessed->unused.empty())
    return Error{"--set " + escape(guessed->unused.front()) +
                 ": no trip count has it; quincunx model --json names the unknowns of each loop"};
  o.report.display = readersDisplay(namesOf(o.corpus, maps));
  return show(
      {guessed->model, guessed->graph, maps, o.model, nullptr, "", &*guessed, ""},
      [&](uint32_t number) { return guessed->tree(number); }, o);
}

/// The tree of a function of the corpus; where it is shown, beside what the counts say of branches.
Result<ModelledTree> countedTree(const Model &model, const PricedCorpus &priced,
                                 const CountMatrix &counts, uint32_t number, bool isShown) {
  Result<ModelledTree> t = model.tree(number);
  if (t && isShown)
    judgeTree(*t, model.graph(), priced.maps, counts);
  return t;
}

Status printCorpus(ModelArguments o) {
  if (!o.set.empty())
    return Error{"--set is for a program without runs; a corpus knows the trips"};
  Result<PricedCorpus> priced = openPriced(o.corpus);
  if (!priced)
    return priced.error();
  if (const Status grouped = groupRows(priced->maps, o.corpus.foreign); !grouped)
    return grouped.error();
  if (priced->requests && (o.model.publishedMethod || o.model.branch == "renewal"))
    return Error{"lengths of runs are known of whole runs, not of requests; choose another "
                 "--branch"};
  o.report.display = readersDisplay(priced->names);
  const Result<CountMatrix> counts = readCounts(priced->runs());
  if (!counts)
    return counts.error();
  Model model(priced->maps, priced->machine, o.model, &*counts);
  if (const Status read = priced->runs().forEach(
          [&](const Run &run, double weight) { return model.add(run, weight); },
          Corpus::ReadMask::recorders);
      !read)
    return read.error();
  const Result<ObservedCalls> measured =
      priced->requests
          ? Result<ObservedCalls>(Error{"they are known of whole runs, not of requests"})
          : observeCalls(priced->corpus, priced->machine);
  const Result<Modelled> modelled = model.finish(measured ? &*measured : nullptr);
  if (!modelled)
    return modelled.error();
  return show(
      {*modelled, model.graph(), priced->maps, o.model, measured ? &*measured : nullptr,
       measured ? "" : measured.error().text, nullptr,
       priced->requests ? priced->requests->name : ""},
      [&](uint32_t number) { return countedTree(model, *priced, *counts, number, !o.pamela); }, o);
}

/// Nothing is read of what is no file: a FIFO would hold us up.
bool isElf(const std::string &path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    return false;
  std::array<char, 4> magic{};
  std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
  return std::string_view(magic.data(), magic.size()) == "\177ELF";
}

int runModel(ModelArguments options, bool topGiven) {
  if (options.model.publishedMethod)
    options.corpus.pricing.machine = "unit";
  const Result<Parameters> parameters = parseDefines(options.set, "--set");
  if (!parameters)
    return failUsage(parameters.error());
  if (options.json && !topGiven)
    options.report.top = 0;
  writeInLargePieces();
  const Status printed =
      isElf(options.corpus.path) ? printGuess(*parameters, options) : printCorpus(options);
  if (!printed)
    return fail(printed.error());
  return finishOutput("the model");
}

std::vector<std::string> modelNames() {
  std::vector<std::string> names;
  for (const NamedBranchModel &m : branchModels())
    names.emplace_back(m.name);
  return names;
}

/// Options that say how the model is made.
void addMethods(CLI::App &verb, ModelArguments &options) {
  verb.add_option("--branch", options.model.branch,
                  "What outcomes of branches are taken to be (default: bernoulli)")
      ->check(CLI::IsMember(modelNames()).description(""))
      ->type_name("observed|bernoulli|renewal|empirical");
  CLI::Option *perRun =
      verb.add_flag("--per-run", options.model.perRun, "Compose each run by itself, mix runs");
  verb.add_flag("--pooled", options.pooled, "Compose all runs together (default)")
      ->excludes(perRun);
  verb.add_flag("--published-method", options.model.publishedMethod,
                "Everything as in Gautama's thesis: unit costs, renewal branches, constant trips")
      ->excludes(perRun);
}

/// Options that say what is printed, and --set.
void addOutputs(CLI::App &verb, ModelArguments &options) {
  verb.add_flag("--json", options.json, "Everything at full precision, for programs");
  verb.add_flag("--summary", options.summary,
                "A line per function, for -fplugin-arg-quincunx-use= and other tools");
  verb.add_flag("--pamela", options.pamela,
                "As a model of PAMELA+, for quincunx eval: a process per function");
  verb.add_option("--set", options.set,
                  "Without runs: what an unknown in trip counts is, of one function or of all")
      ->type_name("[FUNCTION.]NAME=NUMBER");
}

} // namespace

void addModel(CLI::App &app, int &status) {
  auto options = std::make_shared<ModelArguments>();
  CLI::App *verb = app.add_subcommand("model", "Predict the cost of one call, and show from what");
  verb->footer("Examples:\n"
               "  quincunx model prog.qx\n"
               "  quincunx model --function parse prog.qx\n"
               "  quincunx model --function parse --branch renewal prog.qx\n"
               "  quincunx model --per-run --json prog.qx\n"
               "  quincunx model --summary prog.qx > prog.summary\n"
               "  quincunx model --pamela prog.qx > prog.pam\n"
               "  quincunx model prog.o --set n=1000");
  verb->add_option("corpus", options->corpus.path,
                   "Corpus file (.qx); or a program or object file, for guesses without runs")
      ->required()
      ->type_name("CORPUS|PROGRAM");
  verb->add_option("--function", options->report.function,
                   "Only functions of this name, or whose name matches; of a single one, its tree")
      ->type_name("NAME|REGEX");
  addMethods(*verb, *options);
  addOutputs(*verb, *options);
  CLI::Option *top = verb->add_option("--top", options->report.top,
                                      "Functions to show, 0 for all (default: 20, with --json all)")
                         ->type_name("N");
  addBuildOption(*verb, options->corpus.build);
  addNames(*verb, options->corpus);
  addForeignOptions(*verb, options->corpus.foreign);
  addCorpusOptions(*verb, options->corpus,
                   "Calls in whole runs, or in requests: calls of a marked function (default: run)",
                   "--request");
  verb->callback([options, top, &status] { status = runModel(*options, top->count() != 0); });
}

} // namespace quincunx::tool
