// Groups runs by how they ended, and compares their clocks. The idea: descriptions of runs are read
// once more, without counts, so that whatever else reads them need not know. Which statuses are
// good is a fact of the corpus, said by whoever recorded it. Of clocks those of the plain program
// count where it was timed, as counting takes time itself.
#include "quincunx/estimate/Provenance.h"

#include "quincunx/base/Text.h"
#include "quincunx/numeric/Quantile.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <unordered_set>
#include <utility>

namespace quincunx {

namespace {

constexpr size_t mostStatuses = 5; ///< that a note names

std::string textOf(const RunsByStatus &r) {
  return std::to_string(r.labels.size()) + (r.status < 0 ? " by signal " : " with exit status ") +
         std::to_string(std::abs(r.status)) + " (" + firstFew(r.labels) + ")";
}

/// Of those for which `isMeant`; empty when there is none.
template <class IsMeant>
std::string textOf(const std::vector<RunsByStatus> &all, const IsMeant &isMeant) {
  std::string text;
  size_t named = 0, others = 0;
  for (const RunsByStatus &r : all)
    if (isMeant(r) && ++named > mostStatuses)
      others += r.labels.size();
    else if (isMeant(r))
      text += (text.empty() ? "" : ", ") + textOf(r);
  return others == 0 ? text : text + ", " + std::to_string(others) + " in other ways";
}

void noteStatuses(const std::vector<RunsByStatus> &all, std::vector<Note> &notes) {
  const std::string crashed =
      textOf(all, [](const RunsByStatus &r) { return r.outcome == Outcome::crashed; });
  for (Note &note : notes)
    if (note.kind == "crashed" && !crashed.empty())
      note.text += ": " + crashed;
  const std::string odd = textOf(
      all, [](const RunsByStatus &r) { return r.outcome == Outcome::finished && !r.isGood; });
  if (!odd.empty())
    notes.push_back({"exit-status", "runs with exit statuses other than 0 count like others: " +
                                        odd + "; quincunx run --ok-status says which are good"});
}

/// Takes times of runs, in seconds.
class Clocks {
public:
  void add(double wall, double processor) {
    if (!(wall > 0 && processor > 0))
      return;
    busy += processor > 1.1 * wall;
    ratios.push_back(wall / processor);
    differences.push_back(wall - processor);
  }
  WallTime finish(bool ofPlain) {
    if (ratios.empty())
      return {};
    return {ofPlain, ratios.size(), busy, quantile(ratios, 0.5), quantile(differences, 0.5)};
  }

private:
  std::vector<double> ratios, differences;
  size_t busy = 0;
};

/// Of the plain program; nothing is known where it was not timed.
Result<WallTime> wallTimeOf(const Corpus &corpus) {
  const auto timings = corpus.timings();
  if (!timings)
    return timings.error();
  Clocks clocks;
  for (const Timing &timing : *timings)
    for (const Repetition &r : timing.repetitions)
      clocks.add(r.wall, r.cpu());
  return clocks.finish(true);
}

/// Waiting that is worth a word: shorter ones are what it takes to start a process.
constexpr double worthTelling = 5e-3, muchLonger = 1.5;

void noteWallTime(const WallTime &wall, std::vector<Note> &notes) {
  const bool waits = wall.ratio > muchLonger && wall.difference > worthTelling;
  if (wall.runs == 0 || (!wall.isParallel() && !waits))
    return;
  const char *const runs = wall.ofPlain ? "timed" : "counted";
  char text[200];
  std::snprintf(text, sizeof text,
                wall.isParallel()
                    ? "times are of processors, all threads and processes added up: by the clock "
                      "on the wall %s runs took %.3g of that (median)"
                    : "times are of the processor, without waiting: by the clock on the wall %s "
                      "runs took %.3g times as long (median)",
                runs, wall.ratio);
  notes.push_back({"wall", text});
}

} // namespace

std::string firstFew(std::span<const std::string> labels) {
  constexpr size_t most = 3;
  std::unordered_set<std::string> met;
  std::string text;
  for (const std::string &label : labels)
    if (met.insert(label).second && met.size() <= most)
      text += (text.empty() ? "" : ", ") + escape(label);
  return met.size() > most ? text + " and " + std::to_string(met.size() - most) + " more" : text;
}

Result<std::set<int>> goodStatuses(const Corpus &corpus) {
  const Result<std::string> fact = corpus.fact(goodStatusFact);
  if (!fact)
    return fact.error();
  std::set<int> out;
  for (const std::string_view line : fields(*fact, '\n'))
    for (const std::string_view field : fields(line, ','))
      if (double value = 0; parseNumber(field, value) && value >= 0 && value <= 255)
        out.insert(static_cast<int>(value));
  return out;
}

Result<Provenance> provenanceOf(const Corpus &corpus) {
  const Result<std::set<int>> good = goodStatuses(corpus);
  if (!good)
    return good.error();
  std::map<std::pair<Outcome, int>, RunsByStatus> exits;
  Clocks clocks;
  const Status read = corpus.forEachRun(
      [&](Run &&run) -> Status {
        const bool isFinished = run.outcome == Outcome::finished;
        if (isFinished)
          clocks.add(run.wall, run.user + run.system);
        if (run.outcome != Outcome::crashed && (!isFinished || run.exitStatus == 0))
          return Done{};
        const bool isGood = isFinished && good->contains(run.exitStatus);
        RunsByStatus &group =
            exits
                .try_emplace({run.outcome, run.exitStatus},
                             RunsByStatus{run.exitStatus, run.outcome, isGood, {}})
                .first->second;
        group.labels.push_back(std::move(run.label));
        return Done{};
      },
      Corpus::ReadMask::description);
  if (!read)
    return read.error();
  Result<WallTime> ofPlain = wallTimeOf(corpus);
  Result<std::vector<Corpus::Build>> builds = corpus.builds();
  if (!ofPlain || !builds)
    return ofPlain ? builds.error() : ofPlain.error();
  Provenance out;
  out.builds = std::move(*builds);
  // A plain program that was kept on one processor does not show what it does with several.
  const WallTime counted = clocks.finish(false);
  out.wall =
      ofPlain->runs > 0 && counted.isParallel() <= ofPlain->isParallel() ? *ofPlain : counted;
  for (auto &[key, group] : exits)
    out.exits.push_back(std::move(group));
  return out;
}

void addNotes(const Provenance &provenance, const std::string &unit, std::vector<Note> &notes) {
  noteStatuses(provenance.exits, notes);
  if (unit == "ns" || unit == "us" || unit == "ms" || unit == "s")
    noteWallTime(provenance.wall, notes);
}

} // namespace quincunx
