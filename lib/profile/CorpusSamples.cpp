// Samples of the plain program into the corpus and out of it: one transaction for each execution.
// The idea: places repeat over executions, so each is a row once, and executions refer to it.
// Everything read is checked. It draws no conclusion.
#include "CorpusImpl.h"
#include "Schema.h"

#include <cassert>
#include <cmath>

namespace quincunx {

namespace {

bool isTime(double value) { return std::isfinite(value) && value >= 0; }

} // namespace

Status Corpus::addSamples(const Timing &of, const SampledExecution &execution) {
  assert(impl->writable && "a corpus opened for reading is not written");
  Transaction transaction(impl->database);
  Status s = transaction.status();
  if (s)
    s = impl->insertSamples(of, execution);
  if (s)
    s = transaction.commit();
  return s;
}

Status Corpus::Impl::insertSamples(const Timing &of, const SampledExecution &e) {
  Query there(database, "SELECT 1 FROM sampled WHERE identity = ?");
  if (there.bind(e.identity).row() || !there.status())
    return there.status();
  if (Status s = insertTimed(of); !s)
    return s;
  Query sampled(database,
                "INSERT INTO sampled(identity, timed, start, cpu, interval) SELECT ?, id, "
                "?,?,? FROM timed WHERE identity = ?");
  sampled.bind(e.identity);
  for (const double value : {e.start, e.cpu, e.interval})
    sampled.bind(value);
  if (Status s = sampled.bind(of.identity).run(); !s)
    return s;
  Query place(database,
              "INSERT OR IGNORE INTO place(function, file, line, object) VALUES(?,?,?,?)");
  Query count(database,
              "INSERT INTO sample SELECT sampled.id, place.id, ? FROM sampled, place WHERE "
              "sampled.identity = ? AND function = ? AND file = ? AND line = ? AND object = ?");
  for (const auto &[at, samples] : e.samples) {
    const int64_t line{at.line};
    place.reset().bind(at.function).bind(at.file).bind(line).bind(at.object);
    count.reset().bind(static_cast<int64_t>(samples)).bind(e.identity);
    count.bind(at.function).bind(at.file).bind(line).bind(at.object);
    for (Query *query : {&place, &count})
      if (Status s = query->run(); !s)
        return s;
  }
  return Done{};
}

Status Corpus::Impl::mergeSamples(const Corpus &other) {
  const auto all = other.samples();
  if (!all)
    return all.error();
  for (const SampledInput &input : *all)
    for (const SampledExecution &execution : input.executions)
      if (Status s = insertSamples(input.input, execution); !s)
        return s;
  return Done{};
}

Result<std::vector<SampledInput>> Corpus::samples() const {
  std::vector<SampledInput> out;
  if (!hasSamples(impl->database))
    return out;
  Query query(impl->database,
              "SELECT timed.id, timed.identity, label, arguments, standard_input, sampled.id, "
              "sampled.identity, start, cpu, interval FROM sampled JOIN timed ON timed.id = "
              "sampled.timed ORDER BY timed.identity, sampled.identity");
  Query counts(impl->database, "SELECT function, file, line, object, count FROM sample JOIN place "
                               "ON place.id = sample.place WHERE sample.sampled = ?");
  Query texts(impl->database, "SELECT value FROM json_each(?)");
  while (query.row()) {
    if (out.empty() || out.back().input.identity != query.text(1)) {
      SampledInput &input = out.emplace_back();
      input.input.identity = query.text(1);
      input.input.label = query.text(2);
      input.input.standardInput = query.text(4);
      if (!query.isNull(3)) {
        Result<std::vector<std::string>> arguments = readTexts(texts, query.text(3));
        if (!arguments)
          return arguments.error();
        input.input.arguments = std::move(*arguments);
      }
    }
    SampledExecution e;
    e.identity = query.text(6);
    e.start = query.real(7);
    e.cpu = query.real(8);
    e.interval = query.real(9);
    bool isGood = std::isfinite(e.start) && isTime(e.cpu) && isTime(e.interval);
    counts.reset().bind(query.integer(5));
    while (counts.row()) {
      const int64_t line = counts.integer(2), samples = counts.integer(4);
      isGood = isGood && line >= 0 && line < UINT32_MAX && samples > 0;
      e.samples[{counts.text(0), counts.text(1), static_cast<uint32_t>(line), counts.text(3)}] =
          static_cast<uint64_t>(samples);
    }
    if (const Status s = counts.status(); !s)
      return s.error();
    if (!isGood)
      return impl->damaged("samples " + escape(e.identity));
    out.back().executions.push_back(std::move(e));
  }
  if (const Status s = query.status(); !s)
    return s.error();
  return out;
}

} // namespace quincunx
