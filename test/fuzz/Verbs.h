// Verbs of the tool, called in this process. It knows words and what was written, no files.
#pragma once

#include <string>
#include <vector>

namespace quincunx::fuzz {

struct Ran {
  int status = 0;
  std::string out, err;
};

/// `words`: what follows "quincunx", with the verb first.
Ran call(const std::vector<std::string> &words);

/// The same, and it must keep what every verb promises: status 0 and nothing on standard error
/// but what begins with its name; or status 1 or 2, and one line there that says why. JSON is JSON.
Ran judgedCall(const std::vector<std::string> &words);

} // namespace quincunx::fuzz
