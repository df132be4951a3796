// Measures a machine, remembers it, and gives its prices to a corpus.
// The idea: a measurement takes seconds and says the same tomorrow, so there is one per host and
// processor, in the user's cache; a home folder may be shared by hosts that differ. Without a cache
// every new corpus is measured for. A calibration that is there already stays, whosever it is.
#include "MeasuredMachine.h"

#include "system/Processor.h"
#include "system/Progress.h"
#include "system/ReplaceFile.h"

#include "quincunx/base/Md5.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace quincunx::tool {

namespace {

namespace fs = std::filesystem;

/// Of each loop: enough for medians that repeat within a few per cent. A machine's prices are off
/// by far more for any one program (Machine::programSpread).
constexpr unsigned batches = 11;

/// The folder for what can be made again.
fs::path cacheFolder() {
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return fs::path(cache) / "quincunx";
  if (const char *home = std::getenv("HOME"); home != nullptr && *home == '/')
    return fs::path(home) / ".cache/quincunx";
  return {};
}

std::string hostInFileName() {
  std::string host = hostName();
  std::replace_if(
      host.begin(), host.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.'; }, '_');
  return host;
}

/// The processor; '#' and line breaks would end the name in the file.
std::string nameOfMachine() {
  std::string name = processorModel();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '#' || c == '\n' || c == '\r'; }, '_');
  return name;
}

/// Each cost by its mean.
Machine meansOf(Machine machine) {
  for (auto *costs : {&machine.classes, &machine.events})
    for (auto &[word, cost] : *costs)
      cost = {cost.k1};
  for (auto *costs : {&machine.callees, &machine.bytes})
    for (auto &[callee, cost] : *costs)
      cost = {cost.k1};
  return machine;
}

/// Of that file.
Result<Machine> machineIn(const std::string &file) {
  Result<Machine> machine = machineByName(file);
  if (machine && machine->unit != "ns")
    return Error{"prices that a corpus keeps are in nanoseconds, as quincunx calibrate --machine "
                 "writes them, and those of " +
                 escape(file) + " in " + escape(machine->unit)};
  return machine;
}

/// Of this host: what is known, or what is measured now and then known.
Result<Machine> thisMachine(bool quiet) {
  const std::string file = measuredMachineFile();
  std::error_code no;
  if (!file.empty() && fs::exists(file, no))
    if (Result<Machine> known = machineIn(file); known)
      return known;
  if (!quiet)
    std::fprintf(stderr, "quincunx: measuring what instructions take on this machine, once; then "
                         "reports speak time (--machine none: counts)\n");
  const Result<ProbedMachine> probed = measureMachine({batches, ProbeEffort{}.batch}, quiet);
  if (!probed)
    return probed.error();
  if (!file.empty()) { // a cache that cannot be written is measured again
    fs::create_directories(fs::path(file).parent_path(), no);
    if (!no)
      (void)replaceFile(file, describe(*probed, nameOfMachine(), processorModel()));
  }
  return machineOf(*probed, nameOfMachine());
}

} // namespace

Status checkMachine(const std::string &wanted) {
  if (wanted.empty() || wanted == "none")
    return Done{};
  const Result<Machine> machine = machineIn(wanted);
  return machine ? Status(Done{}) : machine.error();
}

Result<ProbedMachine> measureMachine(const ProbeEffort &effort, bool quiet) {
  Progress progress(effort.batches, quiet || ::isatty(STDERR_FILENO) == 0,
                    "rounds of measurements");
  Result<ProbedMachine> probed = probeMachine(effort, [&] { progress.done(false); });
  progress.clear();
  if (probed && !quiet)
    for (const std::string &note : noiseNotes(*probed))
      progress.note("quincunx: " + note);
  return probed;
}

std::string measuredMachineFile() {
  const fs::path folder = cacheFolder();
  if (folder.empty())
    return {};
  const std::string processor = hex(md5(processorModel())).substr(0, 8);
  return (folder / (hostInFileName() + "-" + processor + ".machine")).string();
}

Status keepMachine(Corpus &corpus, const std::string &wanted, bool quiet) {
  const Result<std::string> known = corpus.calibration();
  if (!known || !known->empty() || wanted == "none")
    return known ? Status(Done{}) : Status(known.error());
  const Result<Machine> machine = wanted.empty() ? thisMachine(quiet) : machineIn(wanted);
  if (!machine)
    return machine.error();
  return corpus.setCalibration(printMachine(meansOf(*machine)));
}

} // namespace quincunx::tool
