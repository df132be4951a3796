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
  verb.add_option("--machine", options.machine,
                  "What instructions cost: unit, x86-64 or a .machine file (default: " +
                      std::string(defaultMachine) + ")")
      ->type_name("NAME|FILE");
}

Result<Source> openSource(const SourceOptions &options) {
  Result<Machine> machine = machineByName(options.machine);
  if (!machine)
    return machine.error();
  Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
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
