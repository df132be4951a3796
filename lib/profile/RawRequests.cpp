// Reads what runtime/requests/request_log.c writes. A log is append-only and an entry is there once
// its size is; of entries for one slot of the sample the one with the highest number counts. Memory
// taken is bounded by a small multiple of the bytes.
#include "RawRequests.h"

#include "Codec.h"

#include "quincunx/abi.h"

#include <cmath>

namespace quincunx {

namespace {

/// Requests of a process, and nanoseconds that one takes: a corpus keeps as many, and no process
/// gets there.
constexpr uint64_t most = uint64_t{1} << 62;

/// Pairs of gap and value, as many as it says, each with what `rest` takes after them.
template <class Rest> std::string readCounts(Bytes &bytes, Counts &out, Rest rest) {
  uint64_t n = 0, next = 0;
  if (!bytes.varint(n) || n > bytes.left.size() / 2)
    return "counts of a request are cut off";
  out.index.reserve(n);
  out.value.reserve(n);
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t gap = 0, value = 0;
    if (!bytes.varint(gap) || !bytes.varint(value) || !rest())
      return "a number in the counts of a request is cut off or too long";
    if (gap >= noIndex - next || value == 0)
      return "a count in a request that no counter can have";
    out.index.push_back(static_cast<uint32_t>(next + gap));
    out.value.push_back(value);
    next += gap + 1;
  }
  return "";
}

std::string readFeature(Bytes &bytes, std::map<std::string, double> &out) {
  double value = 0;
  uint64_t length = 0;
  std::string name;
  if (!bytes.read(value) || !bytes.varint(length) || length == 0 || length > QX_FEATURE_NAME ||
      !bytes.text(length, name))
    return "a feature of a request is cut off";
  if (!std::isfinite(value))
    return "a feature that is not a number";
  out[name] = value + 0; // a corpus has one zero
  return "";
}

enum class Found { fits, absent, beyond };

/// Is there an image with this map, and does it have the counter `last`?
Found findImage(const ProcessRecord &record, const Hash &map, uint64_t last) {
  Found found = Found::absent;
  for (const ImageCounts &image : record.images)
    if (image.map == map)
      found = last < image.counterCount ? Found::fits : Found::beyond;
  return found;
}

uint64_t lastOf(const Counts &counts) { return counts.index.empty() ? 0 : counts.index.back(); }

/// Leaves out what the record has no image for, which only a live file may lack, and puts the rest
/// in order.
template <class Part, class Merge>
std::string settle(std::vector<Part> &parts, Counts Part::*counts, const ProcessRecord &record,
                   bool live, Merge merge) {
  std::map<Hash, Part> sorted;
  for (Part &part : parts) {
    const Found found = findImage(record, part.map, lastOf(part.*counts));
    if (found == Found::beyond)
      return "a request counts what its image does not have";
    if (found == Found::absent && !live)
      return "a request of an image that is not there";
    if (found == Found::absent)
      continue;
    if (const auto [at, fresh] = sorted.try_emplace(part.map, part); !fresh)
      merge(at->second, part); // the same library, opened twice
  }
  parts.clear();
  for (auto &[map, part] : sorted)
    parts.push_back(std::move(part));
  return "";
}

void mergeCounts(RequestCounts &sum, const RequestCounts &more) { add(sum.counts, more.counts); }

void mergeSums(RequestSums &sum, const RequestSums &more) {
  Counts both = sum.sum;
  add(both, more.sum);
  std::map<uint32_t, std::array<uint64_t, 2>> squares;
  for (const RequestSums *part : {static_cast<const RequestSums *>(&sum), &more})
    for (size_t i = 0; i < part->sum.index.size(); ++i) {
      auto &[low, high] = squares[part->sum.index[i]];
      low += part->squares[i][0];
      high += part->squares[i][1] + (low < part->squares[i][0] ? 1 : 0);
    }
  sum.sum = std::move(both);
  sum.squares.clear();
  for (const auto &[index, square] : squares)
    sum.squares.push_back(square);
}

} // namespace

std::string readSums(Bytes payload, std::vector<RequestSums> &sums) {
  while (!payload.left.empty()) {
    RequestSums image;
    if (!payload.read(image.map))
      return "sums of requests are cut off";
    const auto square = [&] {
      auto &[low, high] = image.squares.emplace_back();
      return payload.varint(low) && payload.varint(high);
    };
    if (std::string wrong = readCounts(payload, image.sum, square); !wrong.empty())
      return wrong;
    sums.push_back(std::move(image));
  }
  return "";
}

std::string writeSums(const std::vector<RequestSums> &sums) {
  std::string out;
  for (const RequestSums &image : sums) {
    out.append(reinterpret_cast<const char *>(image.map.data()), sizeof image.map);
    putVarint(out, image.sum.index.size());
    uint32_t next = 0;
    for (size_t i = 0; i < image.sum.index.size(); ++i) {
      putVarint(out, image.sum.index[i] - next);
      next = image.sum.index[i] + 1;
      for (const uint64_t value : {image.sum.value[i], image.squares[i][0], image.squares[i][1]})
        putVarint(out, value);
    }
  }
  return out;
}

std::string RawRequests::addEntry(Function &f, Bytes entry) {
  Request r;
  uint64_t slot = 0, count = 0;
  if (!entry.varint(slot) || slot >= QX_SLOTS || !entry.varint(r.number) || !entry.varint(r.wall) ||
      r.wall > most || !entry.varint(count) || count > QX_REQUEST_FEATURES)
    return "a request does not begin as it should";
  for (uint64_t i = 0; i < count; ++i)
    if (std::string wrong = readFeature(entry, r.features); !wrong.empty())
      return wrong;
  while (!entry.left.empty()) {
    RequestCounts image;
    if (!entry.read(image.map))
      return "a request is cut off";
    if (std::string wrong = readCounts(entry, image.counts, [] { return true; }); !wrong.empty())
      return wrong;
    r.images.push_back(std::move(image));
  }
  const auto [at, fresh] = f.slots.try_emplace(slot, r);
  if (!fresh && at->second.number < r.number)
    at->second = std::move(r);
  return "";
}

std::string RawRequests::addChunk(Bytes payload, bool live) {
  qx_requests_start start;
  if (!payload.read(start))
    return "requests without a beginning";
  const Hash map{start.map_hash[0], start.map_hash[1]};
  const auto [at, fresh] = functions.try_emplace(start.number);
  MarkedFunction &marked = at->second.marked;
  if (!fresh && (marked.map != map || marked.counter != start.function))
    return "requests of two functions under one number";
  marked.number = start.number;
  marked.map = map;
  marked.counter = start.function;
  marked.begun = saturatingAdd(marked.begun, start.begun);
  marked.ended = saturatingAdd(marked.ended, start.ended);
  while (!payload.left.empty()) {
    uint64_t size = 0;
    std::span<const uint8_t> entry, padding;
    if (!payload.read(size) || (size == 0 && !live))
      return "a request without a size";
    if (size == 0)
      return "";
    if (size > payload.left.size() || !payload.take(size, entry) ||
        !payload.take((8 - size % 8) % 8, padding))
      return "a request is longer than its chunk";
    if (std::string wrong = addEntry(at->second, Bytes{entry}); !wrong.empty())
      return wrong;
  }
  return "";
}

std::string RawRequests::addSums(Bytes payload) {
  uint64_t number = 0;
  if (!payload.read(number) || number > UINT32_MAX ||
      !functions.contains(static_cast<uint32_t>(number)))
    return "sums of requests that are not there";
  auto &sums = functions.at(static_cast<uint32_t>(number)).marked.sums;
  if (sums)
    return "sums of requests twice";
  return readSums(payload, sums.emplace());
}

std::string RawRequests::addFeatures(Bytes payload, bool live) {
  while (payload.left.size() >= sizeof(qx_feature)) {
    qx_feature f;
    payload.read(f);
    if (f.name[0] == 0 && live) // not there yet
      continue;
    if (f.name[0] == 0 || f.name[QX_FEATURE_NAME] != 0)
      return "a feature without a name";
    if (!std::isfinite(f.value))
      return "a feature that is not a number";
    features[f.name] = f.value + 0;
  }
  return payload.left.empty() || live ? "" : "a feature is cut off";
}

std::string RawRequests::finish(ProcessRecord &record, bool live) {
  record.features = std::move(features);
  for (auto &[number, f] : functions) {
    MarkedFunction &marked = f.marked;
    const Found found = findImage(record, marked.map, marked.counter);
    if (found == Found::absent && live)
      continue;
    if (found != Found::fits)
      return "requests of a function that is not there";
    if (live) { // which is read while the process goes on
      for (const auto &[slot, request] : f.slots)
        marked.ended = std::max(marked.ended, saturatingAdd(request.number, 1));
      marked.begun = std::max(marked.begun, marked.ended);
    }
    if (marked.begun < marked.ended)
      return "more requests ended than began";
    if (marked.begun > most)
      return "more requests than there can be";
    std::map<uint64_t, Request> sorted;
    for (auto &[slot, request] : f.slots) {
      if (request.number >= marked.ended)
        return "a request with a number that none has";
      if (std::string wrong =
              settle(request.images, &RequestCounts::counts, record, live, mergeCounts);
          !wrong.empty())
        return wrong;
      if (!sorted.try_emplace(request.number, std::move(request)).second)
        return "a request is there twice";
    }
    for (auto &[i, request] : sorted)
      marked.sample.push_back(std::move(request));
    if (marked.sums)
      if (std::string wrong = settle(*marked.sums, &RequestSums::sum, record, live, mergeSums);
          !wrong.empty())
        return wrong;
    record.requests.push_back(std::move(marked));
  }
  return "";
}

} // namespace quincunx
