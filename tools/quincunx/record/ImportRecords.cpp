// Finds raw records, and stores the maps they need. The idea: the map of an image stays in its
// file, and a record names it by hash. So the only thing that can go wrong between a run and its
// map is that the file was rebuilt, moved or removed, and each has its line.
#include "ImportRecords.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <sys/random.h>

namespace quincunx::tool {

namespace fs = std::filesystem;

std::vector<std::string> recordsIn(const std::string &folder) {
  std::vector<std::string> out;
  std::error_code no;
  for (const auto &entry : fs::directory_iterator(folder, no))
    if (entry.path().extension() == ".qxraw" && entry.is_regular_file(no))
      out.push_back(entry.path().string());
  std::sort(out.begin(), out.end(), [](const std::string &a, const std::string &b) {
    return std::make_pair(isLiveName(a), a) < std::make_pair(isLiveName(b), b);
  });
  return out;
}

static Status addMap(Corpus &corpus, const ImageCounts &image, const RawMap &map) {
  if (image.counterCount != map.wordCount())
    return Error{escape(image.path) + " claims " + std::to_string(image.counterCount) +
                 " counters, its map has " + std::to_string(map.wordCount())};
  return corpus.addMap(map, image.path);
}

Status addMaps(Corpus &corpus, const ProcessRecord &record, const std::string &folder) {
  for (const ImageCounts &image : record.images) {
    if (corpus.hasMap(image.map))
      continue;
    if (image.embedded) {
      if (Status s = addMap(corpus, image, *image.embedded); !s)
        return s;
      continue;
    }
    const fs::path path = fs::path(folder) / image.path; // an absolute path stays as it is
    const Result<RawMap> raw = readElf(path.string());
    if (!raw)
      return Error{"cannot read the map of " + escape(image.path) + ": " + raw.error().text +
                   "; runs need the program as it was when it ran, or QUINCUNX_MAPS=embed"};
    if (raw->hash() != image.map)
      return Error{escape(image.path) +
                   " was rebuilt since it wrote this record; run it again, or set "
                   "QUINCUNX_MAPS=embed when it runs"};
    if (Status s = addMap(corpus, image, *raw); !s)
      return s;
  }
  return Done{};
}

std::string newIdentity() {
  Hash bits{};
  size_t got = 0;
  auto *bytes = reinterpret_cast<unsigned char *>(bits.data());
  while (got < sizeof bits) {
    const ssize_t n = ::getrandom(bytes + got, sizeof bits - got, 0);
    if (n > 0)
      got += static_cast<size_t>(n);
    else if (errno != EINTR)
      break; // cannot happen for so few bytes; zeros would be noticed as a run that is there
             // already
  }
  return hex(bits);
}

} // namespace quincunx::tool
