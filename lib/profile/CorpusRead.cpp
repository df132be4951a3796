// Runs on their way out of the corpus, one in memory at a time. Counts are decoded on a thread of
// their own, a few runs ahead of whoever visits them. What a run is made of is in RunReader.cpp.
#include "CorpusImpl.h"
#include "RunReader.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace quincunx {

namespace {

/// Runs between the thread that decodes them and the one that visits them; at most `capacity` wait.
class Pipe {
public:
  explicit Pipe(size_t most) : capacity(most) {}
  /// False when nobody visits any more.
  bool put(Run &&run) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return waiting.size() < capacity || closed; });
    if (closed)
      return false;
    waiting.push_back(std::move(run));
    changed.notify_all();
    return true;
  }
  /// None after the last one.
  std::optional<Run> take() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !waiting.empty() || closed; });
    if (waiting.empty())
      return std::nullopt;
    std::optional<Run> run = std::move(waiting.front());
    waiting.pop_front();
    changed.notify_all();
    return run;
  }
  /// Either side: no more runs are put.
  void close() {
    const std::scoped_lock lock(mutex);
    closed = true;
    changed.notify_all();
  }

private:
  const size_t capacity;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Run> waiting;
  bool closed = false;
};

} // namespace

Status Corpus::forEachRun(const std::function<Status(Run &&)> &visit, ReadMask parts) const {
  const bool large =
      parts == ReadMask::requests || parts == ReadMask::strands || parts == ReadMask::all;
  Pipe pipe(large ? 2 : 16); // a run with its requests is a thousand count vectors
  Status read = Done{};
  std::thread reading([&] {
    RunReader reader(impl->database, impl->path, (impl->where("id") + RunReader::inOrder).c_str());
    for (bool more = true; more;) {
      Run run;
      const Result<bool> next = reader.next(run, parts);
      if (!next)
        read = next.error();
      more = next && *next && pipe.put(std::move(run));
    }
    pipe.close();
  });
  Status visited = Done{};
  while (visited) {
    std::optional<Run> run = pipe.take();
    if (!run)
      break;
    visited = visit(std::move(*run));
  }
  pipe.close();
  reading.join();
  return visited ? read : visited;
}

} // namespace quincunx
