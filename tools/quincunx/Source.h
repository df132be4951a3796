// Where the runs of a verb come from: a corpus, a machine, and runs or the requests in their place.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/Requests.h"

#include "Pricing.h"

#include <CLI/CLI.hpp>

namespace quincunx::tool {

struct SourceOptions {
  std::string corpus, per = "run";
  PricingOptions pricing;
  std::string requests; ///< regular expression for their function; empty: there is one
};

/// `per`: what the option --per says of itself; `name`: the option that chooses the function.
void addSource(CLI::App &verb, SourceOptions &options, const std::string &per,
               const std::string &name = "--function");

struct Source {
  Machine machine;
  Corpus corpus;
  std::vector<Map> maps;
  std::optional<RequestFunction> requests;

  RunSource runs() const { return {corpus, maps, requests}; }
};
Result<Source> openSource(const SourceOptions &options);

} // namespace quincunx::tool
