// Counts outcomes and tells failures. The idea: a program that fails on every input must not fill
// the screen, so after twenty lines failures are only counted; what a program said last is the best
// hint there is, so it is part of the line.
#include "OutcomeLog.h"

#include "system/ExitStatus.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/Provenance.h"

#include <algorithm>
#include <cstring>
#include <fstream>

namespace quincunx::tool {

namespace {

/// What the runtime said, or else the last line with something on it, from the last 4 kB of a file.
std::string whatWasSaid(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : 0;
  std::string text(static_cast<size_t>(std::clamp<std::streamoff>(size, 0, 4096)), '\0');
  file.seekg(size - static_cast<std::streamoff>(text.size()));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  std::string_view said;
  for (const std::string_view line : fields(text, '\n'))
    if (!said.starts_with("quincunx: "))
      said = line;
  return escape(said, mostSaid);
}

/// Names the signal whose negative the exit status is.
std::string signalName(int status) {
  return "signal " + std::to_string(-status) + " (" + ::strsignal(-status) + ")";
}

} // namespace

void OutcomeLog::say(const std::string &text) {
  if (!quiet)
    progress.note("quincunx: " + text);
}

void OutcomeLog::stored(const Run &run, double timeout, const std::string &standardError,
                        size_t missing) {
  kept += !timed || run.outcome == Outcome::finished;
  if (run.outcome == Outcome::timedOut) {
    ++timedOut;
    complain(run.label, "stopped after " + exact(timeout) + " s", standardError);
  } else if (run.outcome == Outcome::crashed) {
    ++crashed;
    complain(run.label,
             run.exitStatus < 0 ? "killed by " + signalName(run.exitStatus)
                                : "exit status " + std::to_string(run.exitStatus),
             standardError);
  } else if (run.outcome == Outcome::cutShort && run.exitStatus >= 0) {
    ++incomplete;
    complain(run.label,
             "counts of " + std::to_string(missing) + (missing == 1 ? " process" : " processes") +
                 " are missing; it counts as at least what there is",
             standardError);
  } else if (run.outcome == Outcome::cutShort) {
    ++cutShort;
    complain(run.label,
             "cut short by " + signalName(run.exitStatus) +
                 (timed ? ""
                        : std::string(run.images.empty() ? ", before it counted anything" : "") +
                              "; it counts as at least that much"),
             standardError);
  }
  if (run.outcome == Outcome::finished && run.exitStatus != 0 && !good.contains(run.exitStatus))
    statuses[run.exitStatus].push_back(run.label);
  progress.done(run.outcome != Outcome::finished);
}

void OutcomeLog::lost(const std::string &label, const std::string &cause,
                      const std::string &standardError) {
  ++unrecorded;
  complain(label, "left no record and is not stored: " + cause, standardError);
  progress.done(true);
}

void OutcomeLog::complain(const std::string &label, const std::string &text,
                          const std::string &standardError) {
  constexpr size_t most = 20;
  if (++complaints > most)
    return;
  const std::string said = whatWasSaid(standardError);
  progress.note("quincunx: run " + escape(label) + ": " + text + (timed ? "; left out" : "") +
                (said.empty() ? "" : "; it said: " + said));
  if (complaints == most)
    progress.note("quincunx: further failures are counted and not shown");
}

int OutcomeLog::conclude(const std::string &corpus, bool interrupted) const {
  std::string text = std::to_string(kept) + (timed ? " timed" : "") +
                     (kept == 1 ? " run" : " runs") + " added to " + escape(corpus);
  const std::pair<size_t, const char *> parts[] = {{crashed, " crashed"},
                                                   {timedOut, " timed out"},
                                                   {cutShort, " cut short"},
                                                   {incomplete, " lack counts"},
                                                   {unrecorded, " left no record"}};
  for (const auto &[count, what] : parts)
    if (count > 0)
      text += ", " + std::to_string(count) + what;
  if (timed && kept < progress.finished())
    text += ", these are left out";
  if (interrupted)
    text += "; interrupted, go on with the same command and --resume";
  if (!quiet || interrupted)
    std::fprintf(stderr, "quincunx: %s\n", text.c_str());
  for (const auto &[exitStatus, labels] : statuses)
    if (!quiet)
      std::fprintf(stderr,
                   "quincunx: %zu %s with exit status %d (%s) and %s like others (--ok-status says "
                   "which are good)\n",
                   labels.size(), labels.size() == 1 ? "run ended" : "runs ended", exitStatus,
                   firstFew(labels).c_str(), labels.size() == 1 ? "counts" : "count");
  if (interrupted)
    return interruptedStatus;
  return crashed + timedOut + cutShort + incomplete + unrecorded > 0 ? someRunsFailed : ok;
}

} // namespace quincunx::tool
