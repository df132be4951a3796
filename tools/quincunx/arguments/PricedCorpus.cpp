// Opens a corpus for a verb. A wrong name of a machine is told before a large corpus is read.
#include "PricedCorpus.h"

#include "RequestSelection.h"
#include "SelectedBuild.h"

namespace quincunx::tool {

void addCorpusArgument(CLI::App &verb, CorpusOptions &options) {
  verb.add_option("corpus", options.path, "Corpus file (.qx)")->required()->type_name("CORPUS");
  addBuildOption(verb, options.build);
}

void addCorpusOptions(CLI::App &verb, CorpusOptions &options, const std::string &per,
                      const std::string &name) {
  verb.add_option("--per", options.per, per)
      ->check(CLI::IsMember({"run", "request"}).description(""))
      ->type_name("run|request");
  verb.add_option(name, options.requests, "With --per request, the requests' function")
      ->type_name("REGEX");
  addPricingOptions(verb, options.pricing);
}

Result<PricedCorpus> openPriced(const CorpusOptions &options) {
  if (const Result<Machine> named = machineOf(options.pricing); !named)
    return named.error();
  Result<Corpus> corpus = Corpus::open(options.path, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  if (const Status s = selectBuild(*corpus, options.build); !s)
    return s.error();
  Result<Machine> machine = machineFor(*corpus, options.pricing, options.per == "run");
  if (!machine)
    return machine.error();
  Result<std::vector<Map>> maps = corpus->maps();
  if (!maps)
    return maps.error();
  std::optional<RequestFunction> requests;
  if (options.per == "request") {
    const Result<RequestFunction> chosen = selectRequests(*corpus, *maps, options.requests);
    if (!chosen)
      return chosen.error();
    requests = *chosen;
  }
  return PricedCorpus{std::move(*machine), std::move(*corpus), std::move(*maps),
                      std::move(requests)};
}

namespace {
/// Errors name the function of the requests.
template <class T> Result<T> ofRequests(const PricedCorpus &priced, Result<T> result) {
  return result ? std::move(result) : aboutRequests(*priced.requests, result.error());
}
} // namespace

Result<Observed> observe(const PricedCorpus &p) {
  return p.requests ? ofRequests(p, observeRequests(p.corpus, p.machine, *p.requests))
                    : quincunx::observe(p.corpus, p.machine);
}

Result<CountedRuns> countRuns(const PricedCorpus &p) {
  return p.requests ? ofRequests(p, countRequests(p.corpus, p.maps, p.machine, *p.requests))
                    : quincunx::countRuns(p.corpus, p.maps, p.machine);
}

} // namespace quincunx::tool
