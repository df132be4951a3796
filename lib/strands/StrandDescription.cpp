// A run that can be described again and again: with changes, with what is kept of its order, and
// with loops and queues dealt anew or as they were. What bodies its threads become is in
// ThreadBodies.cpp.
#include "quincunx/strands/StrandDescription.h"

#include "AtomicWaits.h"
#include "DoneOnce.h"
#include "FirstToEnd.h"
#include "FoldedSections.h"
#include "LockChanges.h"
#include "SerialLoops.h"
#include "SeveralLocks.h"
#include "TeamSizes.h"
#include "ThreadBodies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace quincunx {

struct StrandHistory::Known {
  Known(const ProcessStrands &strands, const StrandChanges &changes, uint32_t threadsAtOnce,
        uint32_t teamsHad)
      : logical(logicalThreads(strands, WithLoops::yes, changes.work)), graph(logical.strands),
        had(teamsHad), atOnce(std::max<uint32_t>(threadsAtOnce, 1)) {
    std::vector<StrandThread> &threads = logical.strands.threads;
    const std::set<uint64_t> owned = ownedLocks(threads);
    // Of what ran: events keep their numbers.
    waits = conditionWaits(conditionsOf(threads, *graph));
    waits.ofAtomics = atomicWaits(threads);
    queues = jobQueues(threads, *graph, logical.firstTask, owned);
    std::erase_if(queues, [this](const JobQueue &q) { return isOfTurns(q); });
    if (queues.empty())
      evenness = evennessAtLocks(threads, *graph, owned);
    if (queues.empty() && changes.first.empty()) // they end before they have worked, else
      evenness = std::min(evenness, evennessOfIdle(strands.threads, *graph));
    hasLocks = !owned.empty();
    for (const StrandThread &t : threads)
      hasSemaphores |= std::ranges::any_of(t.events, [](const StrandEvent &e) {
        return e.kind == QX_STRAND_SEMAPHORE || e.kind == QX_STRAND_POST ||
               e.kind == QX_STRAND_TAKE;
      });
    if (changeLocks(changes, owned, threads))
      graph.emplace(logical.strands);
    dealt = dealtLoops(logical, changes, ownedLocks(threads), had);
  }

  /// Threads come to a lock in turn, some once more than others: they take no jobs there.
  bool isOfTurns(const JobQueue &queue) const {
    const auto turns = [&](const CountedWaits &waiting) {
      return std::ranges::count_if(queue.takes, [&](const JobQueue::Take &t) {
        return waiting.turns.contains(graph->beginOf(t.thread) + 1 +
                                      static_cast<uint32_t>(t.event));
      });
    };
    return !queue.isCounter && std::ranges::any_of(waits.counted, [&](const CountedWaits &w) {
      return 2 * turns(w) > static_cast<ptrdiff_t>(queue.takes.size());
    });
  }

  LogicalThreads logical;
  std::optional<StrandGraph> graph; ///< of `logical`
  std::vector<JobQueue> queues;
  ConditionWaits waits;
  double evenness = 1, slowMotion = 1;
  bool hasLocks = false, hasSemaphores = false, hasHardlyWorked = false, isFolded = false;
  DealtLoops dealt;
  uint32_t had; ///< threads of teams that have another number now; 0: all are as they were
  uint32_t atOnce;
};

StrandHistory::StrandHistory(std::unique_ptr<const Known> k) : known(std::move(k)) {}
StrandHistory::StrandHistory(StrandHistory &&) noexcept = default;
StrandHistory::~StrandHistory() = default;

namespace {

/// Of serial loops that are to be shared.
std::set<uint32_t> serialSites(const StrandChanges &changes) {
  std::set<uint32_t> sites;
  for (const auto &[site, dealing] : changes.schedules)
    if (dealing.isSerial)
      sites.insert(site);
  return sites;
}

/// Threads of the largest team; 0: there is none.
uint32_t largestTeam(const ProcessStrands &strands) {
  std::map<uint64_t, uint32_t> sizes;
  uint32_t largest = 0;
  for (const StrandThread &t : strands.threads)
    for (const StrandEvent &e : t.events)
      if (e.kind == QX_STRAND_TEAM || e.kind == QX_STRAND_MEMBER)
        largest = std::max(largest, ++sizes[e.object]);
  return largest;
}

} // namespace

namespace {

/// Who sets a variable at which threads look again and again is not known, and sections that were
/// folded are told as the longer ones that they are.
std::optional<ProcessStrands> withoutRemarks(const ProcessStrands &ran) {
  const auto isOne = [](const StrandEvent &e) { return isRemark(e.kind); };
  if (std::ranges::none_of(
          ran.threads, [&](const StrandThread &t) { return std::ranges::any_of(t.events, isOne); }))
    return std::nullopt;
  ProcessStrands out = ran;
  for (StrandThread &t : out.threads)
    std::erase_if(t.events, isOne);
  return out;
}

} // namespace

Result<StrandHistory> StrandHistory::of(const ProcessStrands &whatRan,
                                        const StrandChanges &changes) {
  if (const Status whole = checkWhole(whatRan); !whole)
    return whole.error();
  const std::optional<EvenSections> even = evenSections(whatRan);
  const std::optional<ProcessStrands> still = even ? std::nullopt : withoutRemarks(whatRan);
  const ProcessStrands &marked = even ? even->strands : still ? *still : whatRan;
  const std::optional<ProcessStrands> withLocks = withLocksOfAtomics(marked);
  const ProcessStrands &ran = withLocks ? *withLocks : marked;
  const std::set<uint32_t> serial = serialSites(changes);
  const std::optional<ProcessStrands> without = withoutOnceInLoops(ran, !serial.empty());
  const ProcessStrands &strands = without ? *without : ran;
  std::optional<ResizedTeams> resized;
  const uint32_t largest = serial.empty() ? 0 : largestTeam(strands);
  if (changes.threads != 0 && (serial.empty() || largest > 0)) {
    Result<ResizedTeams> teams = resizeTeams(onlySerialLoops(strands, serial), changes.threads);
    if (!teams)
      return teams.error();
    if (changes.asked != 0 && teams->had != changes.asked)
      return Error{"its teams had " + std::to_string(teams->had) + " threads where " +
                   std::to_string(changes.asked) + " were asked for: the program decides"};
    if (teams->besideLoops > mostBesideLoops)
      return Error{std::to_string(std::lround(100 * teams->besideLoops)) +
                   " % of its work is of teams, but neither in loops that they share nor in tasks: "
                   "how much of it more threads would have is not known; record them (--threads)"};
    resized = std::move(*teams);
  }
  const ProcessStrands *process = resized ? &resized->strands : &strands;
  std::optional<EndedWithFirst> first;
  if (!changes.first.empty()) {
    if (changes.threads != 0 || !changes.schedules.empty())
      return Error{"where threads end with the first of them, their number and their shares are as "
                   "they were: ask without other changes of these"};
    Result<EndedWithFirst> ended = endWithFirst(strands, changes.first);
    if (!ended)
      return ended.error();
    first = std::move(*ended);
    process = &first->strands;
  }
  auto atOnce = resized ? resized->atOnce : std::max(threadsAtOnce(strands), teamsAtOnce(strands));
  std::optional<ProcessStrands> shared;
  if (const uint32_t members = changes.threads != 0 ? changes.threads : largest;
      !serial.empty() && members > 1) {
    Result<ProcessStrands> all = shareSerialLoops(*process, serial, members);
    if (!all)
      return all.error();
    atOnce += static_cast<uint32_t>(all->threads.size() - process->threads.size());
    shared = std::move(*all);
    process = &*shared;
  }
  auto known = std::make_unique<Known>(*process, changes, atOnce, resized ? resized->had : 0);
  known->hasHardlyWorked = first && first->hasHardlyWorked;
  known->isFolded = even.has_value();
  known->slowMotion = even ? even->slowMotion : 1;
  if (const Status whole = known->graph->isWhole(); !whole)
    return whole.error();
  if (!known->dealt.whyNot.empty())
    return Error{"a loop cannot be dealt anew: " + known->dealt.whyNot};
  return StrandHistory(std::move(known));
}

StrandDescription StrandHistory::describe(Kept kept, Chunks chunks) const {
  std::vector<const DealtLoop *> dealt;
  if ((known->had != 0 || known->isFolded) && kept == Kept::order)
    kept = Kept::jobs; // locks had an order among other threads, or among more sections
  for (const DealtLoop &l : known->dealt.loops)
    if (l.isChanged || chunks == Chunks::dealt) {
      dealt.push_back(&l);
      if (l.shared.iterations > 0 && kept == Kept::order)
        kept = Kept::jobs; // iterations have no order to be had in
    }
  std::vector<JobQueue> queues = known->queues;
  if (kept != Kept::nothing)
    std::erase_if(queues, [](const JobQueue &q) { return !q.isCounter; });
  if (kept == Kept::order && known->hasLocks)
    queues.clear(); // jobs that are dealt cannot have them in that order
  StrandDescription out =
      bodiesOf(known->logical, *known->graph, kept, queues, known->waits, dealt, known->slowMotion);
  out.atOnce = known->atOnce;
  out.evenness = known->evenness;
  out.keepsChunks = known->dealt.keepsChunks;
  out.ofChunks = known->dealt.ofChunks;
  out.hasHardlyWorked = known->hasHardlyWorked;
  return out;
}

Kept StrandHistory::least(Kept kept) const {
  if (kept == Kept::order && (known->isFolded || (!known->hasLocks && !known->hasSemaphores)))
    kept = Kept::jobs;
  if (kept == Kept::jobs && std::ranges::all_of(known->queues, &JobQueue::isCounter))
    kept = Kept::nothing;
  return kept;
}

double workIn(const StrandDescription &description) {
  double sum = 0;
  for (const parallel::Loop &loop : description.description.loops)
    for (const double cost : loop.costs)
      sum += cost;
  for (const parallel::Body &body : description.description.bodies)
    for (const parallel::Step &step : body)
      if (step.kind == parallel::StepKind::work)
        sum += step.amount;
  return sum;
}

} // namespace quincunx
