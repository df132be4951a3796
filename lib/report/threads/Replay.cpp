// The program is tables of steps, and share/replay/replay.c, which follows them with threads, locks
// and semaphores of pthreads. Steps of a description that runs do not have (teams, loops, tasks of
// OpenMP, races) are not in it.
#include "quincunx/report/Replay.h"

#include "ReplayProgram.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <ostream>
#include <string>
#include <utility>

namespace quincunx {

namespace {

using parallel::StepKind;

/// Locks that are given to who waits for longest are channels with one on them, behind the others:
/// their numbers, by lock; noIndex: it is a lock of pthreads.
std::vector<uint32_t> queuedLocks(const StrandDescription &strands) {
  auto next = static_cast<uint32_t>(strands.description.channels.size());
  std::vector<uint32_t> channels;
  for (const bool isQueued : strands.isQueued)
    channels.push_back(isQueued ? next++ : noIndex);
  return channels;
}

/// As the interpreter calls it; null: it knows none.
const char *kindOf(StepKind kind) {
  switch (kind) {
  case StepKind::work:
    return "WORK";
  case StepKind::lock:
    return "LOCK";
  case StepKind::share:
    return "SHARE";
  case StepKind::lockAll:
    return "LOCK_ALL";
  case StepKind::unlock:
    return "UNLOCK";
  case StepKind::post:
    return "POST";
  case StepKind::take:
    return "TAKE";
  case StepKind::fork:
    return "FORK";
  case StepKind::arrive:
    return "ARRIVE";
  case StepKind::pass:
    return "PASS";
  case StepKind::once:
    return "ONCE";
  case StepKind::last:
    return "LAST";
  case StepKind::put:
    return "PUT";
  case StepKind::deal:
    return "DEAL";
  default:
    return nullptr;
  }
}

bool hasGate(const parallel::Step &s) {
  return s.kind == StepKind::pass || s.kind == StepKind::once || s.kind == StepKind::last;
}

/// Of barriers: each opens when so many have arrived.
class Gates {
public:
  explicit Gates(const parallel::Description &description) : d(description) {
    for (const parallel::Body &body : d.bodies)
      for (const parallel::Step &s : body)
        if (hasGate(s))
          numbers.insert({opening(s), 0});
    uint32_t number = 0;
    for (auto &gate : numbers)
      gate.second = number++;
  }
  uint32_t of(const parallel::Step &pass) const { return numbers.at(opening(pass)); }

  void print(size_t barriers, std::ostream &out) const {
    std::string firsts;
    for (uint32_t b = 0; b <= barriers; ++b)
      firsts += std::to_string(std::distance(numbers.begin(), numbers.lower_bound({b, 0}))) + ",";
    out << "static const unsigned first_gates[] = {" << firsts
        << "};\nstatic const unsigned opens_at[] = {";
    for (const auto &[gate, number] : numbers)
      out << gate.second << ',';
    out << "0};\nstatic const unsigned barrier_of[] = {";
    for (const auto &[gate, number] : numbers)
      out << gate.first << ',';
    out << "0};\n";
  }

private:
  using Opening = std::pair<uint32_t, uint32_t>; ///< barrier, arrivals
  Opening opening(const parallel::Step &pass) const {
    return {pass.object, pass.count != 0 ? pass.count : d.barriers[pass.object]};
  }
  const parallel::Description &d;
  std::map<Opening, uint32_t> numbers;
};

void printSteps(const ReplayedRun &run, const Gates &gates, std::ostream &out) {
  const std::vector<uint32_t> queued = queuedLocks(run.strands);
  std::string begins;
  size_t next = 0;
  out << "static const struct step steps[] = {\n";
  for (const parallel::Body &body : run.strands.description.bodies) {
    begins += std::to_string(next) + ",";
    for (const parallel::Step &s : body) {
      const char *kind = kindOf(s.kind);
      assert(kind != nullptr);
      const bool isOfLock = s.kind == StepKind::lock || s.kind == StepKind::unlock;
      if (isOfLock && queued[s.object] != noIndex) {
        out << (s.kind == StepKind::lock ? "{QUEUE," : "{PASS_ON,") << queued[s.object] << ','
            << (s.kind == StepKind::lock && s.nowait) << "},\n";
        continue;
      }
      const uint32_t object = s.kind == StepKind::fork ? s.body
                              : hasGate(s)             ? gates.of(s)
                                                       : s.object;
      out << '{' << kind << ',' << (s.kind == StepKind::work ? 0 : object) << ','
          << (s.kind == StepKind::work                               ? s.amount * run.perCount
              : s.kind == StepKind::lock                             ? s.nowait
              : s.kind == StepKind::once || s.kind == StepKind::last ? s.body
                                                                     : s.count)
          << "},\n";
    }
    out << "{END,0,0},\n";
    next += body.size() + 1;
  }
  out << "};\nstatic const unsigned begins[] = {" << begins << "};\n";
}

void printPools(const parallel::Description &d, std::ostream &out) {
  std::vector<std::vector<bool>> isPut;
  for (const std::vector<uint32_t> &pool : d.pools)
    isPut.emplace_back(pool.size(), false);
  for (const parallel::Body &body : d.bodies)
    for (const parallel::Step &s : body)
      if (s.kind == StepKind::put)
        isPut[s.object][s.count] = true;
  std::string firsts, bodies, puts;
  size_t next = 0;
  for (size_t p = 0; p < d.pools.size(); ++p) {
    firsts += std::to_string(next) + ",";
    next += d.pools[p].size();
    for (size_t k = 0; k < d.pools[p].size(); ++k) {
      bodies += std::to_string(d.pools[p][k]) + ",";
      puts += isPut[p][k] ? "1," : "0,";
    }
  }
  out << "static const unsigned first_of_pools[] = {" << firsts << next
      << "};\nstatic const unsigned pooled[] = {" << bodies
      << "0};\nstatic unsigned char awaited[] = {" << puts << "1};\n";
}

} // namespace

void printReplay(const ReplayedRun &run, std::ostream &out) {
  constexpr std::string_view mark = "/* TABLES */\n";
  const size_t tables = replayProgram.find(mark);
  assert(tables != std::string_view::npos);
  const parallel::Description &d = run.strands.description;
  out.precision(9);
  out << "/* Run " << run.identity
      << ", done again by threads that sleep.\n   Build: cc -O2 -pthread replay.c -o replay\n"
         "   Written by quincunx replay; chapter 27 of its book says what it does. */\n"
      << replayProgram.substr(0, tables);
  const Gates gates(d);
  printSteps(run, gates, out);
  printPools(d, out);
  out << "static const unsigned initial[] = {";
  for (const parallel::Channel &c : d.channels)
    out << c.initial << ',';
  size_t channels = d.channels.size();
  for (const bool isQueued : run.strands.isQueued)
    if (isQueued) {
      out << "1,";
      ++channels;
    }
  out << "};\nstatic const unsigned together[] = {";
  for (const uint32_t lock : d.together)
    out << lock << ',';
  out << "0};\n";
  gates.print(d.barriers.size(), out);
  out << "enum { lockCount = " << d.locks << ", channelCount = " << channels
      << ", atOnce = " << run.strands.atOnce
      << ",\n       firstTask = " << std::min<size_t>(d.firstTask, d.bodies.size())
      << ", hasTasks = " << (d.firstTask != noIndex)
      << " };\nstatic const double predicted = " << run.predicted << ";\n"
      << replayProgram.substr(tables + mark.size());
}

} // namespace quincunx
