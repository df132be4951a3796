// Draws a progress bar on stderr, ten times a second at most. Rate and time left are those of the
// whole series so far: runs differ by orders of magnitude, and a shorter memory would jump about.
#include "Progress.h"

#include "quincunx/base/Text.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

namespace quincunx::tool {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string duration(double seconds) {
  char text[40];
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60)
    std::snprintf(text, sizeof text, "%ld s", whole);
  else if (whole < 3600)
    std::snprintf(text, sizeof text, "%ld:%02ld min", whole / 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%ld:%02ld h", whole / 3600, whole / 60 % 60);
  return text;
}

size_t terminalWidth() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

} // namespace

Progress::Progress(size_t all, bool isQuiet, std::string counted)
    : what(std::move(counted)), total(all), quiet(isQuiet), terminal(::isatty(STDERR_FILENO) != 0),
      begun(now()) {}

Progress::~Progress() { clear(); }

void Progress::done(bool hasFailed) {
  ++count;
  failed += hasFailed;
  show();
}

void Progress::reach(size_t finished) {
  count = finished;
  show();
}

void Progress::show() {
  if (quiet)
    return;
  if (terminal) {
    draw(count == total);
  } else if (total > 0 && count * 10 / total > tenth) {
    tenth = count * 10 / total;
    std::fprintf(stderr, "quincunx: %s\n", state().c_str());
  }
}

void Progress::note(const std::string &line) {
  clear();
  std::fprintf(stderr, "%s\n", printable(line).c_str());
}

std::string Progress::state() const {
  const double passed = now() - begun;
  const double rate = passed > 0 ? static_cast<double>(count) / passed : 0;
  char text[200];
  std::string out =
      std::to_string(count) + (total > 0 ? " of " + std::to_string(total) : "") + ' ' + what;
  if (failed > 0)
    out += ", " + std::to_string(failed) + " failed";
  const int size = rate >= 1 ? std::snprintf(text, sizeof text, ", %.3g a second", rate)
                             : std::snprintf(text, sizeof text, ", %.3g a minute", rate * 60);
  out.append(text, static_cast<size_t>(size));
  if (count < total && rate > 0)
    out += ", " + duration(static_cast<double>(total - count) / rate) + " left";
  return out;
}

void Progress::draw(bool last) {
  if (!last && now() - shown < 0.1)
    return;
  shown = now();
  std::string line(1, ' ');
  line += state();
  const size_t width = terminalWidth();
  if (total > 0 && width > line.size() + 12) {
    const size_t bar = width - line.size() - 3 < 40 ? width - line.size() - 3 : 40;
    const size_t full = bar * count / total;
    line.insert(0, 1, ']');
    line.insert(0, bar - full, '.');
    line.insert(0, full, '#');
    line.insert(0, 1, '[');
  }
  std::fprintf(stderr, "\r\033[K%s", line.substr(0, width - 1).c_str());
  std::fflush(stderr);
  drawn = true;
}

void Progress::clear() {
  if (drawn)
    std::fprintf(stderr, "\r\033[K");
  drawn = false;
}

} // namespace quincunx::tool
