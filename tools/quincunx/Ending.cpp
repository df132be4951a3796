// See Ending.h. A signal of a fault is the program's own doing; others come from outside and say
// nothing but that it was not done. It stores and prints nothing.
#include "Ending.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>

#include <sys/wait.h>

namespace quincunx::tool {

namespace fs = std::filesystem;

static bool isFault(int signal) {
  constexpr int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
  return std::find(std::begin(faults), std::end(faults), signal) != std::end(faults);
}

Outcome outcomeOf(const Ended &end, const std::vector<int> &good) {
  if (end.timedOut)
    return Outcome::timedOut;
  if (WIFSIGNALED(end.status) && !isFault(WTERMSIG(end.status)))
    return Outcome::cutShort;
  const bool isGood =
      WIFEXITED(end.status) &&
      (good.empty() || std::find(good.begin(), good.end(), WEXITSTATUS(end.status)) != good.end());
  return isGood ? Outcome::finished : Outcome::crashed;
}

int exitStatusOf(const Ended &end) {
  return WIFEXITED(end.status) ? WEXITSTATUS(end.status) : -WTERMSIG(end.status);
}

Status makeOutputFolder(const std::string &folder) {
  std::error_code problem;
  if (!folder.empty())
    fs::create_directories(folder, problem);
  if (problem)
    return Error{"cannot make " + escape(folder) + ": " + problem.message()};
  return Done{};
}

std::string outputBase(const std::string &folder, size_t number, std::string label) {
  for (char &c : label)
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::strchr("-_.", c) == nullptr)
      c = '_';
  return fs::absolute(folder).string() + "/" + std::to_string(number + 1) + "-" +
         label.substr(0, 100);
}

} // namespace quincunx::tool
