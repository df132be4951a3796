// Names of what happened to strands, and of places in the source.
#include "StrandText.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quincunx {

namespace {

/// Those of OpenMP's teams and tasks are told as what threads do.
constexpr std::array<const char *, QX_STRAND_KINDS> kindNames = [] {
  std::array<const char *, QX_STRAND_KINDS> names = {"begin",
                                                     "create",
                                                     "end",
                                                     "join",
                                                     "lock",
                                                     "lock, waited",
                                                     "unlock",
                                                     "shared lock",
                                                     "sleep",
                                                     "wake",
                                                     "wake, timed out",
                                                     "signal",
                                                     "broadcast",
                                                     "semaphore",
                                                     "post",
                                                     "take",
                                                     "new barrier",
                                                     "barrier",
                                                     "behind barrier"};
  names[QX_STRAND_LATCH] = "new latch, future or once";
  names[QX_STRAND_DONE] = "made ready";
  names[QX_STRAND_AWAIT] = "await";
  names[QX_STRAND_DROP] = "last barrier";
  names[QX_STRAND_CHANGE] = "await a change";
  names[QX_STRAND_TRIED] = "lock, tried";
  names[QX_STRAND_LOOP] = "shared loop";
  names[QX_STRAND_ITERATED] = "iterations";
  names[QX_STRAND_CLAIM] = "claim";
  names[QX_STRAND_NUMBER] = "claimed";
  names[QX_STRAND_SPIN] = "spin";
  names[QX_STRAND_FOLDED] = "folded sections";
  names[QX_STRAND_CAME_LAST] = "came last";
  names[QX_STRAND_STOPPED] = "counts no more";
  names[QX_STRAND_LAST_DID] = "done by the last";
  return names;
}();

/// Code of a directive is compiled as a function of its own; its line tells it.
std::string withoutDirective(const std::string &function) {
  return function.substr(0, function.find(".omp_outlined"));
}

} // namespace

const char *kindName(qx_strand_kind kind) { return kindNames[kind]; }

std::string placeText(const StrandSites &sites, uint32_t site, const Display &display) {
  const auto at = sites.find(site);
  if (at == sites.end())
    return site == 0 ? "" : "?";
  std::string text = display.function(withoutDirective(at->second.function));
  if (at->second.line != 0)
    text += " (" + escape(fileName(at->second.file)) + ":" + std::to_string(at->second.line) + ")";
  return text;
}

std::string threadText(const StrandSites &sites, uint32_t created, const Display &display) {
  return created == 0 ? "first thread" : "created in " + placeText(sites, created, display);
}

void printPathParts(const std::vector<PathPart> &parts, const StrandSites &sites, size_t top,
                    const Display &display, std::ostream &out) {
  Grid grid({"mean", "at p99", "up to", "in", "thread"}, 3);
  const auto seen = static_cast<size_t>(std::ranges::count_if(
      parts, [](const PathPart &p) { return std::max(p.mean, p.atWorst) >= 0.0005; }));
  const size_t shown = top == 0 ? parts.size() : std::min(top, seen);
  for (size_t i = 0; i < shown; ++i) {
    const PathPart &p = parts[i];
    grid.add({percent(p.mean), percent(p.atWorst), kindName(p.place.kind),
              placeText(sites, p.place.site, display),
              threadText(sites, p.place.created, display)});
  }
  grid.print(out, display);
  printRest(shown, parts.size(), "parts", out, shown == seen ? ", each below 0.05 %" : "");
}

ordered_json siteJson(const StrandSites &sites, uint32_t site) {
  const auto at = sites.find(site);
  if (at == sites.end())
    return nullptr;
  return {{"function", at->second.function}, {"file", at->second.file}, {"line", at->second.line}};
}

ordered_json pathPartsJson(const std::vector<PathPart> &parts, const StrandSites &sites) {
  ordered_json all = ordered_json::array();
  for (const PathPart &p : parts)
    all.push_back({{"mean", number(p.mean)},
                   {"p99", number(p.atWorst)},
                   {"upTo", kindName(p.place.kind)},
                   {"in", siteJson(sites, p.place.site)},
                   {"created", siteJson(sites, p.place.created)}});
  return all;
}

std::string onProcessors(double processors) {
  if (!std::isfinite(processors))
    return ", a processor for each";
  return " on " + shortFigure(processors) + (processors == 1 ? " processor" : " processors");
}

std::string leftOut(const LeftOut &runs) {
  std::string text;
  for (const auto &[count, why] : {std::pair(runs.notFinished, "did not finish"),
                                   std::pair(runs.notRecorded, "recorded no strands"),
                                   std::pair(runs.notWhole, "have events that are missing or "
                                                            "contradict each other"),
                                   std::pair(runs.severalProcesses, "are of several processes")})
    if (count > 0)
      text += (text.empty() ? "; left out: " : ", ") + std::to_string(count) + " that " + why;
  return text;
}

ordered_json leftOutJson(const LeftOut &runs) {
  return {{"notFinished", runs.notFinished},
          {"notRecorded", runs.notRecorded},
          {"notWhole", runs.notWhole},
          {"severalProcesses", runs.severalProcesses}};
}

} // namespace quincunx
