// A corpus that a verb reads, with all that says what its runs cost: the maps, the machine, and the
// requests that take the place of runs. It computes no figures.
#pragma once

#include "ForeignOptions.h"
#include "PricingOptions.h"

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/ObserveCorpus.h"
#include "quincunx/estimate/RunSource.h"
#include "quincunx/report/FunctionNames.h"

#include <CLI/CLI.hpp>

namespace quincunx::tool {

struct CorpusOptions {
  std::string path, per = "run", build;
  PricingOptions pricing;
  std::string requests; ///< their function (FunctionNames::matching); empty: there is one
  std::string names = "short";
  ForeignOptions foreign;
};

/// Adds the corpus as an argument of its own, and --build.
void addCorpusArgument(CLI::App &verb, CorpusOptions &options);
/// Adds --per, the prices and the option `name`, which chooses the requests' function;
/// `per`: what
/// --per says of itself.
void addCorpusOptions(CLI::App &verb, CorpusOptions &options, const std::string &per,
                      const std::string &name = "--function");

/// Adds --names.
void addNames(CLI::App &verb, CorpusOptions &options);
/// What functions are called, as --names says.
FunctionNames namesOf(const CorpusOptions &options, const std::vector<Map> &maps);

/// Words that ask `verb...` of the same runs or requests.
std::string questionFor(const CorpusOptions &options, const std::string &verb,
                        const std::string &more = "");

struct PricedCorpus {
  Machine machine;
  Corpus corpus;
  std::vector<Map> maps;
  FunctionNames names;
  std::optional<RequestFunction> requests;

  RunSource runs() const { return {corpus, maps, requests}; }
};
Result<PricedCorpus> openPriced(const CorpusOptions &options);
/// Folds code of others in the maps, but for that of files in `named`, and says which it is.
Result<IsForeign> foldForeign(PricedCorpus &priced, const CorpusOptions &options,
                              const std::vector<std::string> &named = {});
/// Returns what its runs did, or the requests in their place.
Result<Observed> observe(const PricedCorpus &priced);
/// Reads the counts of all of them.
Result<CountedRuns> countRuns(const PricedCorpus &priced);

} // namespace quincunx::tool
