// What of a damaged corpus can still be read. The idea: every row is asked for by its number, so
// that a page that cannot be read costs the rows on it and no others; where an index cannot be read
// its rows are looked for among all. A part is kept only when all of its rows were read. It does
// not guess what damaged pages held.
#include "CorpusImpl.h"
#include "RunReader.h"
#include "Schema.h"

#include <algorithm>

namespace quincunx {

namespace {

/// The numbers of the rows of a table that can be read.
class RowNumbers {
public:
  RowNumbers(const Database &in, const std::string &table)
      : all(in, ("SELECT rowid FROM " + table + " WHERE rowid >= ? ORDER BY rowid").c_str()),
        one(in, ("SELECT 1 FROM " + table + " WHERE rowid >= ? ORDER BY rowid LIMIT 1").c_str()) {}

  std::vector<int64_t> numbers;
  bool areAll = true; ///< no page of them was damaged

  void read() {
    int64_t begin = INT64_MIN; // ours begin with 1
    do {
      all.reset().bind(begin);
      while (all.row())
        numbers.push_back(all.integer(0));
      if (all.status())
        return;
      areAll = false;
      begin = std::max(begin, int64_t{1});
      if (!numbers.empty() && numbers.back() < INT64_MAX)
        begin = std::max(begin, numbers.back() + 1);
      begin = firstBehind(begin);
    } while (begin > 0);
  }

private:
  bool isReadable(int64_t from) {
    one.reset().bind(from).row();
    return static_cast<bool>(one.status());
  }
  /// Where rows can be read again behind a page that cannot, from `bad` on; 0: nowhere.
  int64_t firstBehind(int64_t bad) {
    const int64_t begin = bad;
    int64_t good = bad;
    do {
      bad = good;
      const int64_t step = 1 + (bad - begin) / 64; // a page holds some tens of rows
      if (bad > INT64_MAX / 2 - step)
        return 0;
      good = bad + step;
    } while (!isReadable(good));
    while (good - bad > 1) {
      const int64_t middle = bad + (good - bad) / 2;
      (isReadable(middle) ? good : bad) = middle;
    }
    return good;
  }

  Query all, one;
};

} // namespace

/// Goes through the tables of `from`; what can be read goes to `into`, where there is one.
class Corpus::Salvage {
public:
  Salvage(const Corpus &in, Corpus *out) : from(in), into(out) {}

  Result<Damage> work() {
    damage.hasChecksums = database().hasChecksums();
    Status s = saveMaps();
    for (Status (Salvage::*const part)() :
         {&Salvage::saveFacts, &Salvage::saveRuns, &Salvage::saveTimings, &Salvage::checkIndices})
      if (s)
        s = (this->*part)();
    if (!s)
      return s.error();
    return std::move(damage);
  }

private:
  const Database &database() const { return from.impl->database; }

  void notePage() {
    if (const uint32_t page = database().damagedPage(); page != 0)
      damage.pages.insert(page);
  }

  /// Rows of `table` that can be read; of the others `names`, a query of number, name and identity
  /// that an index answers, says which they are.
  std::vector<int64_t> rowsOf(const char *table, const char *kind, const char *names) {
    RowNumbers rows(database(), table);
    rows.read();
    if (rows.areAll)
      return std::move(rows.numbers);
    notePage();
    Query others(database(), names);
    while (others.row())
      if (!std::binary_search(rows.numbers.begin(), rows.numbers.end(), others.integer(0)))
        damage.lost.push_back({kind, others.text(1), others.text(2)});
    if (!others.status()) {
      notePage();
      damage.areAllKnown = false;
    }
    return std::move(rows.numbers);
  }

  /// `names`: a query of name and identity by number.
  void lose(const char *kind, Query &names, int64_t number) {
    notePage();
    const bool isNamed = names.reset().bind(number).row();
    damage.lost.push_back(
        {kind, isNamed ? names.text(0) : std::string(), isNamed ? names.text(1) : std::string()});
  }
  void lose(const char *kind) {
    notePage();
    damage.lost.push_back({kind, "", ""});
  }

  Status saveMaps() {
    Query map(database(), "SELECT hash, path, counter_count, counters_minus_map, bytes FROM map "
                          "WHERE rowid = ?");
    Query names(database(), "SELECT path, hash FROM map WHERE rowid = ?");
    for (const int64_t row : rowsOf("map", "map", "SELECT rowid, '', hash FROM map")) {
      map.reset().bind(row);
      const Result<RawMap> raw =
          map.row() ? from.impl->rawMap(map) : Result<RawMap>(Error{"a page cannot be read"});
      if (!raw || !decodeMap(*raw))
        lose("map", names, row);
      else if (into != nullptr)
        if (Status s = into->impl->insertMap(*raw, map.text(1), false); !s)
          return s;
    }
    return Done{};
  }

  Status saveFacts() {
    const auto facts = from.facts();
    if (!facts)
      lose("facts");
    else if (into != nullptr)
      for (const auto &[name, value] : *facts)
        if (Status s = into->setFact(name, value); !s)
          return s;
    return Done{};
  }

  Status saveRuns() {
    RunReader found(database(), from.path(), RunReader::byId, Access::indexed);
    RunReader searched(database(), from.path(), RunReader::byId, Access::scanned);
    Query names(database(), "SELECT label, identity FROM run WHERE id = ?");
    for (const int64_t id : rowsOf("run", "run", "SELECT id, '', identity FROM run")) {
      Run run;
      Result<bool> there = found.only(id).next(run, ReadMask::all);
      if (!there) {
        notePage();
        run = {};
        there = searched.only(id).next(run, ReadMask::all);
      }
      if (!there) {
        lose("run", names, id);
        continue;
      }
      ++damage.runs;
      if (into != nullptr)
        if (Status s = into->add(run); !s)
          return s;
    }
    return Done{};
  }

  Status saveTimings() {
    if (!hasTimings(database()))
      return Done{};
    const auto program = from.timedProgram();
    if (!program) { // of what they are is not known
      lose("timings");
      return Done{};
    }
    if (*program && into != nullptr) {
      Status s = into->setTimedProgram(**program);
      for (const StartUp &startUp : (*program)->startUps)
        if (s)
          s = into->addStartUp(startUp);
      if (!s)
        return s;
    }
    if (Status s = saveTimedInputs(); !s)
      return s;
    if (Status s = saveSamples(); !s)
      return s;
    const Result<std::string> calibration = from.calibration();
    if (!calibration)
      lose("calibration");
    else if (into != nullptr && !calibration->empty())
      return into->setCalibration(*calibration);
    return Done{};
  }

  Status saveTimedInputs() {
    Query names(database(), "SELECT label, identity FROM timed WHERE id = ?");
    for (const int64_t id : rowsOf("timed", "timed input", "SELECT id, '', identity FROM timed")) {
      auto timings = from.impl->timingsOf(id, Access::indexed);
      if (!timings) {
        notePage();
        timings = from.impl->timingsOf(id, Access::scanned);
      }
      if (!timings) {
        lose("timed input", names, id);
        continue;
      }
      for (const Timing &timing : *timings)
        for (const Repetition &repetition : timing.repetitions)
          if (into != nullptr)
            if (Status s = into->addRepetition(timing, repetition); !s)
              return s;
    }
    return Done{};
  }

  /// One damaged page costs them all: they are made again in a minute.
  Status saveSamples() {
    const auto samples = from.samples();
    if (!samples) {
      lose("samples");
      return Done{};
    }
    for (const SampledInput &input : *samples)
      for (const SampledExecution &execution : input.executions)
        if (into != nullptr)
          if (Status s = into->addSamples(input.input, execution); !s)
            return s;
    return Done{};
  }

  /// Reads what belongs to no row, too.
  Status checkIndices() {
    Query check(database(), "PRAGMA quick_check(1)");
    const bool isWhole = check.row() && check.text(0) == "ok";
    if (isWhole)
      return Done{};
    notePage();
    damage.isIndexDamaged = damage.lost.empty() && damage.areAllKnown;
    return Done{};
  }

  const Corpus &from;
  Corpus *const into;
  Damage damage;
};

Result<Damage> Corpus::salvage(Corpus *into) const { return Salvage(*this, into).work(); }

} // namespace quincunx
