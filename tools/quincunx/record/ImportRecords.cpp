// Finds raw records, and stores the maps they need. The idea: the map of an image stays in its
// file, and a record names it by hash. So the only thing that can go wrong between a run and its
// map is that the file was rebuilt, moved or removed, and each has its line.
#include "ImportRecords.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>

#include <sys/random.h>
#include <sys/stat.h>

namespace quincunx::tool {

namespace fs = std::filesystem;

std::vector<std::string> filesIn(const std::string &folder) {
  std::vector<std::string> out;
  std::error_code no;
  for (const auto &entry : fs::directory_iterator(folder, no))
    out.push_back(entry.path().native());
  return out;
}

std::vector<std::string> recordsAmong(const std::vector<std::string> &files) {
  std::vector<std::string> out;
  std::error_code no;
  for (const std::string &file : files)
    if (file.ends_with(".qxraw") && fs::is_regular_file(file, no))
      out.push_back(file);
  std::sort(out.begin(), out.end(), [](const std::string &a, const std::string &b) {
    return std::make_pair(isLiveName(a), a) < std::make_pair(isLiveName(b), b);
  });
  return out;
}

/// The process id in a name like quincunx-PROGRAM-PID-XXXXXXXX.qxraw; empty when it is not one.
static std::string_view processIn(std::string_view name) {
  const size_t letters = name.rfind('-');
  if (!name.starts_with("quincunx-") || !name.ends_with(".qxraw") || letters == name.npos)
    return {};
  name = name.substr(0, letters);
  return name.substr(name.rfind('-') + 1);
}

std::vector<std::string> strayRecords(const std::string &folder, const std::set<int64_t> &processes,
                                      double since) {
  std::set<std::string, std::less<>> wanted;
  for (const int64_t process : processes)
    wanted.insert(std::to_string(process));
  std::vector<std::string> out;
  std::error_code no;
  for (const auto &entry : fs::directory_iterator(folder.empty() ? "." : folder, no)) {
    const std::string name = entry.path().filename().string();
    struct stat info{};
    if (wanted.contains(processIn(name)) && ::lstat(entry.path().c_str(), &info) == 0 &&
        static_cast<double>(info.st_mtim.tv_sec) + 1 >= since)
      out.push_back(entry.path().lexically_normal().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

static Status addMap(Corpus &corpus, const ImageCounts &image, const RawMap &map) {
  if (image.counterCount != map.wordCount())
    return Error{escape(image.path) + " claims " + std::to_string(image.counterCount) +
                 " counters, its map has " + std::to_string(map.wordCount())};
  return corpus.addMap(map, image.path);
}

std::string buildBefore(const std::string &path, int64_t since) {
  struct Known {
    struct stat file{};
    std::string build;
  };
  static std::map<std::string, Known> known;
  struct stat now{};
  if (::stat(path.c_str(), &now) != 0)
    return {};
  const auto changed = [](const struct stat &file) {
    return int64_t{file.st_mtim.tv_sec} * 1'000'000'000 + file.st_mtim.tv_nsec;
  };
  const auto [at, isNew] = known.try_emplace(path);
  Known &k = at->second;
  if (isNew || k.file.st_ino != now.st_ino || k.file.st_size != now.st_size ||
      changed(k.file) != changed(now))
    k = {now, readBuild(path)};
  return changed(now) <= since ? k.build : std::string();
}

Status addMaps(Corpus &corpus, ProcessRecord &record, const std::string &folder) {
  for (ImageCounts &image : record.images) {
    const fs::path path = fs::path(folder) / image.path; // an absolute path stays as it is
    image.build = buildBefore(path.string(), record.startRealtime);
    const Result<bool> isKnown = corpus.hasMap(image.map);
    if (!isKnown)
      return isKnown.error();
    if (*isKnown)
      continue;
    if (image.embedded) {
      if (Status s = addMap(corpus, image, *image.embedded); !s)
        return s;
      continue;
    }
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
