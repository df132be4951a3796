// How far a long series of runs is: one line that is rewritten on a terminal, plain lines at every
// tenth elsewhere. It writes to stderr and knows numbers only.
#pragma once

#include <cstddef>
#include <string>

namespace quincunx::tool {

class Progress {
public:
  /// `what` is counted: "runs"; a total of 0 is not known, and there is no bar.
  Progress(size_t total, bool quiet, std::string what = "runs");
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void done(bool failed);
  /// `finished` of them are done, for what is too quick to be told one by one.
  void reach(size_t finished);
  /// A line of its own ("quincunx: ..."), also when quiet; the bar stays below it.
  void note(const std::string &line);
  /// Takes the bar away.
  void clear();
  size_t finished() const { return count; }
  size_t failures() const { return failed; }

private:
  void show();
  void draw(bool last);
  std::string state() const;

  std::string what;
  size_t total, count = 0, failed = 0, tenth = 0;
  bool quiet, terminal, drawn = false;
  double begun, shown = 0;
};

} // namespace quincunx::tool
