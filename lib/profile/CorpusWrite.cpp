// Runs on their way into the corpus: one transaction each, one row, one blob per image packed
// against a frame. The idea of frames: most runs of a program hit the same counters, so that set is
// stored once and widened when a run leaves it. It changes no run that is there.
#include "CorpusImpl.h"

#include <algorithm>
#include <cassert>

namespace quincunx {

std::string jsonArray(const std::vector<std::string> &items) {
  std::string out(1, '[');
  for (const std::string &item : items) {
    if (out.size() > 1)
      out += ',';
    out += jsonString(item);
  }
  return out + "]";
}

void bindOptional(Query &query, const std::optional<double> &value) {
  if (value)
    query.bind(*value);
  else
    query.bindNull();
}

Status Corpus::add(const Run &run) {
  assert(impl->writable && "a corpus opened for reading is not written");
  Transaction transaction(impl->database);
  if (!transaction.status())
    return transaction.status();
  Status added = impl->insertRun(run);
  if (added)
    added = transaction.commit();
  if (!added)
    impl->current.clear(); // frames it made are gone again
  return added;
}

Status Corpus::Impl::insertRun(const Run &run) {
  Query query(database, "INSERT OR IGNORE INTO run(identity, label, arguments, standard_input, "
                        "outcome, exit_status, start, wall, user, system, peak_memory, cycles, "
                        "instructions, branch_misses, page_faults, processes, tag, "
                        "source_commit, host) "
                        "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) RETURNING id");
  const std::string arguments = jsonArray(run.arguments);
  query.bind(run.identity).bind(run.label);
  run.arguments.empty() ? query.bindNull() : query.bind(arguments);
  run.standardInput.empty() ? query.bindNull() : query.bind(run.standardInput);
  query.bind(std::string_view(outcomeNames[static_cast<size_t>(run.outcome)]))
      .bind(int64_t{run.exitStatus});
  for (double value : {run.start, run.wall, run.user, run.system, run.peakMemory})
    query.bind(value);
  for (const auto &value : {run.cycles, run.instructions, run.branchMisses, run.pageFaults})
    bindOptional(query, value);
  query.bind(int64_t{run.processes});
  for (const std::string *text : {&run.tag, &run.commit, &run.host})
    text->empty() ? query.bindNull() : query.bind(*text);
  if (!query.row())
    return query.status(); // there already, or an error
  const int64_t id = query.integer(0);
  if (Status s = query.run(); !s)
    return s;
  Query feature(database, "INSERT INTO feature VALUES(?,?,?)");
  for (const auto &[name, value] : run.features)
    if (Status s = feature.bind(id).bind(name).bind(value).run(); !s)
      return s;
  Query text(database, "INSERT INTO text_feature VALUES(?,?,?)");
  for (const auto &[name, value] : run.texts)
    if (Status s = text.bind(id).bind(name).bind(value).run(); !s)
      return s;
  for (const ImageCounts &image : run.images)
    if (Status s = insertImage(id, image); !s)
      return s;
  for (const MarkedFunction &f : run.requests)
    if (Status s = insertRequests(id, f, run.images); !s)
      return s;
  Query strands(database, "INSERT INTO strands VALUES(?,?,?)");
  for (size_t i = 0; i < run.strands.size(); ++i) {
    const std::string bytes = compress(packStrands(run.strands[i]), 9);
    if (Status s = strands.bind(id).bind(static_cast<int64_t>(i)).bindBlob(bytes).run(); !s)
      return s;
  }
  return Done{};
}

Status Corpus::Impl::insertImage(int64_t run, const ImageCounts &image) {
  if (image.counterCount > maxCounters)
    return Error{escape(image.path) + " has too many counters for a corpus"};
  const Result<int64_t> id = imageId(image);
  if (!id)
    return id.error();
  const Result<const Current *> frame = frameFor(image, false);
  if (!frame)
    return frame.error();
  const std::string bytes = packCounts((*frame)->frame, image.counts);
  const std::string inherited = packCounts((*frame)->frame, image.inherited);
  const std::string recorders = packSparse(image.recorders);
  Query query(database, "INSERT INTO counts VALUES(?,?,?,?,?,?,?)");
  query.bind(run).bind(*id).bind((*frame)->id);
  query.bind(static_cast<int64_t>(image.counts.index.size())).bindBlob(bytes);
  image.inherited.index.empty() ? query.bindNull() : query.bindBlob(inherited);
  image.recorders.index.empty() ? query.bindNull() : query.bindBlob(recorders);
  return query.run();
}

Result<int64_t> Corpus::Impl::imageId(const ImageCounts &image) {
  const std::string hash = hex(image.map);
  const auto count = static_cast<int64_t>(image.counterCount);
  Query find(database, "SELECT id FROM image WHERE hash = ? AND path = ? AND counter_count = ? AND "
                       "ifnull(build, '') = ?");
  if (find.bind(hash).bind(image.path).bind(count).bind(image.build).row())
    return find.integer(0);
  Query other(database, "SELECT counter_count FROM image WHERE hash = ? AND counter_count <> ?");
  if (other.bind(hash).bind(count).row())
    return Error{escape(image.path) + " claims " + std::to_string(count) +
                 " counters, in other runs it has " + std::to_string(other.integer(0))};
  Query insert(database, "INSERT INTO image(hash, path, counter_count, build) VALUES(?,?,?,?) "
                         "RETURNING id");
  insert.bind(hash).bind(image.path).bind(count);
  image.build.empty() ? insert.bindNull() : insert.bind(image.build);
  return insert.row() ? Result<int64_t>(insert.integer(0)) : insert.status().error();
}

/// The frame in use, if it covers the counts; else a wider one. A frame that has served 8, 64, 512,
/// ... runs is made anew from the latest, because the run that made it may not have been typical.
Result<const Corpus::Impl::Current *> Corpus::Impl::frameFor(const ImageCounts &image,
                                                             bool ofRequest) {
  const std::string hash = hex(image.map);
  Current &now = current[{image.map, ofRequest}];
  if (now.id == 0) {
    Query latest(database, "SELECT max(id) FROM frame WHERE hash = ?");
    if (latest.bind(hash).row() && !latest.isNull(0)) {
      Result<Frame> loaded = loadFrame(database, path, latest.integer(0), hash, maxCounters);
      if (!loaded)
        return loaded.error();
      now = {latest.integer(0), 9, std::move(*loaded)};
    }
  }
  const uint64_t uses = ++now.uses;
  const bool isTired = uses == 8 || uses == 64 || uses == 512 || uses == 4096;
  if (now.id != 0 && !isTired && now.frame.covers(image.counts) &&
      now.frame.covers(image.inherited))
    return &now;
  Counts all = image.counts;
  for (uint32_t index : image.inherited.index)
    if (!std::binary_search(image.counts.index.begin(), image.counts.index.end(), index))
      quincunx::add(all, {{index}, {1}});
  now.frame = adapt(now.frame, all);
  const std::string bytes = packFrame(now.frame);
  Query insert(database, "INSERT INTO frame(hash, size, bytes) VALUES(?,?,?) RETURNING id");
  insert.bind(hash).bind(static_cast<int64_t>(now.frame.size())).bindBlob(bytes);
  if (!insert.row())
    return insert.status().error();
  now.id = insert.integer(0);
  return &now;
}

} // namespace quincunx
