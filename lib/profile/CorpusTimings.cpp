// Timings into the corpus and out of it: one transaction for each repetition, so that a killed
// writer loses at most one. The idea of identities: a repetition has a random name, as a run has;
// an input has one that follows from what it is, so that timings of one input come together from
// several corpora. Everything read is checked. It draws no conclusion
// (lib/estimate/calibrate/InputTimes).
#include "CorpusImpl.h"
#include "Schema.h"

#include "quincunx/base/Md5.h"

#include <cassert>
#include <cmath>

namespace quincunx {

namespace {

std::string selectTimings(Access access, const char *where) {
  return std::string(
             "SELECT timed.identity, label, arguments, standard_input, repetition.identity, round, "
             "exit_status, start, wall, user, system, minor_faults, major_faults, "
             "voluntary_switches, involuntary_switches, peak_memory, cycles, instructions, "
             "branch_misses, cache_misses FROM timed JOIN repetition ") +
         notIndexed(access) + "ON repetition.timed = timed.id " + where +
         " ORDER BY timed.identity, round, repetition.identity";
}

/// A number that was measured; a stranger's file may hold NULL, text or infinities in its place.
bool isMeasured(double value) { return std::isfinite(value) && value >= 0; }

/// From the fifth column of selectTimings on; false when it cannot be one.
bool readRepetition(const Query &row, Repetition &r) {
  r.identity = row.text(4);
  r.round = static_cast<uint32_t>(row.integer(5));
  r.exitStatus = static_cast<int>(row.integer(6));
  double *const numbers[] = {&r.start, &r.wall, &r.user, &r.system};
  for (int i = 0; i < 4; ++i)
    *numbers[i] = row.real(7 + i);
  uint64_t *const counts[] = {&r.minorFaults, &r.majorFaults, &r.voluntarySwitches,
                              &r.involuntarySwitches};
  for (int i = 0; i < 4; ++i) {
    if (row.integer(11 + i) < 0)
      return false;
    *counts[i] = static_cast<uint64_t>(row.integer(11 + i));
  }
  r.peakMemory = row.real(15);
  std::optional<double> *const events[] = {&r.cycles, &r.instructions, &r.branchMisses,
                                           &r.cacheMisses};
  for (int i = 0; i < 4; ++i) {
    *events[i] = optionalReal(row, 16 + i);
    if (*events[i] && !isMeasured(**events[i]))
      return false;
  }
  return row.integer(5) >= 1 && row.integer(5) < UINT32_MAX && isMeasured(r.wall) &&
         isMeasured(r.user) && isMeasured(r.system) && isMeasured(r.peakMemory) &&
         std::isfinite(r.start);
}

} // namespace

std::string timingIdentity(const std::string &label, const std::vector<std::string> &arguments,
                           const std::string &standardInput) {
  std::vector<std::string> all{label, standardInput};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return hex(md5(jsonArray(all)));
}

// ---- in

Status Corpus::setTimedProgram(const TimedProgram &program) {
  assert(impl->writable && "a corpus opened for reading is not written");
  Transaction transaction(impl->database);
  Status s = transaction.status();
  if (s)
    s = impl->insertProgram(program);
  if (s)
    s = transaction.commit();
  return s;
}

/// Keeps the smallest of several paths and processors, so that the order does not matter.
Status Corpus::Impl::insertProgram(const TimedProgram &program) {
  Query known(database, "SELECT md5, processor_model FROM timed_program");
  const bool isOther =
      known.row() && (known.text(0) != program.md5 || known.text(1) != program.processorModel);
  if (Status s = known.status(); !s)
    return s;
  const Result<int64_t> timed = number(database, "SELECT count(*) FROM repetition");
  if (!timed)
    return timed.error();
  if (isOther && *timed > 0)
    return Error{escape(path) + " has timings " +
                 (known.text(0) != program.md5
                      ? "of another program than " + escape(program.path)
                      : "from another processor, " + escape(known.text(1))) +
                 "; keep these in another corpus, or remove those with quincunx corpus rm "
                 "--timings " +
                 escape(path)};
  known.reset();
  if (isOther) // what was interrupted before it had any
    if (Status s = database.execute("DELETE FROM start_up; DELETE FROM timed_program"); !s)
      return s;
  Query query(database, "INSERT INTO timed_program VALUES(1,?,?,?,?,?) ON CONFLICT(id) DO UPDATE "
                        "SET path = min(path, excluded.path), "
                        "parallel = max(parallel, excluded.parallel), "
                        "pinned = min(pinned, excluded.pinned)"); // NULL if either is
  query.bind(program.path).bind(program.md5).bind(program.processorModel);
  query.bind(int64_t{program.parallel});
  program.pinned < 0 ? query.bindNull() : query.bind(int64_t{program.pinned});
  return query.run();
}

Status Corpus::addRepetition(const Timing &of, const Repetition &repetition) {
  assert(impl->writable && "a corpus opened for reading is not written");
  Transaction transaction(impl->database);
  Status s = transaction.status();
  if (s)
    s = impl->insertRepetition(of, repetition);
  if (s)
    s = transaction.commit();
  return s;
}

Status Corpus::Impl::insertTimed(const Timing &of) {
  const std::string arguments = jsonArray(of.arguments);
  Query input(database, "INSERT OR IGNORE INTO timed(identity, label, arguments, standard_input) "
                        "VALUES(?,?,?,?)");
  input.bind(of.identity).bind(of.label);
  of.arguments.empty() ? input.bindNull() : input.bind(arguments);
  of.standardInput.empty() ? input.bindNull() : input.bind(of.standardInput);
  return input.run();
}

Status Corpus::Impl::insertRepetition(const Timing &of, const Repetition &r) {
  Query there(database, "SELECT 1 FROM repetition WHERE identity = ?");
  if (there.bind(r.identity).row() || !there.status())
    return there.status();
  if (Status s = insertTimed(of); !s)
    return s;
  Query query(database, "INSERT INTO repetition SELECT ?, id, ?,?,?,?,?,?,?,?,?,?,?,?,?,?,? "
                        "FROM timed WHERE identity = ?");
  query.bind(r.identity).bind(int64_t{r.round}).bind(int64_t{r.exitStatus});
  for (const double value : {r.start, r.wall, r.user, r.system})
    query.bind(value);
  for (const uint64_t count :
       {r.minorFaults, r.majorFaults, r.voluntarySwitches, r.involuntarySwitches})
    query.bind(static_cast<int64_t>(count));
  query.bind(r.peakMemory);
  for (const auto &value : {r.cycles, r.instructions, r.branchMisses, r.cacheMisses})
    bindOptional(query, value);
  return query.bind(of.identity).run();
}

Status Corpus::addStartUp(const StartUp &startUp) {
  assert(impl->writable && "a corpus opened for reading is not written");
  return impl->insertStartUp(startUp);
}

Status Corpus::Impl::insertStartUp(const StartUp &startUp) {
  Query query(database, "INSERT OR IGNORE INTO start_up VALUES(?,?,?,?,?)");
  query.bind(startUp.identity);
  for (const double value : {startUp.start, startUp.wall, startUp.user, startUp.system})
    query.bind(value);
  return query.run();
}

Status Corpus::Impl::mergeTimings(const Corpus &other) {
  const auto program = other.timedProgram();
  if (!program)
    return program.error();
  const auto all = other.timings();
  if (!all)
    return all.error();
  const Result<int64_t> timedHere = number(database, "SELECT count(*) FROM repetition");
  if (!timedHere)
    return timedHere.error();
  Status s = Done{};
  if (*program) {
    s = insertProgram(**program);
    for (const StartUp &startUp : (*program)->startUps)
      if (s)
        s = insertStartUp(startUp);
  }
  for (const Timing &timing : *all)
    for (const Repetition &repetition : timing.repetitions)
      if (s)
        s = insertRepetition(timing, repetition);
  if (s)
    s = mergeSamples(other);
  return s ? mergeCalibration(other, !all->empty(), *timedHere > 0) : s;
}

/// Of two calibrations that of a corpus with timings stays, as prices of a machine know no program;
/// and else the smaller text, so that the order does not matter.
Status Corpus::Impl::mergeCalibration(const Corpus &other, bool isTimedThere, bool isTimedHere) {
  const Result<std::string> calibration = other.calibration();
  if (!calibration || calibration->empty())
    return calibration ? Status(Done{}) : Status(calibration.error());
  const char *const kept = isTimedHere == isTimedThere ? "min(machine, excluded.machine)"
                           : isTimedHere               ? "machine"
                                                       : "excluded.machine";
  const std::string insert = "INSERT INTO calibration VALUES(1,?) ON CONFLICT(id) DO UPDATE SET "
                             "machine = ";
  return Query(database, (insert + kept).c_str()).bind(*calibration).run();
}

Status Corpus::setCalibration(const std::string &machine) {
  assert(impl->writable && "a corpus opened for reading is not written");
  return Query(impl->database, "INSERT OR REPLACE INTO calibration VALUES(1,?)")
      .bind(machine)
      .run();
}

// ---- out

Result<std::string> Corpus::calibration() const {
  if (!hasTimings(impl->database))
    return std::string();
  Query query(impl->database, "SELECT machine FROM calibration");
  std::string text = query.row() ? query.text(0) : "";
  if (const Status s = query.status(); !s)
    return s.error();
  return text;
}

Result<std::optional<TimedProgram>> Corpus::timedProgram() const {
  if (!hasTimings(impl->database))
    return std::optional<TimedProgram>();
  Query query(impl->database,
              "SELECT path, md5, processor_model, parallel, pinned FROM timed_program");
  if (!query.row()) {
    if (const Status s = query.status(); !s)
      return s.error();
    return std::optional<TimedProgram>();
  }
  TimedProgram program;
  program.path = query.text(0);
  program.md5 = query.text(1);
  program.processorModel = query.text(2);
  program.parallel = query.integer(3) != 0;
  program.pinned = query.isNull(4) ? -1 : static_cast<int>(query.integer(4));
  Query startUps(impl->database,
                 "SELECT identity, start, wall, user, system FROM start_up ORDER BY identity");
  while (startUps.row()) {
    const StartUp one{startUps.text(0), startUps.real(1), startUps.real(2), startUps.real(3),
                      startUps.real(4)};
    if (!std::isfinite(one.start) || !isMeasured(one.wall) || !isMeasured(one.user) ||
        !isMeasured(one.system))
      return impl->damaged("start-up " + escape(one.identity));
    program.startUps.push_back(one);
  }
  if (const Status s = startUps.status(); !s)
    return s.error();
  return std::optional(std::move(program));
}

Result<std::vector<Timing>> Corpus::timings() const {
  if (!hasTimings(impl->database))
    return std::vector<Timing>();
  Query query(impl->database, selectTimings(Access::indexed, "").c_str());
  return impl->readTimings(query);
}

Result<std::vector<Timing>> Corpus::Impl::timingsOf(int64_t id, Access access) const {
  Query query(database, selectTimings(access, "WHERE timed.id = ?").c_str());
  return readTimings(query.bind(id));
}

Result<std::vector<Timing>> Corpus::Impl::readTimings(Query &query) const {
  std::vector<Timing> out;
  Query texts(database, "SELECT value FROM json_each(?)");
  while (query.row()) {
    if (const std::string identity = query.text(0);
        out.empty() || out.back().identity != identity) {
      out.push_back({identity, query.text(1), {}, query.text(3), {}});
      if (!query.isNull(2)) {
        Result<std::vector<std::string>> arguments = readTexts(texts, query.text(2));
        if (!arguments)
          return arguments.error();
        out.back().arguments = std::move(*arguments);
      }
    }
    Repetition repetition;
    if (!readRepetition(query, repetition))
      return damaged("repetition " + escape(repetition.identity));
    out.back().repetitions.push_back(std::move(repetition));
  }
  if (const Status s = query.status(); !s)
    return s.error();
  return out;
}

} // namespace quincunx
