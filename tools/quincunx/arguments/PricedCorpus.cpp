// Opens a corpus for a verb. A wrong name of a machine is told before a large corpus is read.
#include "PricedCorpus.h"

#include "RequestSelection.h"
#include "SelectedBuild.h"
#include "record/ShellWords.h"

#include "quincunx/base/Text.h"

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

void addNames(CLI::App &verb, CorpusOptions &options) {
  verb.add_option("--names", options.names,
                  "Names of functions: as short as tells them apart, in tables that fit the "
                  "terminal, or in full (default: short)")
      ->check(CLI::IsMember({"short", "full"}).description(""))
      ->type_name("short|full");
}

FunctionNames namesOf(const CorpusOptions &options, const std::vector<Map> &maps) {
  ProgramNames program;
  for (const Map &m : maps)
    for (const Function &f : m.functions) {
      program.add(f.name);
      for (const Scope &s : f.scopes)
        program.add(s.function, s.file < f.files.size() ? fileName(f.files[s.file].path) : "",
                    s.line);
      for (const Call &c : f.calls) {
        program.add(c.callee);
        program.add(c.starts);
      }
    }
  return {program, options.names == "full" ? NameStyle::full : NameStyle::brief};
}

std::string questionFor(const CorpusOptions &options, const std::string &verb,
                        const std::string &more) {
  std::vector<std::string> words{verb, options.path};
  if (!more.empty())
    words.push_back(more);
  return joinWords(words) + (options.per == "request" ? " --per request" : "");
}

Result<PricedCorpus> openPriced(const CorpusOptions &options) {
  if (const Result<Machine> named = machineOf(options.pricing); !named)
    return named.error();
  Result<Corpus> corpus = Corpus::open(options.path, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  if (const Status s = selectBuild(*corpus, options.build); !s)
    return s.error();
  Result<Machine> machine = machineFor(*corpus, options.pricing, options.per);
  if (!machine)
    return machine.error();
  if (const Status s = tellFittedBuild(*corpus, *machine); !s)
    return s.error();
  Result<std::vector<Map>> maps = corpus->maps();
  if (!maps)
    return maps.error();
  FunctionNames names = namesOf(options, *maps);
  std::optional<RequestFunction> requests;
  if (options.per == "request") {
    const Result<RequestFunction> chosen = selectRequests(*corpus, *maps, names, options.requests);
    if (!chosen)
      return chosen.error();
    requests = *chosen;
    const Result<double> scale = scaleOfRequests(*corpus, *maps, *machine, *requests);
    if (!scale)
      return scale.error();
    const std::string unit = machine->unit;
    machine = inUnit(std::move(*machine), unit, *scale);
  }
  return PricedCorpus{std::move(*machine), std::move(*corpus), std::move(*maps), std::move(names),
                      std::move(requests)};
}

Result<IsForeign> foldForeign(PricedCorpus &priced, const CorpusOptions &options,
                              const std::vector<std::string> &named) {
  Result<IsForeign> isForeign = foreignFiles(options.foreign, priced.maps, named);
  if (isForeign)
    quincunx::foldForeign(priced.maps, *isForeign);
  return isForeign;
}

namespace {
/// Errors name the function of the requests.
template <class T> Result<T> ofRequests(const PricedCorpus &priced, Result<T> result) {
  return result ? std::move(result) : aboutRequests(*priced.requests, priced.names, result.error());
}
} // namespace

Result<Observed> observe(const PricedCorpus &p) {
  return p.requests ? ofRequests(p, observeRequests(p.corpus, p.maps, p.machine, *p.requests))
                    : quincunx::observe(p.corpus, p.maps, p.machine);
}

Result<CountedRuns> countRuns(const PricedCorpus &p) {
  return p.requests ? ofRequests(p, countRequests(p.corpus, p.maps, p.machine, *p.requests))
                    : quincunx::countRuns(p.corpus, p.maps, p.machine);
}

} // namespace quincunx::tool
