// Requests as runs.
// The idea: what is estimated from is a sequence of runs, so a request that was kept is made one,
// with the number of requests it stands for as its weight; the sums over all requests of a process
// are one more. A fit says what whole runs cost, and so of their parts on the whole. Reference:
// docs/10-compiler.md.
#include "quincunx/estimate/Requests.h"

#include "estimate/price/RunScales.h"
#include "quincunx/base/Text.h"

#include <map>

namespace quincunx {

namespace {

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

} // namespace

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
        if (Status s = visit.run && !run.requests.empty() ? visit.run(run) : Done{}; !s)
          return s;
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
      visit.run ? Corpus::ReadMask::all : Corpus::ReadMask::requests);
}

Result<double> scaleOfRequests(const Corpus &corpus, const std::vector<Map> &maps, Machine machine,
                               const RequestFunction &f) {
  machine.fit.ofRuns = true;
  const Prices prices(maps, machine);
  if (!prices.fitted())
    return 1;
  RunScales scales(maps, prices);
  double scale = 1, alone = 0, inRuns = 0;
  const auto take = [&](const Run &request, double weight) -> Status {
    const Result<RunScales::OfRun> cost = scales.of(request);
    if (!cost)
      return cost.error();
    alone += weight * cost->blocks;
    inRuns += weight * scale * cost->blocks;
    return Done{};
  };
  const auto begin = [&](const Run &whole) -> Status {
    const Result<RunScales::OfRun> cost = scales.of(whole);
    if (!cost)
      return cost.error();
    scale = cost->scale;
    return Done{};
  };
  if (const Status read = forEachRequest(corpus, maps, f, {take, {}, begin}); !read)
    return read.error();
  return alone > 0 ? inRuns / alone : 1;
}

} // namespace quincunx
