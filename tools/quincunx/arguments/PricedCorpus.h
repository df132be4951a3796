// Where the runs of a verb come from: a corpus, a machine, and runs or the requests in their place.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/Requests.h"

#include "PricingOptions.h"

#include <CLI/CLI.hpp>

namespace quincunx::tool {

struct CorpusOptions {
  std::string path, per = "run";
  PricingOptions pricing;
  std::string requests; ///< regular expression for their function; empty: there is one
};

/// `per`: what the option --per says of itself; `name`: the option that chooses the function.
void addCorpusOptions(CLI::App &verb, CorpusOptions &options, const std::string &per,
                      const std::string &name = "--function");

struct PricedCorpus {
  Machine machine;
  Corpus corpus;
  std::vector<Map> maps;
  std::optional<RequestFunction> requests;

  RunSource runs() const { return {corpus, maps, requests}; }
};
Result<PricedCorpus> openPriced(const CorpusOptions &options);

} // namespace quincunx::tool
