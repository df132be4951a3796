// quincunx corpus dump: the whole corpus as lines of tab-separated fields, for tests, diffs and
// scripts. The idea: a line names what it belongs to (map by hash, run by identity), so lines can
// be sorted, grepped and joined, and two corpora with the same contents give the same bytes,
// however they came to be. docs/11-formats.md lists the fields. It cannot be read back.
#include "CorpusVerbs.h"
#include "DumpLine.h"

#include "quincunx/base/Text.h"
#include "quincunx/profile/Calls.h"
#include "quincunx/profile/CorpusSources.h"
#include "quincunx/profile/Recorders.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace quincunx::tool {

namespace {

template <class Items, class Show> std::string list(const Items &items, Show show) {
  std::string out;
  for (const auto &item : items)
    out += (out.empty() ? "" : ",") + show(item);
  return orDash(out);
}

std::string classes(const std::vector<ClassCount> &mix) {
  return list(
      mix, [](const ClassCount &c) { return className(c.kind) + (":" + std::to_string(c.count)); });
}

std::string indices(const std::vector<uint32_t> &items) {
  return list(items, [](uint32_t i) { return i == noIndex ? "-" : std::to_string(i); });
}

std::string place(const Location &at) {
  return std::to_string(at.line) + ":" + std::to_string(at.column) + ":" + std::to_string(at.scope);
}

/// A block by its number, an edge with an "e" before it.
std::string term(const SourceBlock::Term &t) {
  return (t.minus ? "-" : "") + std::string(t.isEdge ? "e" : "") + std::to_string(t.index);
}

std::string flags(std::initializer_list<std::pair<bool, const char *>> all) {
  std::string out;
  for (const auto &[set, name] : all)
    if (set)
      out += (out.empty() ? "" : ",") + std::string(name);
  return orDash(out);
}

std::string md5(const std::array<uint8_t, 16> &bytes) {
  if (std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b == 0; }))
    return "-";
  std::string out;
  char digits[3];
  for (uint8_t b : bytes) {
    std::snprintf(digits, sizeof digits, "%02x", b);
    out += digits;
  }
  return out;
}

const char *edgeName(EdgeKind kind) {
  constexpr const char *names[] = {"flow", "entry", "leave", "unwind", "stop", "cut", "again"};
  const auto i = static_cast<size_t>(kind); // names in the order of EdgeKind
  return i < std::size(names) ? names[i] : "unknown";
}

const char *bytesName(ByteSource kind) {
  constexpr const char *names[] = {"-", "argument", "result", "limit"};
  return names[static_cast<size_t>(kind)];
}

void dumpFlow(const std::string &map, uint32_t f, const Function &function,
              const SourceBlocks &sources) {
  auto line = [&](const char *kind, size_t i) {
    DumpLine out(kind);
    out << map << f << uint64_t{i};
    return out;
  };
  for (size_t i = 0; i < function.blocks.size(); ++i) {
    const Block &b = function.blocks[i];
    (line("block", i) << flags({{b.mayNotReturn, "may-cut"}, {b.returnsTwice, "returns-twice"}})
                      << classes(b.mix) << list(b.lines, place) << b.counter << b.memory)
        .put();
  }
  for (size_t i = 0; i < function.edges.size(); ++i) {
    const Edge &e = function.edges[i];
    (line("edge", i) << e.from << e.to << edgeName(e.kind) << e.counter << e.guess).put();
  }
  for (size_t i = 0; i < function.branches.size(); ++i) {
    const Branch &b = function.branches[i];
    (line("branch", i) << b.block << (b.isSwitch ? "switch" : "if") << indices(b.arms)
                       << place(b.at) << b.recorder << b.leaves << b.misses
                       << flags({{!b.senseKnown, "either-way"}}) << b.limit
                       << flags({{b.belowOnTrue, "below"}, {b.ofIndex, "of-index"}}))
        .put();
  }
  for (size_t i = 0; i < function.loops.size(); ++i) {
    const Loop &l = function.loops[i];
    (line("loop", i) << l.header << l.parent << indices(l.entryEdges) << indices(l.backEdges)
                     << orDash(l.trips) << flags({{l.derivedTrips, "derived"}}) << place(l.at)
                     << l.recorder << indices(l.exits))
        .put();
  }
  for (size_t i = 0; i < function.assemblies.size(); ++i) {
    const Assembly &a = function.assemblies[i];
    (line("assembly", i) << a.block << flags({{a.estimated, "estimated"}, {a.repeats, "repeats"}})
                         << place(a.at))
        .put();
  }
  for (size_t i = 0; i < function.calls.size(); ++i) {
    const Call &c = function.calls[i];
    (line("call", i) << c.block << orDash(c.callee) << orDash(c.starts)
                     << flags({{c.mayNotReturn, "may-cut"}}) << place(c.at) << c.misses
                     << orDash(c.written) << bytesName(c.bytes) << c.byteCounter << c.constantBytes)
        .put();
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    const SourceBlock &s = sources[i];
    (line("source", i) << flags({{!s.known, "not-known"}}) << list(s.terms, term)
                       << list(s.lines, place))
        .put();
  }
}

void dumpMap(const Map &map, const MapSources &sources) {
  const std::string name = hex(map.hash);
  (DumpLine("map") << name << map.path << uint64_t{map.functions.size()} << map.counterCount).put();
  for (uint32_t f = 0; f < map.functions.size(); ++f) {
    const Function &function = map.functions[f];
    (DumpLine("function") << name << f << function.name << function.firstCounter
                          << function.counterCount
                          << flags({{function.exact, "exact"}, {function.guarded, "guarded"}})
                          << classes(function.clock))
        .put();
    for (uint32_t i = 0; i < function.files.size(); ++i)
      (DumpLine("file") << name << f << i << function.files[i].path << md5(function.files[i].md5))
          .put();
    for (uint32_t i = 0; i < function.scopes.size(); ++i) {
      const Scope &s = function.scopes[i];
      (DumpLine("scope") << name << f << i << s.parent << s.function << s.file << s.line
                         << s.callLine << s.callColumn)
          .put();
    }
    dumpFlow(name, f, function, sources[f]);
  }
}

void dumpCounts(const char *kind, const std::string &run, const std::string &map,
                const Counts &counts) {
  const std::string start = std::string(kind) + '\t' + escapeWhole(run) + '\t' + map + '\t';
  for (size_t i = 0; i < counts.index.size(); ++i)
    std::fprintf(stdout, "%s%u\t%llu\n", start.c_str(), counts.index[i],
                 static_cast<unsigned long long>(counts.value[i]));
}

std::string bins(const Histogram &histogram) {
  return list(histogram, [](const Lengths &l) {
    const std::string high = l.high == UINT64_MAX ? "" : std::to_string(l.high);
    return std::to_string(l.low) + (l.high > l.low ? "-" + high : "") + ":" +
           std::to_string(l.count);
  });
}

/// "file:line" as the compiler had them.
std::string source(const Function &f, const Location &at) {
  const uint32_t file = at.scope < f.scopes.size() ? f.scopes[at.scope].file : noIndex;
  return (file == noIndex ? "-" : f.files[file].path) + ":" + std::to_string(at.line);
}

/// The histograms of one function in a run. Those of branches that were met, and of loops entered.
void dumpFunctionRecorders(const std::string &run, const std::string &map, uint32_t f,
                           const Function &function, std::span<const uint64_t> words) {
  const auto line = [&](const char *kind, size_t i, const Location &at) {
    DumpLine out(kind);
    out << run << map << f << uint64_t{i} << source(function, at);
    return out;
  };
  for (size_t i = 0; i < function.loops.size(); ++i)
    if (const Loop &l = function.loops[i]; l.recorder != noIndex)
      if (const Histogram trips = loopTrips(l, words); !trips.empty())
        (line("trips", i, l.at) << bins(trips)).put();
  for (size_t i = 0; i < function.branches.size(); ++i) {
    const Branch &b = function.branches[i];
    if (!hasRuns(b))
      continue;
    const BranchRuns r = branchRuns(function, b, words);
    if (r.firstTrue + r.firstFalse == 0 && r.cutTrue.empty() && r.cutFalse.empty())
      continue;
    (line("runs", i, b.at) << bins(r.endedTrue) << bins(r.endedFalse) << bins(r.cutTrue)
                           << bins(r.cutFalse) << r.firstTrue << r.firstFalse)
        .put();
  }
}

void dumpRecorders(const std::string &run, const Map &map, const ImageCounts &image) {
  const Counts &counts = image.recorders;
  auto at = counts.index.begin();
  std::vector<uint64_t> words;
  for (uint32_t f = 0; f < map.functions.size(); ++f) {
    const Function &function = map.functions[f];
    if (function.recorderWords == 0)
      continue;
    words.assign(function.recorderWords, 0);
    at = std::lower_bound(counts.index.begin(), counts.index.end(), function.firstRecorder);
    for (; at != counts.index.end() && *at - function.firstRecorder < function.recorderWords; ++at)
      words[*at - function.firstRecorder] =
          counts.value[static_cast<size_t>(at - counts.index.begin())];
    dumpFunctionRecorders(run, hex(map.hash), f, function, words);
    if (const CallCosts costs = callCosts(function, image); costs.calls > 0)
      (DumpLine("costs") << run << hex(map.hash) << f << costs.calls << costs.sum
                         << list(costs.buckets,
                                 [](const auto &bucket) {
                                   return exact(costBucket(bucket.first).low) + ":" +
                                          std::to_string(bucket.second);
                                 })
                         << costs.cut)
          .put();
  }
}

/// A number of 128 bits.
std::string decimal(uint64_t low, uint64_t high) {
  auto value = static_cast<unsigned __int128>(high) << 64 | low;
  std::string digits;
  do
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
  while ((value /= 10) != 0);
  return digits;
}

void dumpRequests(const std::string &run, uint64_t number, const MarkedFunction &f,
                  const std::vector<Map> &maps) {
  std::string name;
  for (const Map &map : maps)
    for (const Function &function : map.functions)
      if (map.hash == f.map && function.firstCounter == f.counter)
        name = function.name;
  (DumpLine("marked") << run << number << hex(f.map) << f.counter << orDash(name) << f.begun
                      << f.ended << flags({{f.sums.has_value(), "sums"}}))
      .put();
  const auto line = [&](const char *kind) {
    DumpLine out(kind);
    out << run << number;
    return out;
  };
  for (const Request &r : f.sample) {
    (line("request") << r.number << 1e-9 * static_cast<double>(r.wall)).put();
    for (const auto &[feature, value] : r.features)
      (line("request-feature") << r.number << feature << value).put();
    for (const RequestCounts &image : r.images)
      for (size_t i = 0; i < image.counts.index.size(); ++i)
        (line("request-count") << r.number << hex(image.map) << image.counts.index[i]
                               << image.counts.value[i])
            .put();
  }
  for (const RequestSums &image : f.sums.value_or(std::vector<RequestSums>{}))
    for (size_t i = 0; i < image.sum.index.size(); ++i)
      (line("request-sum") << hex(image.map) << image.sum.index[i] << image.sum.value[i]
                           << decimal(image.squares[i][0], image.squares[i][1]))
          .put();
}

void dumpRun(const Run &run, const std::vector<Map> &maps) {
  (DumpLine("run") << run.identity << run.label << outcomeName(run.outcome)
                   << std::to_string(run.exitStatus) << run.start << run.wall << run.user
                   << run.system << run.peakMemory << run.cycles << run.instructions
                   << run.branchMisses << uint64_t{run.processes} << orDash(run.standardInput)
                   << run.pageFaults << orDash(run.tag) << orDash(run.commit) << orDash(run.host))
      .put();
  for (size_t i = 0; i < run.arguments.size(); ++i)
    (DumpLine("argument") << run.identity << uint64_t{i + 1} << run.arguments[i]).put();
  for (const auto &[name, value] : run.features)
    (DumpLine("feature") << run.identity << name << value).put();
  for (const auto &[name, value] : run.texts)
    (DumpLine("text-feature") << run.identity << name << value).put();
  for (const ImageCounts &image : run.images) {
    const std::string map = hex(image.map);
    (DumpLine("image") << run.identity << map << image.path << image.counterCount
                       << (image.build.empty() ? "-" : image.build))
        .put();
    const auto known =
        std::find_if(maps.begin(), maps.end(), [&](const Map &m) { return m.hash == image.map; });
    dumpCounts("count", run.identity, map, image.counts);
    dumpCounts("inherited", run.identity, map, image.inherited);
    if (known != maps.end())
      dumpRecorders(run.identity, *known, image);
    else
      dumpCounts("count", run.identity, map, image.recorders);
  }
  for (size_t i = 0; i < run.requests.size(); ++i)
    dumpRequests(run.identity, i, run.requests[i], maps);
}

} // namespace

int dumpCorpus(const std::string &path) {
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return fail(corpus.error());
  const Result<std::vector<Map>> maps = corpus->storedMaps();
  if (!maps)
    return fail(maps.error());
  const Result<std::vector<MapSources>> sources = readSources(*corpus);
  if (!sources)
    return fail(sources.error());
  const auto facts = corpus->facts();
  if (!facts)
    return fail(facts.error());
  DumpLine("quincunx-corpus").operator<<("1").put();
  for (const auto &[name, all] : *facts)
    for (std::string_view value : fields(all, '\n'))
      if (!value.empty())
        (DumpLine("fact") << name << std::string(value)).put();
  for (size_t m = 0; m < maps->size(); ++m)
    dumpMap((*maps)[m], (*sources)[m]);
  const auto dumped = corpus->forEachRun(
      [&](Run &&run) -> Status {
        dumpRun(run, *maps);
        return Done{};
      },
      Corpus::ReadMask::all);
  if (!dumped)
    return fail(dumped.error());
  if (Status s = dumpTimings(*corpus); !s)
    return fail(s.error());
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return fail({std::string("cannot write: ") + std::strerror(errno)});
  return ok;
}

} // namespace quincunx::tool
