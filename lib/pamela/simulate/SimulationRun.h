// One run after the other of a program. Reference: docs/12-pamela.md.
#pragma once

#include "NumberSampler.h"
#include "ProcessPool.h"
#include "Program.h"
#include "Servers.h"
#include "quincunx/base/EventQueue.h"

#include <utility>
#include <vector>

namespace quincunx::pamela {

class SimulationRun {
public:
  SimulationRun(const Program &program, const Model &model, const SimulateOptions &options);
  SimulationRun(const SimulationRun &) = delete;
  SimulationRun &operator=(const SimulationRun &) = delete;

  /// The time at which the program ends; random numbers go on where the last run stopped. Nothing
  /// when `goesOn` is asked on the way, with `done`, and says no.
  Result<std::optional<double>> replicate(uint64_t done);

  /// Over all runs until now.
  uint64_t events() const { return eventCount; }
  uint64_t negative() const { return belowZero; } ///< times that were below 0
  bool isRandom() const { return random.drawn() != 0; }
  const std::vector<Server> &used() const { return servers.all(); }
  const std::vector<std::string> &notes() const { return laws.notes; }
  /// Of the first run: those that there is room for.
  const std::vector<SimulatedSlice> &slices() const { return kept; }

private:
  /// Continues a process, and whoever goes on because it ends, until it has to wait.
  void go(uint32_t id);
  void goReady();
  /// Keeps what the process did until now, where that is asked for.
  void keep(const Process &p);
  /// When the event's process is done with its delay or service.
  void happen(const TimedEvent &event);
  void wait(uint32_t id, ProcessState state, double t);
  void serve(uint32_t id);
  void use(uint32_t id, const Instruction &i);
  double time(uint32_t value, uint32_t id, Place at);
  bool bounds(const Instruction &i, double *frame, double &from, double &to);
  /// Begins a loop; false when it has no turn.
  bool enter(const Instruction &i, double *frame);
  /// At the end of a turn: false when it was the last one.
  bool turn(const Instruction &i, double *frame);
  /// Starts parts; false when there are none and the process goes on at once.
  bool fork(uint32_t id, const Instruction &i);
  bool fork(uint32_t id, const Instruction &i, double count, double from);
  void part(uint32_t parent, uint32_t at);
  /// The end of a part: its parent when that goes on now, else none.
  uint32_t end(uint32_t id);
  void cancelParts(uint32_t parent);
  bool isTrue(const TimedEvent &event) {
    const Process &p = pool[event.record()];
    return p.created == event.created() &&
           (p.state == ProcessState::delayed || p.state == ProcessState::served);
  }

  const Program &program;
  const SimulateOptions &options;
  LawSamplers laws;
  Random random;
  NumberSampler evaluator;
  Servers servers;
  ProcessPool pool;
  EventQueue queue;
  /// Processes to be continued now, in order; those before `nextReady` have been.
  std::vector<std::pair<uint32_t, uint64_t>> ready;
  size_t nextReady = 0;
  std::vector<uint32_t> cancelled;
  double now = 0;
  bool ended = false;
  uint64_t eventCount = 0, belowZero = 0;
  bool keeps = false; ///< slices
  std::vector<SimulatedSlice> kept;
  size_t stale = 0; ///< events in the queue whose process was cancelled
};

} // namespace quincunx::pamela
