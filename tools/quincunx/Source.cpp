// Machine first: a wrong name is told before a large corpus is read.
#include "Source.h"

#include "RequestsOf.h"

namespace quincunx::tool {

void addSource(CLI::App &verb, SourceOptions &options, const std::string &per,
               const std::string &name) {
  verb.add_option("--per", options.per, per)
      ->check(CLI::IsMember({"run", "request"}).description(""))
      ->type_name("run|request");
  verb.add_option(name, options.requests, "With --per request, the requests' function")
      ->type_name("REGEX");
  addPricing(verb, options.pricing);
}

Result<Source> openSource(const SourceOptions &options) {
  if (const Result<Machine> named = machineOf(options.pricing); !named)
    return named.error();
  Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::read);
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
    const Result<RequestFunction> chosen = requestsOf(*corpus, *maps, options.requests);
    if (!chosen)
      return chosen.error();
    requests = *chosen;
  }
  return Source{std::move(*machine), std::move(*corpus), std::move(*maps), std::move(requests)};
}

} // namespace quincunx::tool
