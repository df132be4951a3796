// The default estimate over a whole corpus.
// The idea: runs and requests are fed to the same observer; means of requests come from the sums
// over all of them where processes could leave these. Reading is repeated when the figures of all
// functions do not fit into memory. Reference: docs/03-runs-kept-apart.md.
#include "quincunx/estimate/ObserveCorpus.h"

#include "ObservedTotals.h"
#include "estimate/price/LibraryFunctions.h"
#include "quincunx/estimate/TotalsPerRun.h"
#include "quincunx/map/SourceFunctions.h"

#include <algorithm>
#include <functional>

namespace quincunx {

namespace {

size_t functionsOf(const std::vector<Map> &maps) {
  return SourceFunctions(maps, true).size() + LibraryFunctions(maps).names().size();
}

/// Of how many functions the figures of so many runs have room in memory.
size_t perPass(const Machine &machine, size_t runs, size_t memory) {
  const size_t perFunction = runs * (machine.constant() ? 12 : 36) + 1;
  return std::max<size_t>(1, memory / perFunction);
}

/// Observes what `feed` gives, which is `runs` runs, in as many passes as memory requires.
Result<Observed> observePasses(const std::vector<Map> &maps, const Machine &machine, size_t runs,
                               size_t memory, const std::function<Status(Observer &)> &feed) {
  const size_t functions = functionsOf(maps), atOnce = perPass(machine, runs, memory);
  Result<Observed> all = Error{""};
  for (size_t from = 0; from == 0 || from < functions; from += atOnce) {
    Observer observer(maps, machine, runs, from, from + atOnce);
    if (const Status read = feed(observer); !read)
      return read.error();
    Result<Observed> part = observer.finish();
    if (!part || from == 0)
      all = std::move(part);
    else
      for (const auto list : {&Observed::functions, &Observed::groups, &Observed::library})
        ((*all).*list).insert(((*all).*list).end(), ((*part).*list).begin(), ((*part).*list).end());
    if (!all)
      return all;
  }
  return all;
}

std::string grouped(uint64_t n) {
  std::string digits = std::to_string(n);
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

void writeNotes(Observed &o, bool knowsMeans) {
  std::erase_if(o.notes, [](const Note &n) { return n.kind == "inputs"; });
  if (o.ended > o.used())
    o.notes.push_back({"sampled", grouped(o.used()) + " of " + grouped(o.ended) +
                                      " requests were kept, drawn at random; means are " +
                                      (knowsMeans ? "over all of them" : "theirs")});
  if (o.begun > o.ended)
    o.notes.push_back({"open", grouped(o.begun - o.ended) +
                                   (o.begun - o.ended == 1 ? " request" : " requests") +
                                   " did not end, by the end of the process, a fork or longjmp, "
                                   "and what was counted in them is left out"});
  o.notes.push_back({"inputs", "intervals hold 90 % and assume requests as in real use, "
                               "independent of each other"});
}

/// What is known of the requests beyond those that were kept; `known`: how many the sums are of.
void setRequests(Observed &o, const RequestFunction &f, double known) {
  o.request = f.name;
  o.begun = f.begun;
  o.ended = f.ended;
  writeNotes(o, known == static_cast<double>(f.ended));
}

Result<CountedRuns> finishCounting(Observer &observer, CountMatrixBuilder &builder) {
  Result<Observed> observed = observer.finish();
  if (!observed)
    return observed.error();
  Result<CountMatrix> matrix = builder.finish();
  if (!matrix)
    return matrix.error();
  return CountedRuns{std::move(*observed), std::move(*matrix)};
}

} // namespace

Result<Observed> observe(const Corpus &corpus, const std::vector<Map> &maps, const Machine &machine,
                         size_t memory) {
  const Result<size_t> runs = corpus.runCount();
  if (!runs)
    return runs.error();
  return observePasses(maps, machine, *runs, memory, [&](Observer &observer) {
    return corpus.forEachRun([&](Run &&run) { return observer.add(run); });
  });
}

namespace {
Result<Observed> withoutTotals(const Corpus &corpus, const std::vector<Map> &maps,
                               const Machine &machine, size_t memory, const std::string &why) {
  Result<Observed> plain = observe(corpus, maps, machine, memory);
  if (plain)
    plain->notes.push_back({"totals", "totals of functions are left out: " + why});
  return plain;
}

Result<Observed> withTotals(const Corpus &corpus, const std::vector<Map> &maps,
                            const Machine &machine, size_t most, size_t memory,
                            const TotalVisitor &visit) {
  const Result<size_t> runs = corpus.runCount();
  if (!runs)
    return runs.error();
  size_t compiled = 0;
  for (const Map &m : maps)
    compiled += m.functions.size();
  if (*runs * compiled > most)
    return withoutTotals(corpus, maps, machine, memory, "that takes a while; report --all does it");
  Observer observer(maps, machine, *runs);
  CountMatrixBuilder builder(maps, *runs, mostCounts(corpus));
  Status fits = perPass(machine, *runs, memory) >= functionsOf(maps)
                    ? Status(Done{})
                    : Error{"they are too many for memory"};
  const Status read = corpus.forEachRun(
      [&](Run &&run) {
        if (const Status s = fits ? observer.add(run) : Done{}; !s)
          return s;
        if (fits)
          fits = builder.add(run);
        return Status(Done{});
      },
      Corpus::ReadMask::recorders);
  if (!read)
    return read.error();
  if (!fits)
    return withoutTotals(corpus, maps, machine, memory, fits.error().text);
  Result<Observed> observed = observer.finish();
  if (!observed)
    return observed;
  const Result<CountMatrix> matrix = builder.finish();
  if (!matrix)
    return matrix.error();
  const Status s = addTotals(*observed, corpus, *matrix, maps, machine, visit);
  return s ? std::move(observed) : s.error();
}
} // namespace

Result<Observed> observeWithTotals(const Corpus &corpus, const std::vector<Map> &maps,
                                   const Machine &machine, size_t most, size_t memory) {
  return withTotals(corpus, maps, machine, most, memory, {});
}

Result<Observed> observeWithTotals(const Corpus &corpus, const std::vector<Map> &maps,
                                   const Machine &machine, const TotalVisitor &visit) {
  return withTotals(corpus, maps, machine, quickTotals, 256u << 20, visit);
}

Result<Observed> observeRequests(const Corpus &corpus, const std::vector<Map> &maps,
                                 const Machine &machine, const RequestFunction &f, size_t memory) {
  if (f.kept == 0)
    return Error{"no request ended"};
  double known = 0;
  Result<Observed> observed = observePasses(maps, machine, f.kept, memory, [&](Observer &observer) {
    known = 0;
    return forEachRequest(corpus, maps, f,
                          {[&](const Run &r, double weight) { return observer.add(r, weight); },
                           [&](const Run &sums, double number) {
                             known += number;
                             return observer.addTotal(sums, number);
                           }});
  });
  if (!observed)
    return observed;
  setRequests(*observed, f, known);
  return observed;
}

Result<CountedRuns> countRuns(const Corpus &corpus, const std::vector<Map> &maps,
                              const Machine &machine) {
  const Result<size_t> runs = corpus.runCount();
  if (!runs)
    return runs.error();
  Observer observer(maps, machine, *runs, 0, 0);
  CountMatrixBuilder builder(maps, *runs, mostCounts(corpus));
  const auto take = [&](Run &&run) {
    const Status s = observer.add(run);
    return s ? builder.add(run) : s;
  };
  if (const Status read = corpus.forEachRun(take, Corpus::ReadMask::recorders); !read)
    return read.error();
  return finishCounting(observer, builder);
}

Result<CountedRuns> countRequests(const Corpus &corpus, const std::vector<Map> &maps,
                                  const Machine &machine, const RequestFunction &f) {
  if (f.kept == 0)
    return Error{"no request ended"};
  Observer observer(maps, machine, f.kept, 0, 0);
  CountMatrixBuilder builder(maps, f.kept, mostCounts(corpus));
  double known = 0;
  const Status read = forEachRequest(corpus, maps, f,
                                     {[&](const Run &request, double weight) {
                                        const Status s = observer.add(request, weight);
                                        return s ? builder.add(request, weight) : s;
                                      },
                                      [&](const Run &sums, double number) {
                                        known += number;
                                        return observer.addTotal(sums, number);
                                      }});
  if (!read)
    return read.error();
  Result<CountedRuns> counted = finishCounting(observer, builder);
  if (counted)
    setRequests(counted->observed, f, known);
  return counted;
}

} // namespace quincunx
