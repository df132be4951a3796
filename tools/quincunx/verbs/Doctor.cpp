// quincunx doctor: whether this machine has what building, recording and timing need.
// The idea: what can be tried is tried, a build and a run of a small program among it, and what is
// amiss comes with what to do. It repairs nothing.
#include "Verbs.h"

#include "arguments/CompilerFlags.h"
#include "record/HardwareCounters.h"
#include "record/MeasuredMachine.h"
#include "record/ProgramPath.h"
#include "record/RecordFolder.h"
#include "record/RecordRuns.h"
#include "record/TryProgram.h"
#include "sample/Sampler.h"
#include "system/NextStep.h"
#include "system/Processor.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/JsonText.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

namespace fs = std::filesystem;

/// What one look found.
struct Finding {
  enum State { fine, note, missing } state = fine; ///< note: it goes without, and less well
  std::string what, found, remedy;
};

const char *wordOf(Finding::State state) {
  return state == Finding::fine ? "ok" : state == Finding::note ? "note" : "MISSING";
}

Finding lookForPlugin(const Result<ConfigFile> &config) {
  if (config)
    return {Finding::fine, "plugin",
            "for clang " + std::to_string(config->clang) + ", " + escape(config->path), ""};
  return {Finding::missing, "plugin", "none",
          "build with the preset default, or install the package with the compiler side"};
}

std::string compilerFor(const ConfigFile &config) {
  return "clang-" + std::to_string(config.clang);
}

Finding lookForCompiler(const ConfigFile &config) {
  const std::string name = compilerFor(config);
  const std::string path = findProgram(Job{{name}, {}, {}, {}, {}, {}, {}});
  if (!path.empty())
    return {Finding::fine, "compiler", escape(path), ""};
  return {Finding::missing, "compiler", "no " + name + " in PATH",
          "install the package " + name + ", or add its folder to PATH"};
}

Finding lookForSpace(const RecordFolder &folder) {
  if (const Status s = folder.status(); !s)
    return {Finding::missing, "temporary files", s.error().text,
            "set TMPDIR to a folder that can be written"};
  std::error_code no;
  const fs::space_info space = fs::space(folder.path(), no);
  const double megabytes = no ? NAN : static_cast<double>(space.available) / 1e6;
  char text[40];
  std::snprintf(text, sizeof text, "%.0f MB free", megabytes);
  if (megabytes >= 100)
    return {Finding::fine, "temporary files", text, ""};
  return {Finding::note, "temporary files", text,
          "programs with many threads leave some MB each; set TMPDIR to a larger disk"};
}

/// Builds a program with the flag and records a run of it.
Finding tryAll(const ConfigFile &config, const RecordFolder &folder) {
  const char *what = "building and recording";
  const std::string source = folder.path() + "/doctor.c", program = folder.path() + "/doctor";
  std::ofstream(source) << "int main(int n, char **v) { while (n < 9 + **v) ++n; return 0; }\n";
  const Status built =
      tryProgram({compilerFor(config), instrumentingFlags(config), "-O1", "-o", program, source},
                 folder.path());
  if (!built)
    return {Finding::missing, what, built.error().text,
            "a program of one line has to build with " + instrumentingFlags(config)};
  RecordOptions record;
  record.corpus = program + ".qx";
  record.plan.words = {program, ":::", "1"};
  record.machine = "none";
  record.quiet = true;
  if (recordRuns(record) != ok)
    return {Finding::missing, what, "the program left no record",
            "what run says above is the reason"};
  return {Finding::fine, what, "a program was built, run and recorded", ""};
}

Finding lookForMachine() {
  const std::string file = measuredMachineFile();
  std::error_code no;
  if (file.empty())
    return {Finding::note, "prices of this machine", "neither HOME nor XDG_CACHE_HOME is set",
            "they are measured for every new corpus, which takes some seconds"};
  if (fs::exists(file, no))
    return {Finding::fine, "prices of this machine", escape(file), ""};
  return {Finding::fine, "prices of this machine", "not measured yet; the first run does that", ""};
}

Finding lookForQuiet() {
  double load[1] = {0};
  const size_t processors = std::max<size_t>(1, allowedProcessors().size());
  if (::getloadavg(load, 1) != 1)
    return {Finding::note, "quiet", "the load is not known", "let nothing run while you time"};
  char text[60];
  std::snprintf(text, sizeof text, "load %.1f on %zu %s", load[0], processors,
                processors == 1 ? "processor" : "processors");
  if (load[0] < 0.5)
    return {Finding::fine, "quiet", text, ""};
  return {Finding::note, "quiet", text, "times are good when nothing else runs"};
}

Finding lookForPinning() {
  if (!allowedProcessors().empty())
    return {Finding::fine, "keeping on a processor", "allowed", ""};
  return {Finding::note, "keeping on a processor", "not allowed",
          "times scatter more where programs wander (sched_setaffinity)"};
}

Finding lookForCounters() {
  if (HardwareCounters::isGranted())
    return {Finding::fine, "hardware counters", "granted", ""};
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  std::string level;
  file >> level;
  return {Finding::note, "hardware counters",
          "not granted (kernel.perf_event_paranoid is " + (level.empty() ? "?" : level) + ")",
          "runs go without cycles and mispredictions; sysctl kernel.perf_event_paranoid=2 grants "
          "them, unless this is a virtual machine without"};
}

Finding lookForSampling() {
  const Result<SamplingMethod> method = samplingMethod();
  if (!method)
    return {Finding::note, "sampling", method.error().text,
            "times of single functions are less certain without samples"};
  if (!method->byTimers)
    return {Finding::fine, "sampling", method->text, ""};
  return {Finding::note, "sampling", method->text,
          "sysctl kernel.perf_event_paranoid=2, or a container that allows the call, gives more"};
}

std::vector<Finding> lookAround() {
  std::vector<Finding> all;
  const Result<ConfigFile> config = configFor(0);
  const RecordFolder folder;
  all.push_back(lookForPlugin(config));
  if (config)
    all.push_back(lookForCompiler(*config));
  all.push_back(lookForSpace(folder));
  if (std::ranges::all_of(all, [](const Finding &f) { return f.state != Finding::missing; }))
    all.push_back(tryAll(*config, folder));
  for (const auto look :
       {lookForMachine, lookForQuiet, lookForPinning, lookForCounters, lookForSampling})
    all.push_back(look());
  return all;
}

int doctor(bool json) {
  const std::vector<Finding> all = lookAround();
  const bool isWell =
      std::ranges::all_of(all, [](const Finding &f) { return f.state != Finding::missing; });
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding &f : all)
    if (json) {
      list.push_back(
          {{"state", wordOf(f.state)}, {"what", f.what}, {"found", f.found}, {"do", f.remedy}});
    } else {
      std::printf("%-7s  %-23s %s\n", wordOf(f.state), f.what.c_str(), f.found.c_str());
      if (!f.remedy.empty())
        std::printf("%32s %s\n", "", f.remedy.c_str());
    }
  if (!json && isWell)
    printNext(std::cout, "profile -o prog.qx --plain ./prog-plain -- ./prog {} ::: inputs/*");
  if (json)
    std::cout << jsonText({{"schema", schemaOf("doctor")}, {"well", isWell}, {"findings", list}})
              << '\n';
  return finishOutput("what was found", isWell ? ok : failed);
}

} // namespace

void addDoctor(CLI::App &app, int &status) {
  const auto json = std::make_shared<bool>(false);
  CLI::App *verb =
      app.add_subcommand("doctor", "Say what is missing on this machine, and what to do");
  verb->add_flag("--json", *json, "For programs");
  verb->footer("Examples:\n"
               "  quincunx doctor\n"
               "  quincunx doctor --json | jq '.findings[] | select(.state != \"ok\")'\n"
               "Exit status: 0 nothing that is needed is missing, 1 something is.");
  verb->callback([json, &status] { status = doctor(*json); });
}

} // namespace quincunx::tool
