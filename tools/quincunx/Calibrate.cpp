// quincunx calibrate: machine models in nanoseconds. Here are options and files; lib/probe
// measures. It does not know what the benchmarks do.
#include "Verbs.h"

#include "InPlace.h"
#include "Processor.h"
#include "Progress.h"
#include "quincunx/probe/Probe.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include <unistd.h>

namespace quincunx::tool {

namespace {

struct Options {
  bool machine = false;
  std::string out; ///< empty: standard output
};

/// What the machine is called: as its file, without the ending.
std::string nameFor(const std::string &out) {
  std::string name = std::filesystem::path(out).stem().string();
  // '#' and line breaks would end the name in the file.
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '#' || c == '\n' || c == '\r'; }, '_');
  return name.empty() ? "measured" : name;
}

int write(const std::string &text, const std::string &out) {
  if (!out.empty()) {
    const Status written = replaceFile(out, text);
    return written ? ok : fail(written.error());
  }
  std::cout << text;
  std::cout.flush();
  return std::cout ? ok : fail(Error{"cannot write the machine"});
}

/// So that nobody waits for a file that cannot be written.
Status checkFolder(const std::string &out) {
  const std::filesystem::path folder = std::filesystem::path(out).parent_path();
  std::error_code no;
  if (folder.empty() || std::filesystem::is_directory(folder, no))
    return Done{};
  return Error{"there is no folder for it; make one first", out};
}

/// Measures this machine; what was not quiet is told.
int calibrateMachine(const Options &o) {
  if (const Status s = checkFolder(o.out); !s)
    return fail(s.error());
  const ProbeEffort effort;
  Progress progress(effort.batches, isatty(STDERR_FILENO) == 0, "rounds of measurements");
  const Result<ProbedMachine> probed = probeMachine(effort, [&] { progress.done(false); });
  progress.clear();
  if (!probed)
    return fail(probed.error());
  for (const std::string &note : noiseNotes(*probed))
    progress.note("quincunx: " + note);
  return write(describe(*probed, nameFor(o.out), processorModel()), o.out);
}

} // namespace

void addCalibrate(CLI::App &app, int &status) {
  const auto o = std::make_shared<Options>();
  CLI::App *verb = app.add_subcommand("calibrate", "Measure what a machine takes, in nanoseconds");
  verb->add_flag("--machine", o->machine,
                 "Measure this machine with benchmarks of single instructions and events; takes "
                 "about ten seconds")
      ->required();
  verb->add_option("-o,--out", o->out, "Machine file to write (default: the standard output)")
      ->type_name("FILE");
  verb->footer("Examples:\n"
               "  quincunx calibrate --machine -o mine.machine\n"
               "  quincunx calibrate --machine | grep mispredict\n"
               "Let nothing else run meanwhile. Read a corpus with it: quincunx report --machine "
               "mine.machine prog.qx");
  verb->callback([o, &status] { status = calibrateMachine(*o); });
}

} // namespace quincunx::tool
