// Adds records up: counts by index, images of one map, processes of one run, and two records of one
// process, of which neither need be whole. It reads no files (Raw.cpp) and does not store runs
// (Corpus.cpp).
#include "quincunx/profile/Run.h"

#include "quincunx/base/Text.h"

#include "RawRequests.h"

#include <algorithm>
#include <tuple>

namespace quincunx {

namespace {

/// Index by index the sum of two values, or another function of them that is increasing in both and
/// has 0 for a neutral element.
Counts combine(const Counts &a, const Counts &b, uint64_t (*of)(uint64_t, uint64_t)) {
  Counts out;
  out.index.reserve(a.index.size() + b.index.size());
  out.value.reserve(a.index.size() + b.index.size());
  size_t i = 0, j = 0;
  while (i < a.index.size() || j < b.index.size()) {
    const uint32_t inA = i < a.index.size() ? a.index[i] : noIndex;
    const uint32_t inB = j < b.index.size() ? b.index[j] : noIndex;
    uint64_t value = 0;
    if (inA <= inB)
      value = a.value[i++];
    if (inB <= inA)
      value = of(value, b.value[j++]);
    out.index.push_back(std::min(inA, inB));
    out.value.push_back(value);
  }
  return out;
}

Counts highest(const Counts &a, const Counts &b) {
  return combine(a, b, [](uint64_t x, uint64_t y) { return std::max(x, y); });
}

/// Both parts of an image that another record or another copy of the image adds.
void addImage(ImageCounts &sum, const ImageCounts &more) {
  add(sum.counts, more.counts);
  add(sum.recorders, more.recorders);
  add(sum.inherited, more.inherited);
  sum.counterCount = std::max(sum.counterCount, more.counterCount);
  if (!sum.embedded)
    sum.embedded = more.embedded;
  // So that the order of records does not matter.
  if (std::tie(more.path, more.build) < std::tie(sum.path, sum.build))
    std::tie(sum.path, sum.build) = std::tie(more.path, more.build);
}

} // namespace

std::string hex(const Hash &h) {
  std::string out;
  for (uint64_t word : h)
    for (int shift = 56; shift >= 0; shift -= 8) {
      const auto byte = static_cast<uint8_t>(word >> shift);
      out += hexDigits({&byte, 1});
    }
  return out;
}

void add(Counts &sum, const Counts &more) {
  if (sum.index == more.index) {
    for (size_t i = 0; i < more.value.size(); ++i)
      sum.value[i] = saturatingAdd(sum.value[i], more.value[i]);
    return;
  }
  sum = combine(sum, more, saturatingAdd);
}

namespace {

/// Where the image with this map is, or belongs, in a list that is ordered by hash.
std::vector<ImageCounts>::iterator placeOf(std::vector<ImageCounts> &images, const Hash &map) {
  return std::lower_bound(images.begin(), images.end(), map,
                          [](const ImageCounts &a, const Hash &hash) { return a.map < hash; });
}

/// One image per map, ordered by hash.
void addImages(std::vector<ImageCounts> &sum, const std::vector<ImageCounts> &more) {
  for (const ImageCounts &image : more) {
    const auto at = placeOf(sum, image.map);
    if (at != sum.end() && at->map == image.map)
      addImage(*at, image);
    else
      sum.insert(at, image);
  }
}

} // namespace

void add(Run &run, const ProcessRecord &process) {
  addImages(run.images, process.images);
  run.requests.insert(run.requests.end(), process.requests.begin(), process.requests.end());
  run.strands.insert(run.strands.end(), process.strands.begin(), process.strands.end());
  run.features.insert(process.features.begin(), process.features.end());
  run.peakMemory = std::max(run.peakMemory, static_cast<double>(process.peakMemory));
  ++run.processes;
}

void unite(ProcessRecord &known, const ProcessRecord &more) {
  if (!known.cutShort)
    return;
  if (!more.cutShort) {
    known = more;
    return;
  }
  // An image that was loaded twice is there twice, in any order; its copies count together.
  std::vector<ImageCounts> images, others;
  addImages(images, known.images);
  addImages(others, more.images);
  for (ImageCounts &other : others) {
    const auto at = placeOf(images, other.map);
    if (at == images.end() || at->map != other.map) {
      images.insert(at, std::move(other));
      continue;
    }
    at->counts = highest(at->counts, other.counts);
    at->recorders = highest(at->recorders, other.recorders);
    at->inherited = highest(at->inherited, other.inherited);
    at->counterCount = std::max(at->counterCount, other.counterCount);
    if (!at->embedded)
      at->embedded = other.embedded;
  }
  known.images = std::move(images);
  const auto ended = [](const ProcessRecord &r) {
    uint64_t sum = 0;
    for (const MarkedFunction &f : r.requests)
      sum = saturatingAdd(sum, f.ended);
    return sum;
  };
  if (ended(more) > ended(known))
    known.requests = more.requests;
  const auto events = [](const ProcessRecord &r) {
    size_t sum = 0;
    for (const ProcessStrands &p : r.strands)
      for (const StrandThread &t : p.threads)
        sum += t.events.size();
    return sum;
  };
  if (events(more) > events(known))
    known.strands = more.strands;
  known.features.insert(more.features.begin(), more.features.end());
  for (int64_t ProcessRecord::*figure : {&ProcessRecord::wall, &ProcessRecord::user,
                                         &ProcessRecord::system, &ProcessRecord::peakMemory})
    known.*figure = std::max(known.*figure, more.*figure);
  known.running = known.running || more.running;
  known.forked = std::max(known.forked, more.forked);
  known.incomplete = known.incomplete || more.incomplete;
}

void MissingProcesses::add(const ProcessRecord &record) {
  incomplete += record.incomplete;
  Children &own = childrenOf[record.identity];
  own.parentIsKnown = true;
  own.forked = record.forked;
  if (record.parentIdentity != Identity{})
    ++childrenOf[record.parentIdentity].known;
}

size_t MissingProcesses::count() const {
  size_t missing = incomplete;
  for (const auto &[parent, children] : childrenOf)
    missing += !children.parentIsKnown            ? 1
               : children.forked > children.known ? children.forked - children.known
                                                  : 0;
  return missing;
}

} // namespace quincunx
