// The default estimate over a whole corpus, with its runs or with the requests of one function.
// The idea: what is estimated from is a sequence of runs, so a request that was kept is made one,
// with the number of requests it stands for as its weight; means come from the sums over all
// requests where processes could leave them. Reading is repeated when the figures of all functions
// do not fit into memory.
#include "quincunx/estimate/Requests.h"

#include "quincunx/base/Text.h"

#include <algorithm>

namespace quincunx {

namespace {

/// Observes what `feed` gives, which is `runs` runs, in as many passes as memory requires.
Result<Observed> observePasses(const std::vector<Map> &maps, const Machine &machine, size_t runs,
                               size_t memory, const std::function<Status(Observer &)> &feed) {
  size_t functions = 0;
  for (const Map &m : maps)
    functions += m.functions.size();
  const size_t perFunction = runs * (machine.constant() ? 12 : 36) + 1;
  const size_t perPass = std::max<size_t>(1, memory / perFunction);
  Result<Observed> all = Error{""};
  for (size_t from = 0; from == 0 || from < functions; from += perPass) {
    Observer observer(maps, machine, runs, from, from + perPass);
    if (const Status read = feed(observer); !read)
      return read.error();
    Result<Observed> part = observer.finish();
    if (!part || from == 0)
      all = std::move(part);
    else
      all->functions.insert(all->functions.end(), part->functions.begin(), part->functions.end());
    if (!all)
      return all;
  }
  return all;
}

/// Name of a marked function; empty: its map is not there.
std::string nameOf(const std::vector<Map> &maps, const Hash &map, uint32_t counter) {
  for (const Map &m : maps)
    if (m.hash == map)
      for (const Function &f : m.functions)
        if (f.firstCounter == counter)
          return f.name;
  return "";
}

/// A part of a request or of sums as an image of a run.
Status addImage(Run &run, const std::vector<Map> &maps, const Hash &map, const Counts &counts) {
  ImageCounts image;
  image.map = map;
  image.counts = counts;
  for (const Map &m : maps)
    if (m.hash == map) {
      image.path = m.path;
      image.counterCount = m.wordCount;
      if (!counts.index.empty() && counts.index.back() >= m.counterCount)
        return Error{"requests of run '" + escape(run.label) + "' count what " + escape(m.path) +
                     " does not have"};
    }
  run.images.push_back(std::move(image));
  return Done{};
}

Status visitFunction(const Run &run, const std::string &process, const MarkedFunction &f,
                     const std::vector<Map> &maps, const RequestVisitor &visit) {
  for (const Request &r : f.sample) {
    Run one;
    const std::string number = std::string(1, '#') + std::to_string(r.number + 1) + process;
    one.identity = run.identity + number;
    one.label = run.label + number;
    one.wall = 1e-9 * static_cast<double>(r.wall);
    one.features = r.features;
    one.processes = 1;
    for (const RequestCounts &part : r.images)
      if (Status s = addImage(one, maps, part.map, part.counts); !s)
        return s;
    if (Status s = visit.one(one, f.weight()); !s)
      return s;
  }
  if (!f.sums || f.sample.empty() || !visit.all)
    return Done{};
  Run all;
  all.label = run.label;
  for (const RequestSums &part : *f.sums)
    if (Status s = addImage(all, maps, part.map, part.sum); !s)
      return s;
  return visit.all(all, static_cast<double>(f.ended));
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

Result<Observed> observe(const Corpus &corpus, const Machine &machine, size_t memory) {
  const Result<std::vector<Map>> maps = corpus.maps();
  if (!maps)
    return maps.error();
  return observePasses(*maps, machine, corpus.runCount(), memory, [&](Observer &observer) {
    return corpus.forEachRun([&](Run &&run) { return observer.add(run); });
  });
}

Result<std::vector<RequestFunction>> requestFunctions(const Corpus &corpus,
                                                      const std::vector<Map> &maps) {
  const auto marked = corpus.markedFunctions();
  if (!marked)
    return marked.error();
  std::map<std::string, RequestFunction> byName;
  for (const Corpus::Marked &m : *marked) {
    const std::string name = nameOf(maps, m.map, m.counter);
    RequestFunction &f = byName[name];
    f.name = name;
    f.begun += m.begun;
    f.ended += m.ended;
    f.kept += m.kept;
  }
  byName.erase("");
  std::vector<RequestFunction> out;
  for (auto &[name, f] : byName)
    out.push_back(std::move(f));
  return out;
}

Status forEachRequest(const Corpus &corpus, const std::vector<Map> &maps, const RequestFunction &f,
                      const RequestVisitor &visit) {
  std::map<std::pair<Hash, uint32_t>, bool> wanted;
  const auto isWanted = [&](const MarkedFunction &m) {
    const auto [at, fresh] = wanted.try_emplace({m.map, m.counter}, false);
    if (fresh)
      at->second = nameOf(maps, m.map, m.counter) == f.name;
    return at->second;
  };
  return corpus.forEachRun(
      [&](Run &&run) -> Status {
        size_t process = 0;
        for (const MarkedFunction &m : run.requests)
          if (isWanted(m)) {
            // Numbers are a process's own.
            std::string suffix;
            if (++process > 1)
              suffix.append(" (process ").append(std::to_string(process)).append(")");
            if (Status s = visitFunction(run, suffix, m, maps, visit); !s)
              return s;
          }
        return Done{};
      },
      Corpus::ReadMask::requests);
}

Result<Observed> observeRequests(const Corpus &corpus, const Machine &machine,
                                 const RequestFunction &f, size_t memory) {
  const Result<std::vector<Map>> maps = corpus.maps();
  if (!maps)
    return maps.error();
  if (f.kept == 0)
    return Error{"no request ended"};
  double known = 0;
  Result<Observed> observed =
      observePasses(*maps, machine, f.kept, memory, [&](Observer &observer) {
        known = 0;
        return forEachRequest(corpus, *maps, f,
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

size_t RunSource::count() const { return requests ? requests->kept : corpus.runCount(); }

Status RunSource::forEach(const std::function<Status(const Run &run, double weight)> &take,
                          Corpus::ReadMask parts) const {
  if (requests)
    return forEachRequest(corpus, maps, *requests, {take, {}});
  return corpus.forEachRun([&](Run &&run) { return take(run, 1); }, parts);
}

Result<CountMatrix> readCounts(const RunSource &source) {
  CountMatrixBuilder builder(source.maps, source.count());
  if (const Status s =
          source.forEach([&](const Run &run, double weight) { return builder.add(run, weight); });
      !s)
    return s.error();
  Result<CountMatrix> matrix = builder.finish();
  if (!matrix && source.requests)
    return Error{"no request ended"};
  return matrix;
}

Result<CountedRuns> countRuns(const Corpus &corpus, const std::vector<Map> &maps,
                              const Machine &machine) {
  Observer observer(maps, machine, corpus.runCount(), 0, 0);
  CountMatrixBuilder builder(maps, corpus.runCount());
  if (const Status read = corpus.forEachRun([&](Run &&run) {
        const Status s = observer.add(run);
        return s ? builder.add(run) : s;
      });
      !read)
    return read.error();
  return finishCounting(observer, builder);
}

Result<CountedRuns> countRequests(const Corpus &corpus, const std::vector<Map> &maps,
                                  const Machine &machine, const RequestFunction &f) {
  if (f.kept == 0)
    return Error{"no request ended"};
  Observer observer(maps, machine, f.kept, 0, 0);
  CountMatrixBuilder builder(maps, f.kept);
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
