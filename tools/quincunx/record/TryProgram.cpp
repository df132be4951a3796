// Runs a program once, for its exit status.
#include "TryProgram.h"

#include "ChildOutcome.h"
#include "Executor.h"

#include "quincunx/base/Text.h"

#include <fstream>

namespace quincunx::tool {

Status tryProgram(const std::vector<std::string> &words, const std::string &folder) {
  constexpr double longest = 60; // seconds
  Executor executor(longest, false);
  LaunchOptions launch;
  launch.standardError = folder + "/stderr";
  if (Status s = executor.start(0, Job{words, {}, {}, {}, {}, {}, {}}, launch); !s)
    return s;
  while (!executor.interrupted())
    for (const ChildResult &end : executor.wait()) {
      if (outcomeOf(end, {0}) == Outcome::finished)
        return Done{};
      std::ifstream file(launch.standardError);
      std::string line;
      std::getline(file, line);
      return Error{escape(fileName(words.front())) + " fails" +
                   (line.empty() ? "" : ": " + printable(line))};
    }
  return Error{"interrupted"};
}

} // namespace quincunx::tool
