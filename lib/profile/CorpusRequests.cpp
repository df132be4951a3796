// Requests on their way into the corpus and out of it: a row for each marked function and process,
// a row and a blob per image for each request of the sample, packed against frames like the counts
// of runs, and one blob for the sums. It interprets nothing.
#include "CorpusImpl.h"
#include "RawRequests.h"
#include "Schema.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

// ---- in

namespace {

/// The image of the run with this map, as requests refer to it.
ImageCounts imageOf(const RequestCounts &part, const std::vector<ImageCounts> &images) {
  ImageCounts out;
  out.map = part.map;
  out.counts = part.counts;
  out.counterCount = part.counts.index.empty() ? 0 : uint64_t{part.counts.index.back()} + 1;
  for (const ImageCounts &image : images)
    if (image.map == part.map) {
      out.path = image.path;
      out.build = image.build;
      out.counterCount = image.counterCount;
    }
  return out;
}

} // namespace

Status Corpus::Impl::insertRequest(int64_t marked, const Request &request,
                                   const std::vector<ImageCounts> &images) {
  Query insert(database, "INSERT INTO request(marked, number, wall) VALUES(?,?,?) RETURNING id");
  insert.bind(marked).bind(static_cast<int64_t>(request.number));
  if (!insert.bind(1e-9 * static_cast<double>(request.wall)).row())
    return insert.status().error();
  const int64_t id = insert.integer(0);
  Query feature(database, "INSERT INTO request_feature VALUES(?,?,?)");
  for (const auto &[name, value] : request.features)
    if (Status s = feature.bind(id).bind(name).bind(value).run(); !s)
      return s;
  Query counts(database, "INSERT INTO request_counts VALUES(?,?,?,?)");
  for (const RequestCounts &part : request.images) {
    const ImageCounts image = imageOf(part, images);
    const Result<int64_t> known = imageId(image);
    const Result<const Current *> frame = frameFor(image, true);
    if (!known || !frame)
      return known ? frame.error() : known.error();
    const std::string bytes = packCounts((*frame)->frame, image.counts);
    if (Status s = counts.bind(id).bind(*known).bind((*frame)->id).bindBlob(bytes).run(); !s)
      return s;
  }
  return Done{};
}

Status Corpus::Impl::insertRequests(int64_t run, const MarkedFunction &f,
                                    const std::vector<ImageCounts> &images) {
  Query insert(database, "INSERT INTO marked(run, hash, counter, begun, ended, sums) "
                         "VALUES(?,?,?,?,?,?) RETURNING id");
  const std::string hash = hex(f.map), sums = f.sums ? compress(writeSums(*f.sums), 9) : "";
  insert.bind(run).bind(hash).bind(int64_t{f.counter});
  insert.bind(static_cast<int64_t>(f.begun)).bind(static_cast<int64_t>(f.ended));
  f.sums ? insert.bindBlob(sums) : insert.bindNull();
  if (!insert.row())
    return insert.status().error();
  const int64_t id = insert.integer(0);
  for (const Request &request : f.sample)
    if (Status s = insertRequest(id, request, images); !s)
      return s;
  return Done{};
}

// ---- out

static std::string from(const char *select, const char *table, Access access, const char *rest) {
  return std::string(select) + " FROM " + table + " " + notIndexed(access) + rest;
}

RequestReader::RequestReader(const Database &in, const std::string &corpus, Frames &known,
                             Access access)
    : path(corpus), frames(known),
      functions(in, from("SELECT id, hash, counter, begun, ended, sums", "marked", access,
                         "WHERE run = ? ORDER BY id")
                        .c_str()),
      sample(in,
             from("SELECT id, number, wall", "request", access, "WHERE marked = ? ORDER BY number")
                 .c_str()),
      features(in, "SELECT name, value FROM request_feature WHERE request = ?"),
      counts(in, from("SELECT hash, path, counter_count, frame, bytes", "request_counts", access,
                      "JOIN image ON image.id = request_counts.image WHERE request = ? "
                      "ORDER BY hash, path")
                     .c_str()) {}

Status RequestReader::read(int64_t id, Run &run) {
  functions.reset().bind(id);
  while (functions.row()) {
    MarkedFunction f;
    f.number = static_cast<uint32_t>(run.requests.size());
    const int64_t counter = functions.integer(2), begun = functions.integer(3),
                  ended = functions.integer(4);
    bool good = parseHash(functions.text(1), f.map) && counter >= 0 &&
                std::cmp_less(counter, maxCounters) && ended >= 0 && begun >= ended;
    f.counter = static_cast<uint32_t>(counter);
    f.begun = static_cast<uint64_t>(begun);
    f.ended = static_cast<uint64_t>(ended);
    std::vector<uint8_t> sums;
    if (good && !functions.isNull(5))
      good = decompress(functions.blob(5), mostBytes(functions.blob(5)), sums) &&
             readSums(Bytes{sums}, f.sums.emplace()).empty();
    if (good)
      if (Status s = readSample(functions.integer(0), f, run.identity); !s)
        return s;
    if (!good || f.sample.size() > f.ended)
      return damagedFile(path, "requests of run " + escape(run.identity));
    run.requests.push_back(std::move(f));
  }
  return functions.status();
}

Status RequestReader::readSample(int64_t id, MarkedFunction &f, const std::string &name) {
  sample.reset().bind(id);
  while (sample.row()) {
    Request r;
    const double wall = sample.real(2) * 1e9;
    if (sample.integer(1) < 0 || !(wall >= 0 && wall < 0x1p63))
      return damagedFile(path, "requests of run " + escape(name));
    r.number = static_cast<uint64_t>(sample.integer(1));
    r.wall = static_cast<uint64_t>(std::llround(wall));
    features.reset().bind(sample.integer(0));
    while (features.row()) {
      const double value = features.real(1);
      if (!std::isfinite(value))
        return damagedFile(path, "requests of run " + escape(name));
      r.features[features.text(0)] = value;
    }
    if (Status s = features.status(); !s)
      return s;
    if (Status s = readCounts(sample.integer(0), r, name); !s)
      return s;
    f.sample.push_back(std::move(r));
  }
  return sample.status();
}

Status RequestReader::readCounts(int64_t id, Request &request, const std::string &name) {
  counts.reset().bind(id);
  while (counts.row()) {
    auto row = readImageRow(counts, frames, path, name);
    if (!row)
      return row.error();
    RequestCounts part{row->first.map, {}};
    if (Status s = unpackCounts(*row->second, counts.blob(4), part.counts, scratch); !s)
      return damagedFile(path, "run " + escape(name) + ": " + s.error().text);
    if (!request.images.empty() && request.images.back().map == part.map)
      add(request.images.back().counts, part.counts);
    else
      request.images.push_back(std::move(part));
  }
  return counts.status();
}

Result<std::vector<Corpus::Marked>> Corpus::markedFunctions() const {
  std::vector<Marked> out;
  Query query(impl->database,
              ("SELECT hash, counter, sum(begun), sum(ended), sum((SELECT count(*) FROM request "
               "WHERE request.marked = marked.id)) FROM marked " +
               impl->where("run") + "GROUP BY hash, counter ORDER BY hash, counter")
                  .c_str());
  while (query.row()) {
    Marked m;
    for (int column = 1; column <= 4; ++column)
      if (query.integer(column) < 0)
        return impl->damaged("its requests");
    if (!parseHash(query.text(0), m.map) || std::cmp_greater(query.integer(1), maxCounters))
      return impl->damaged("its requests");
    m.counter = static_cast<uint32_t>(query.integer(1));
    m.begun = static_cast<uint64_t>(query.integer(2));
    m.ended = static_cast<uint64_t>(query.integer(3));
    m.kept = static_cast<uint64_t>(query.integer(4));
    out.push_back(m);
  }
  if (const Status s = query.status(); !s)
    return s.error();
  return out;
}

} // namespace quincunx
