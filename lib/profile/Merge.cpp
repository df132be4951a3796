// One corpus into another. Runs and repetitions go by identity only, maps by hash, and facts are
// sets of lines; so merging twice or in another order gives the same.
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

Status Corpus::insertAll(const Corpus &other) {
  std::error_code ignored;
  if (std::filesystem::equivalent(impl->path, other.impl->path, ignored))
    return Done{};
  Query maps(other.impl->database, selectMaps);
  while (maps.row()) {
    const Result<RawMap> raw = other.impl->rawMap(maps);
    if (const Status s = raw ? impl->insertMap(*raw, maps.text(1), true) : raw.error(); !s)
      return s;
  }
  if (!maps.status())
    return maps.status();
  if (const Status s = mergeFacts(*this, other); !s)
    return s;
  if (const Status s =
          other.forEachRun([&](Run &&run) { return impl->insertRun(run); }, ReadMask::all);
      !s)
    return s;
  return impl->mergeTimings(other);
}

Status Corpus::inOneTransaction(const std::function<Status()> &insert) {
  assert(impl->writable && "a corpus opened for reading is not written");
  Transaction transaction(impl->database);
  Status s = transaction.status();
  if (s)
    s = insert();
  if (s)
    s = transaction.commit();
  if (!s)
    impl->current.clear();
  return s;
}

Status Corpus::merge(const Corpus &other) {
  return inOneTransaction([&] { return insertAll(other); });
}

Status Corpus::merge(const std::vector<std::string> &paths) {
  return inOneTransaction([&]() -> Status {
    for (const std::string &path : paths) {
      const Result<Corpus> other = open(path, Mode::read);
      if (const Status s = other ? insertAll(*other) : other.error(); !s)
        return s;
    }
    return Done{};
  });
}

} // namespace quincunx
