// quincunx model: what one call of every function costs by the model, beside what was measured. The
// model is lib/estimate's, the text lib/report's.
#include "Verbs.h"

#include "quincunx/cost/Branch.h"
#include "quincunx/report/Json.h"
#include "quincunx/report/Model.h"

#include "Reader.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct Options {
  std::string corpus, machine = defaultMachine;
  ModelOptions model;
  ReportOptions report;
  bool json = false, pooled = false;
};

Status print(const Corpus &corpus, const Machine &machine, const Options &o) {
  const Result<std::vector<Map>> maps = corpus.maps();
  if (!maps)
    return maps.error();
  Model model(*maps, machine, o.model);
  if (const Status read =
          corpus.forEachRun([&](Run &&run) { return model.add(run); }, Corpus::Parts::recorders);
      !read)
    return read.error();
  const Result<Modelled> modelled = model.finish();
  if (!modelled)
    return modelled.error();
  const Result<ObservedCalls> measured = observeCalls(corpus, machine);
  const ModelReport report{*modelled,
                           model.graph(),
                           *maps,
                           o.model,
                           measured ? &*measured : nullptr,
                           measured ? "" : measured.error().text};
  std::optional<ModelledTree> tree;
  if (!o.report.function.empty()) {
    const auto chosen = modelledFunctions(report, o.report);
    if (!chosen)
      return chosen.error();
    if (chosen->size() == 1) {
      Result<ModelledTree> t = model.tree(modelled->functions[chosen->front()].number);
      if (!t)
        return t.error();
      tree = std::move(*t);
    }
  }
  if (o.json)
    return printModelJson(report, tree ? &*tree : nullptr, o.corpus, o.report, std::cout);
  return tree ? printTree(report, *tree, o.report, std::cout)
              : printModel(report, o.report, std::cout);
}

int runModel(Options options, bool topGiven) {
  const Result<Machine> machine = machineByName(options.model.thesis ? "unit" : options.machine);
  if (!machine)
    return fail(machine.error());
  const Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::read);
  if (!corpus)
    return fail(corpus.error());
  if (options.json && !topGiven)
    options.report.top = 0;
  options.report.colour = wantsColour();
  std::ios::sync_with_stdio(false);
  if (const Status printed = print(*corpus, *machine, options); !printed)
    return fail(printed.error());
  std::cout.flush();
  return std::cout ? ok : fail(Error{"cannot write the model"});
}

std::vector<std::string> modelNames() {
  std::vector<std::string> names;
  for (const NamedBranchModel &m : branchModels())
    names.emplace_back(m.name);
  return names;
}

} // namespace

void addModel(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
  CLI::App *verb = app.add_subcommand("model", "Predict the cost of one call, and show from what");
  verb->footer("Examples:\n"
               "  quincunx model prog.qx\n"
               "  quincunx model --function parse prog.qx\n"
               "  quincunx model --function parse --branch renewal prog.qx\n"
               "  quincunx model --per-run --json prog.qx");
  verb->add_option("corpus", options->corpus, "Corpus file (.qx)")->required()->type_name("CORPUS");
  verb->add_option("--function", options->report.function,
                   "Only functions whose name matches; of a single one, its tree")
      ->type_name("REGEX");
  verb->add_option("--branch", options->model.branch,
                   "What outcomes of branches are taken to be (default: bernoulli)")
      ->check(CLI::IsMember(modelNames()).description(""))
      ->type_name("observed|bernoulli|renewal|empirical");
  CLI::Option *perRun =
      verb->add_flag("--per-run", options->model.perRun, "Compose each run by itself, mix runs");
  verb->add_flag("--pooled", options->pooled, "Compose all runs together (default)")
      ->excludes(perRun);
  verb->add_flag("--thesis", options->model.thesis,
                 "Everything as in Gautama's thesis: unit costs, renewal branches, constant trips")
      ->excludes(perRun);
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  CLI::Option *top = verb->add_option("--top", options->report.top,
                                      "Functions to show, 0 for all (default: 20, with --json all)")
                         ->type_name("N");
  verb->add_option("--machine", options->machine,
                   "What instructions cost: unit, x86-64 or a .machine file (default: " +
                       std::string(defaultMachine) + ")")
      ->type_name("NAME|FILE");
  verb->callback([options, top, &status] { status = runModel(*options, top->count() != 0); });
}

} // namespace quincunx::tool
