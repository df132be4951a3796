// Strands: what threads wrote down, as a corpus has it, and as the payload of a chunk in a record.
// What is accepted reads the same when it is written again, and has the same work and spans; a
// chunk says the same in two pieces. Reference: docs/11-formats.md, docs/28-critical-path.md.
#include "Target.h"

#include "quincunx/strands/CriticalPath.h"
#include "quincunx/strands/StrandDescription.h"

#include <algorithm>

namespace quincunx::fuzz {

namespace {

Result<ProcessStrands> unpacked(const std::string &bytes) {
  // A heap block of exactly this size, so that a sanitizer sees a read beyond it.
  const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
  return unpackStrands(exact);
}

void judgePath(const CriticalPath &path, uint64_t work) {
  uint64_t legs = 0, parts = 0;
  for (const PathLeg &leg : path.legs)
    legs += leg.work;
  for (const auto &[place, length] : path.parts)
    parts += length;
  if (legs != path.span || parts != path.span)
    wrong("legs or parts are not the whole path", std::to_string(path.span));
  if (path.span > work)
    wrong("a path is longer than the work", std::to_string(path.span));
}

/// What is asked of a process that may be refused as a whole.
std::string figuresOf(const ProcessStrands &strands) {
  const Result<ParallelWork> work = parallelWork(strands);
  judgeError(work);
  if (!work)
    return work.error().text;
  judgePath(work->free, work->work);
  judgePath(work->locked, work->work);
  if (work->locked.span < work->free.span)
    wrong("who waits for locks, too, is done earlier");
  return std::to_string(work->work) + ' ' + std::to_string(work->free.span) + ' ' +
         std::to_string(work->locked.span) + ' ' + std::to_string(work->strands);
}

/// What is described is refused, or takes no longer than all of it in a row. With other numbers of
/// threads, loops of one thread that are shared, and threads that end with the first of them, too.
void judgeDescriptions(const ProcessStrands &strands) {
  constexpr size_t mostSteps = 10000;
  constexpr uint32_t firstEnds = UINT32_MAX;
  for (const uint32_t threads : {0u, 1u, 3u, firstEnds}) {
    StrandChanges changes;
    changes.threads = threads == firstEnds ? 0 : threads;
    for (const StrandThread &t : strands.threads)
      for (const StrandEvent &e : t.events)
        if ((e.kind == QX_STRAND_CREATE || e.kind == QX_STRAND_TEAM) && threads == firstEnds)
          changes.first.insert(e.site);
        else if (e.kind == QX_STRAND_SERIAL && changes.threads != 0)
          changes.schedules[e.site] = {parallel::Schedule::queue, 1, true};
    const Result<StrandHistory> history = StrandHistory::of(strands, changes);
    judgeError(history);
    if (!history)
      continue;
    for (const Kept kept : {Kept::order, Kept::jobs, Kept::nothing}) {
      const StrandDescription d = history->describe(kept);
      size_t steps = 0;
      for (const parallel::Body &body : d.description.bodies)
        steps += body.size();
      for (const parallel::Loop &loop : d.description.loops)
        steps += loop.size();
      if (steps > mostSteps)
        continue;
      const Result<parallel::Simulated> s = parallel::simulate(d.description, {});
      judgeError(s);
      if (s && s->makespan > workIn(d) * (1 + 1e-6))
        wrong("threads take longer than one", std::to_string(s->makespan));
    }
  }
}

void judgeStrands(const ProcessStrands &strands) {
  judgeDescriptions(strands);
  const std::string bytes = packStrands(strands);
  const Result<ProcessStrands> back = unpacked(bytes);
  if (!back)
    wrong("strands that were written cannot be read", back.error().message());
  if (packStrands(*back) != bytes)
    wrong("strands are others when they are written again");
  if (figuresOf(*back) != figuresOf(strands))
    wrong("strands have other figures when they were written",
          figuresOf(strands) + "\n" + figuresOf(*back));
}

std::vector<ProcessStrands> fromChunks(std::initializer_list<std::string> payloads) {
  StrandChunks chunks;
  for (const std::string &payload : payloads) {
    const std::vector<uint8_t> exact(payload.begin(), payload.end());
    if (const std::string error = chunks.add(exact); !error.empty()) {
      judgeError(Error{error});
      return {};
    }
  }
  return chunks.finish();
}

void judgeChunk(const std::string &input) {
  const std::vector<ProcessStrands> whole = fromChunks({input});
  for (const ProcessStrands &strands : whole)
    judgeStrands(strands);
  constexpr size_t head = sizeof(qx_strands_start), event = sizeof(qx_strand_event);
  if (whole.empty() || input.size() < head + 2 * event || whole[0].threads[0].events.empty())
    return;
  const size_t half = head + whole[0].threads[0].events.size() / 2 * event;
  if (fromChunks({input.substr(0, half), input.substr(0, head) + input.substr(half)}) != whole)
    wrong("a chunk says something else in two pieces");
}

void judge(const std::string &input) {
  const Result<ProcessStrands> strands = unpacked(input);
  judgeError(strands);
  if (strands)
    judgeStrands(*strands);
  judgeChunk(input);
}

} // namespace

const Target target{judge};

} // namespace quincunx::fuzz
