// Pieces of a simulated run in rows. The idea: who lives at the same time has rows of its own, the
// first one that is free, so that teams that follow each other share theirs; where too many live at
// once (tasks that wait for others), only those that work have one, and waits are left out.
#include "quincunx/estimate/Timeline.h"

#include "RunFates.h"

#include <algorithm>

namespace quincunx {

namespace {

using parallel::Edge;
using parallel::Piece;

struct Life {
  double begin = 0, end = -1;
  uint32_t row = noIndex, created = 0;
};

class Rows {
public:
  Rows(const StrandDescription &description, const std::vector<Piece> &p)
      : d(description), pieces(p) {
    for (const Piece &piece : pieces) {
      if (lives.size() <= piece.thread)
        lives.resize(piece.thread + 1);
      Life &life = lives[piece.thread];
      if (life.end < 0)
        life = {piece.begin, piece.end, noIndex, d.works[piece.workClass].created};
      life.end = std::max(life.end, piece.end);
    }
  }

  std::vector<double> work() {
    const bool areWhole = shareOut();
    std::vector<double> all;
    for (const Piece &p : pieces) {
      const uint32_t row = rowOf(p, areWhole);
      if (all.size() <= row)
        all.resize(row + 1, 0.0);
      all[row] += p.end - p.begin;
    }
    return all;
  }

  Timeline timeline(double inSeconds) {
    const bool areWhole = shareOut();
    std::vector<const Piece *> last(lives.size()); // of each thread
    std::vector<size_t> open(lives.size());        // its slice
    for (const Piece &p : pieces) {
      const Piece *&before = last[p.thread];
      const bool follows = before != nullptr && before->end >= p.begin;
      const uint32_t row = rowOf(p, areWhole);
      if (follows && before->workClass == p.workClass && out.slices[open[p.thread]].row == row) {
        out.slices[open[p.thread]].end = p.end * inSeconds;
        before = &p;
        continue;
      }
      if (areWhole && before != nullptr && !follows)
        out.slices.push_back({row, before->end * inSeconds, p.begin * inSeconds, true,
                              d.works[before->workClass], p.edge});
      open[p.thread] = out.slices.size();
      out.slices.push_back(
          {row, p.begin * inSeconds, p.end * inSeconds, false, d.works[p.workClass], Edge::order});
      before = &p;
    }
    std::ranges::stable_sort(out.slices, std::less(), &TimelineSlice::begin);
    return std::move(out);
  }

private:
  /// A row for each life; false: there are more than threads, and rows are of pieces.
  bool shareOut() {
    std::vector<Life *> inOrder;
    for (Life &life : lives)
      if (life.end >= 0)
        inOrder.push_back(&life);
    std::ranges::stable_sort(inOrder, std::less(), [](const Life *l) { return l->begin; });
    for (Life *life : inOrder) {
      life->row = take(life->begin, life->end, life->created);
      if (freeAt.size() > d.atOnce) {
        for (Life &any : lives)
          any.row = noIndex;
        freeAt.clear();
        out.rows.clear();
        return false;
      }
    }
    return true;
  }

  uint32_t rowOf(const Piece &p, bool areWhole) {
    Life &life = lives[p.thread];
    if (areWhole)
      return life.row;
    if (life.row < freeAt.size() && freeAt[life.row] <= p.begin) {
      freeAt[life.row] = p.end;
      return life.row;
    }
    return life.row = take(p.begin, p.end, life.created);
  }

  uint32_t take(double from, double to, uint32_t created) {
    const auto at = std::ranges::find_if(freeAt, [&](double free) { return free <= from; });
    const auto row = static_cast<uint32_t>(at - freeAt.begin());
    if (at == freeAt.end()) {
      freeAt.push_back(to);
      out.rows.push_back(created);
      return row;
    }
    *at = to;
    if (out.rows[row] != created)
      out.rows[row] = Timeline::several;
    return row;
  }

  const StrandDescription &d;
  const std::vector<Piece> &pieces;
  std::vector<Life> lives; ///< by thread of the simulation
  std::vector<double> freeAt;
  Timeline out;
};

} // namespace

std::vector<double> workOfRows(const StrandDescription &description,
                               const std::vector<Piece> &pieces) {
  return Rows(description, pieces).work();
}

Result<Timeline> timelineOf(const ReplayedRun &run) {
  parallel::Setting setting;
  setting.atOnce = run.strands.atOnce;
  setting.keepPieces = true;
  const Result<Drawn> drawn = simulateDrawn(run.strands.description, setting);
  if (!drawn)
    return drawn.error();
  Timeline timeline = Rows(run.strands, drawn->simulated.pieces).timeline(run.perCount);
  timeline.end = drawn->simulated.makespan * run.perCount;
  return timeline;
}

} // namespace quincunx
