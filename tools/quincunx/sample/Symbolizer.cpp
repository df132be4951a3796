// The idea: all addresses that are new go through one child, by files, so that no pipe can fill up.
// Of inlined calls the innermost function is taken: its text is what executes.
#include "Symbolizer.h"

#include "quincunx/base/Text.h"

#include <cstdlib>
#include <fstream>

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace quincunx::tool {

namespace {

bool isProgram(const std::string &path) { return ::access(path.c_str(), X_OK) == 0; }

std::string textOf(const nlohmann::json &object, const char *name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

SampledPlace innermost(const nlohmann::json &answer) {
  SampledPlace place;
  const auto symbols = answer.find("Symbol");
  if (symbols == answer.end() || !symbols->is_array() || symbols->empty())
    return place;
  const nlohmann::json &frame = symbols->front();
  place.function = textOf(frame, "FunctionName");
  place.file = textOf(frame, "FileName");
  if (const auto line = frame.find("Line"); line != frame.end() && line->is_number_unsigned())
    place.line = line->get<uint32_t>();
  return place;
}

} // namespace

Result<std::string> Symbolizer::find() {
  if (const char *given = std::getenv("LLVM_SYMBOLIZER_PATH"); given != nullptr && *given != '\0')
    return isProgram(given) ? Result<std::string>(given)
                            : Error{"LLVM_SYMBOLIZER_PATH: cannot run " + escape(given)};
  const char *path = std::getenv("PATH");
  for (const char *name : {"llvm-symbolizer-22", "llvm-symbolizer", "llvm-symbolizer-19"})
    for (const std::string_view folder : fields(path != nullptr ? path : "/usr/bin:/bin", ':'))
      if (std::string file = std::string(folder) + "/" + name; isProgram(file))
        return file;
  return Error{"llvm-symbolizer is not installed; it names what is sampled: install the package "
               "llvm-22, or set LLVM_SYMBOLIZER_PATH"};
}

Symbolizer::Symbolizer(std::string path, std::string ours)
    : program(std::move(path)), folder(std::move(ours)) {}

Status Symbolizer::name(const std::map<SampledAddress, uint64_t> &addresses, Executor &executor) {
  std::vector<std::pair<std::string, uint64_t>> fresh;
  const std::string questions = folder + "/addresses", answers = folder + "/places";
  {
    std::ofstream out(questions);
    for (const auto &[at, samples] : addresses)
      if (!at.file.empty() && known.try_emplace({at.file, at.address}).second) {
        fresh.emplace_back(at.file, at.address);
        out << "CODE \"" << at.file << "\" " << at.address << '\n';
      }
    if (!out.flush())
      return Error{"cannot write", questions};
  }
  if (fresh.empty())
    return Done{};
  Job job;
  job.words = {program, "--output-style=JSON", "--no-demangle", "--inlines"};
  job.standardInput = questions;
  LaunchOptions launch;
  launch.standardOutput = answers;
  launch.standardError = "/dev/null";
  if (Status s = executor.start(0, job, launch); !s)
    return s;
  while (executor.wait().empty())
    if (executor.interrupted()) {
      executor.stopAll();
      return Done{};
    }
  std::ifstream in(answers);
  std::string line;
  for (const auto &at : fresh) {
    if (!std::getline(in, line))
      return Error{escape(program) + " did not name what was sampled"};
    const auto answer = nlohmann::json::parse(line, nullptr, false);
    if (answer.is_discarded())
      return Error{escape(program) + " answered what is no JSON"};
    known[at] = innermost(answer);
    lines = lines || known[at].line != 0;
  }
  return Done{};
}

SampledPlace Symbolizer::placeOf(const SampledAddress &address) const {
  const auto at = known.find({address.file, address.address});
  SampledPlace place = at != known.end() ? at->second : SampledPlace{};
  place.object = address.object;
  return place;
}

} // namespace quincunx::tool
