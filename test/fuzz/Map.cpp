// Maps: the bytes that the pass writes into an image. An input is bodies of functions with a mark
// between them. What is accepted reads the same when it is written again, and whoever looks at it
// later may trust every index: its flow is solved, its regions are composed, a run of it has
// figures. Reference: docs/11-formats.md, include/quincunx/map/Decode.h.
#include "MapSections.h"
#include "Target.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/Guess.h"
#include "quincunx/estimate/Observed.h"
#include "quincunx/map/Decode.h"
#include "quincunx/map/Encode.h"
#include "quincunx/report/Json.h"
#include "quincunx/report/Model.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

namespace quincunx::fuzz {

namespace {

constexpr std::string_view mark("\0QXBODY\0", 8);

std::vector<std::string> bodiesIn(std::string_view input) {
  std::vector<std::string> bodies;
  for (size_t end = 0; end != std::string_view::npos; input.remove_prefix(end + mark.size())) {
    end = input.find(mark);
    bodies.emplace_back(input.substr(0, end));
    if (end == std::string_view::npos)
      break;
  }
  return bodies;
}

/// Does it read the same when it is written again?
void judgeBody(const std::string &body) {
  const std::vector<uint8_t> bytes(body.begin(), body.end());
  Result<Function> f = decode(bytes);
  const Result<SourceBlocks> sources = decodeSources(bytes);
  judgeError(f);
  judgeError(sources);
  if (static_cast<bool>(f) != static_cast<bool>(sources))
    wrong("a function has its flow or its sources, not both");
  if (!f)
    return;
  const std::string written = encode(*f, *sources);
  const std::vector<uint8_t> again(written.begin(), written.end());
  f->followsJumps = true; // goes with the format, which is the present one now
  const Result<Function> g = decode(again);
  if (!g || *g != *f || *decodeSources(again) != *sources)
    wrong("a function that was written again is another one", g ? "" : g.error().message());
}

void judgeJson(const std::ostringstream &out) {
  if (!nlohmann::json::accept(out.str()))
    wrong("no JSON", out.str());
}

/// Without runs.
void judgeGuess(const std::vector<Map> &maps, const Machine &machine) {
  const Result<Guessed> guessed = guess(maps, machine, {{"n", 3}});
  if (!guessed)
    return judgeError(guessed);
  for (uint32_t i = 0; i < guessed->graph.functions.size(); ++i)
    judgeError(guessed->tree(i));
  std::ostringstream out;
  const Status printed =
      printModelJson({guessed->model, guessed->graph, maps, {}, nullptr, "", &*guessed, ""},
                     nullptr, "fuzz", {}, out);
  judgeError(printed);
  if (printed)
    judgeJson(out);
}

/// A run in which counters stand at small numbers, or at large ones.
Run runOf(const Map &map, uint64_t factor) {
  Run run;
  run.identity = run.label = std::to_string(factor);
  ImageCounts image;
  image.map = map.hash;
  image.counterCount = map.wordCount;
  for (uint32_t i = 0; i < map.wordCount && i < 10000; ++i)
    if (const uint64_t value = i * factor % 5; value != 0) {
      Counts &counts = i < map.counterCount ? image.counts : image.recorders;
      counts.index.push_back(i);
      counts.value.push_back(factor < 10 ? value : UINT64_MAX / (value + 1));
    }
  run.images.push_back(std::move(image));
  run.processes = 1;
  return run;
}

void judgeRuns(const std::vector<Map> &maps, const Machine &machine) {
  Observer observer(maps, machine, 3);
  Model model(maps, machine, {});
  for (const uint64_t factor : {1, 2, 11}) {
    const Run run = runOf(maps.front(), factor);
    const Status observed = observer.add(run), modelled = model.add(run);
    judgeError(observed);
    judgeError(modelled);
    if (!observed || !modelled)
      return;
  }
  const Result<Observed> observed = observer.finish();
  judgeError(observed);
  judgeError(model.finish());
  if (!observed)
    return;
  for (const FunctionFigures &f : observed->functions)
    if (std::isnan(f.cost.moments.mean) || std::isnan(f.cost.deviation) || std::isnan(f.share))
      wrong("a figure of a function is not a number", escape(f.name));
  std::ostringstream out;
  if (const Status printed = printJson(*observed, "fuzz", {}, out); printed)
    judgeJson(out);
}

void judge(const std::string &input) {
  static const Machine machine = *machineByName("x86-64");
  const std::vector<std::string> bodies = bodiesIn(input);
  for (const std::string &body : bodies)
    judgeBody(body);
  const RawMap raw = sectionOf(bodies);
  if (bodiesOf(raw.bytes) != bodies)
    wrong("the section has other bodies");
  Result<Map> map = decodeMap(raw);
  judgeError(map);
  if (!map || map->functions.empty())
    return;
  const Result<MapSources> sources = decodeSources(raw);
  if (!sources || sources->size() != map->functions.size() || raw.wordCount() != map->wordCount)
    wrong("a map has other functions than its sources, or other words");
  const std::vector<Map> maps{std::move(*map)};
  judgeGuess(maps, machine);
  judgeRuns(maps, machine);
}

} // namespace

const Target target{judge};

} // namespace quincunx::fuzz
