// See ProcessRecords.h. Records are compared as the runs that they become, and runs as text.
#include "ProcessRecords.h"

#include "Target.h"

#include "quincunx/base/Text.h"
#include "quincunx/profile/Corpus.h"

#include <cmath>
#include <filesystem>
#include <sstream>

namespace quincunx::fuzz {

namespace {

void judgeCounts(const Counts &counts, uint64_t end, const std::string &of) {
  if (counts.index.size() != counts.value.size())
    wrong(of + " has not one value per counter");
  uint64_t next = 0;
  for (size_t i = 0; i < counts.index.size(); ++i) {
    if (counts.index[i] < next || counts.index[i] >= end || counts.value[i] == 0)
      wrong(of + " is out of order, beyond its image, or 0", std::to_string(counts.index[i]));
    next = uint64_t{counts.index[i]} + 1;
  }
}

void judgeFeatures(const std::map<std::string, double> &features) {
  for (const auto &[name, value] : features)
    if (name.empty() || !std::isfinite(value))
      wrong("a feature without a name or a number", escape(name) + " " + exact(value));
}

void judgeRequests(const MarkedFunction &f) {
  if (f.begun < f.ended || f.sample.size() > f.ended || f.sample.size() > 1024)
    wrong("more requests are kept than ended, or ended than began");
  uint64_t next = 0;
  for (const Request &r : f.sample) {
    if (r.number < next || r.number >= f.ended)
      wrong("requests are out of order");
    next = r.number + 1;
    judgeFeatures(r.features);
    for (const RequestCounts &image : r.images)
      judgeCounts(image.counts, noIndex, "a request");
  }
  if (f.sums)
    for (const RequestSums &image : *f.sums) {
      judgeCounts(image.sum, noIndex, "a sum of requests");
      if (image.squares.size() != image.sum.index.size())
        wrong("a sum of requests has not one square per counter");
    }
}

void put(std::ostream &out, const char *what, const Counts &counts) {
  for (size_t i = 0; i < counts.index.size(); ++i)
    out << what << ' ' << counts.index[i] << ' ' << counts.value[i] << '\n';
}

void put(std::ostream &out, const MarkedFunction &f) {
  out << "marked " << hex(f.map) << ' ' << f.counter << ' ' << f.begun << ' ' << f.ended << '\n';
  for (const Request &r : f.sample) {
    out << "request " << r.number << ' ' << r.wall << '\n';
    for (const auto &[name, value] : r.features)
      out << "feature " << escape(name) << ' ' << exact(value) << '\n';
    for (const RequestCounts &image : r.images) {
      out << "image " << hex(image.map) << '\n';
      put(out, "count", image.counts);
    }
  }
  out << (f.sums ? "sums\n" : "no sums\n");
  for (const RequestSums &image : f.sums.value_or(std::vector<RequestSums>{})) {
    out << "image " << hex(image.map) << '\n';
    put(out, "sum", image.sum);
    for (const auto &[low, high] : image.squares)
      out << low << ' ' << high << '\n';
  }
}

std::string textOf(const Run &run) {
  std::ostringstream out;
  out << escape(run.identity) << ' ' << run.processes << ' ' << exact(run.peakMemory) << '\n';
  for (const auto &[name, value] : run.features)
    out << "feature " << escape(name) << ' ' << exact(value) << '\n';
  for (const ImageCounts &image : run.images) {
    out << hex(image.map) << ' ' << escape(image.path) << ' ' << image.counterCount << '\n';
    put(out, "count", image.counts);
    put(out, "recorder", image.recorders);
    put(out, "inherited", image.inherited);
  }
  for (const MarkedFunction &f : run.requests)
    put(out, f);
  for (const ProcessStrands &strands : run.strands)
    out << "strands " << escape(packStrands(strands)) << '\n';
  return out.str();
}

Run runOf(const ProcessRecord &record) {
  Run run;
  run.identity = run.label = "one";
  add(run, record);
  return run;
}

/// That it goes into a corpus and comes out of it as it was, or is refused in one line.
void judgeStored(const Run &run) {
  const std::string path = scratchFile("records.qx");
  std::filesystem::remove(path);
  {
    Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::write);
    if (!corpus)
      wrong("no new corpus", corpus.error().message());
    if (const Status added = corpus->add(run); !added)
      return judgeError(added);
  }
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    wrong("a record spoils its corpus", corpus.error().message());
  std::string read;
  const Status visited = corpus->forEachRun(
      [&](Run &&back) -> Status {
        read += textOf(back);
        return Done{};
      },
      Corpus::ReadMask::all);
  if (!visited)
    wrong("a record that was added cannot be read", visited.error().message());
  if (read != textOf(run))
    wrong("a record is another one in the corpus", textOf(run) + "----\n" + read);
}

} // namespace

void judgeRecord(const ProcessRecord &record) {
  if (record.run.empty())
    return; // it died before it counted anything
  for (const ImageCounts &image : record.images) {
    if (image.counterCount > UINT32_MAX)
      wrong("an image has more counters than there are numbers");
    for (const Counts *counts : {&image.counts, &image.recorders, &image.inherited})
      judgeCounts(*counts, image.counterCount, "a count");
    if (image.embedded && image.embedded->hash() != image.map)
      wrong("an embedded map has another name than its image says");
    if (image.embedded)
      judgeError(decodeMap(*image.embedded));
  }
  judgeFeatures(record.features);
  for (const MarkedFunction &f : record.requests)
    judgeRequests(f);
  const Run run = runOf(record);
  ProcessRecord twice = record;
  unite(twice, record);
  if (textOf(runOf(twice)) != textOf(run))
    wrong("a record united with itself is another one",
          textOf(run) + "----\n" + textOf(runOf(twice)));
  judgeStored(run);
}

Result<ProcessRecord> readBothWays(const std::string &bytes, const std::string &name) {
  // A heap block of exactly this size, so that a sanitizer sees a read beyond it.
  const std::vector<uint8_t> block(bytes.begin(), bytes.end());
  Result<ProcessRecord> record = readRaw(block, name);
  judgeError(record);
  const std::string path = scratchFile(name);
  writeFile(path, bytes);
  const Result<ProcessRecord> other = readRawFile(path);
  judgeError(other);
  if (static_cast<bool>(record) != static_cast<bool>(other))
    wrong("a file is read otherwise than its bytes",
          record ? other.error().message() : record.error().message());
  if (record && textOf(runOf(*record)) != textOf(runOf(*other)))
    wrong("a file says something else than its bytes");
  return record;
}

} // namespace quincunx::fuzz
