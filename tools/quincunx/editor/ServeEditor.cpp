// Waits for bytes of the client, for what was read, and for the next look at the files.
// The idea: all that takes time is in CorpusThread, so that this loop only hands over; a corpus
// that is being written is read when it has been left alone for a while.
#include "ServeEditor.h"

#include "CorpusThread.h"
#include "WatchedCorpus.h"

#include "system/ExitStatus.h"

#include "quincunx/base/ReadFile.h"
#include "quincunx/report/LspFrames.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include <poll.h>
#include <unistd.h>

namespace quincunx::tool {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Between looks at the files, and after the last key before texts are compared with what was
/// compiled.
constexpr milliseconds betweenLooks(1000), untilRest(150);

std::optional<std::string> textOf(const std::string &path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) // a FIFO would hold us up
    return std::nullopt;
  Result<std::string> text = readTextFile(path);
  return text ? std::optional<std::string>(std::move(*text)) : std::nullopt;
}

bool writeAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR)
      return false;
    bytes.remove_prefix(n < 0 ? 0 : static_cast<size_t>(n));
  }
  return true;
}

class Session {
public:
  explicit Session(const CorpusOptions &options)
      : named(options.path), thread(options),
        server(QUINCUNX_VERSION, std::filesystem::current_path().string(), textOf) {}

  int run() {
    for (;;) {
      if (server.ended())
        return *server.ended();
      std::array<pollfd, 2> of{{{STDIN_FILENO, POLLIN, 0}, {thread.descriptor(), POLLIN, 0}}};
      const int ready = ::poll(of.data(), of.size(), timeout());
      if (ready < 0 && errno != EINTR)
        return failed;
      if (ready > 0 && of[0].revents != 0 && !readClient())
        return fail(Error{"the client ended without shutdown and exit"});
      if (ready > 0 && of[1].revents != 0)
        takeReadings();
      if (of[0].revents == 0 && server.wantsRest() && Clock::now() - heard >= untilRest)
        server.rest();
      look();
      for (const std::string &message : server.send())
        if (!writeAll(lspFrame(message)))
          return failed;
    }
  }

private:
  int timeout() const {
    return static_cast<int>((server.wantsRest() ? untilRest : betweenLooks).count());
  }

  bool readClient() {
    std::array<char, 1 << 16> bytes{};
    const ssize_t n = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (n <= 0)
      return n < 0 && errno == EINTR;
    heard = Clock::now();
    frames.add({bytes.data(), static_cast<size_t>(n)});
    while (const auto message = frames.next()) {
      if (*message)
        server.receive(**message);
      else
        server.refuse(message->error());
      if (server.ended())
        break;
    }
    return true;
  }

  void takeReadings() {
    for (CorpusThread::Reading &r : thread.take()) {
      if (r.corpus) {
        asked.clear();
        server.take(r.corpus, r.path, std::move(r.lines));
      } else if (r.error) {
        server.takeNone(r.error->message());
      } else {
        for (auto &[source, figures] : r.lines)
          server.take(source, std::move(figures));
      }
      isReading &= !r.corpus && !r.error;
    }
  }

  /// Is there something to read?
  void look() {
    if (!server.workspace())
      return;
    for (const SourceVersion &source : server.wantedLines())
      if (!isReading && asked.insert(source).second)
        thread.readLines(source);
    const bool isTold = server.tookChanges();
    if (isReading || (!isTold && Clock::now() - looked < betweenLooks))
      return;
    looked = Clock::now();
    const Result<std::string> path = corpusOf(named, *server.workspace());
    if (!path)
      return server.takeNone(path.error().text);
    FileState now = stateOf(*path, server.workspace()->root);
    const bool isQuiet = now == seen || seen.empty();
    seen = now;
    if (!isQuiet || now == read)
      return;
    read = std::move(now);
    isReading = true;
    thread.read(*path, server.workspace()->root, server.openSources());
  }

  std::string named;
  CorpusThread thread;
  LanguageServer server;
  LspFrames frames;
  bool isReading = false;
  FileState seen, read;            ///< at the last look; when it was read last
  std::set<SourceVersion> asked;   ///< lines
  Clock::time_point heard, looked; ///< the client; at the files
};

} // namespace

int serveEditor(const CorpusOptions &options) {
  const int status = Session(options).run();
  std::_Exit(status); // the thread may be reading
}

} // namespace quincunx::tool
