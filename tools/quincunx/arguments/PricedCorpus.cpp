// Opens a corpus for a verb. A wrong name of a machine is told before a large corpus is read.
#include "PricedCorpus.h"

#include "RequestSelection.h"

namespace quincunx::tool {

void addCorpusArgument(CLI::App &verb, CorpusOptions &options) {
  verb.add_option("corpus", options.path, "Corpus file (.qx)")->required()->type_name("CORPUS");
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

Result<Observed> observe(const PricedCorpus &priced) {
  if (!priced.requests)
    return quincunx::observe(priced.corpus, priced.machine);
  Result<Observed> observed = observeRequests(priced.corpus, priced.machine, *priced.requests);
  if (!observed)
    return aboutRequests(*priced.requests, observed.error());
  return observed;
}

} // namespace quincunx::tool
