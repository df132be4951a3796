// One corpus into another. Runs and repetitions go by identity only, maps by hash, and facts are
// sets of lines; so merging twice or in another order gives the same. It opens no files.
#include "CorpusImpl.h"

#include <cassert>
#include <filesystem>
#include <set>

namespace quincunx {

namespace {

/// The lines of both texts, each once, sorted: the same whichever is merged into which.
std::string unionOfLines(const std::string &a, const std::string &b) {
  std::set<std::string_view> lines;
  for (const std::string *text : {&a, &b})
    for (std::string_view line : fields(*text, '\n'))
      if (!line.empty())
        lines.insert(line);
  std::string out;
  for (std::string_view line : lines)
    (out += out.empty() ? "" : "\n") += line;
  return out;
}

Status mergeFacts(Corpus &into, const Corpus &other) {
  const auto facts = other.facts();
  if (!facts)
    return facts.error();
  for (const auto &[name, value] : *facts) {
    const Result<std::string> known = into.fact(name);
    if (!known)
      return known.error();
    if (Status s = into.setFact(name, unionOfLines(*known, value)); !s)
      return s;
  }
  return Done{};
}

} // namespace

Status Corpus::merge(const Corpus &other) {
  assert(impl->writable && "a corpus opened for reading is not written");
  std::error_code ignored;
  if (std::filesystem::equivalent(impl->path, other.impl->path, ignored))
    return Done{};
  Transaction transaction(impl->database);
  Status s = transaction.status();
  if (!s)
    return s;
  Query maps(other.impl->database, selectMaps);
  while (s && maps.row()) {
    const Result<RawMap> raw = other.impl->rawMap(maps);
    s = raw ? impl->insertMap(*raw, maps.text(1), true) : Status(raw.error());
  }
  if (s)
    s = maps.status();
  if (s)
    s = mergeFacts(*this, other);
  if (s)
    s = other.forEachRun([&](Run &&run) { return impl->insertRun(run); }, ReadMask::all);
  if (s)
    s = impl->mergeTimings(other);
  if (s)
    s = transaction.commit();
  if (!s)
    impl->current.clear();
  return s;
}

} // namespace quincunx
