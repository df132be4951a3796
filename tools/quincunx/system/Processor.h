// The machine we run on: its name, its processor, and which of it a program may be kept on.
#pragma once

#include <string>
#include <vector>

namespace quincunx::tool {

/// As the system names it ("model name"), or the architecture.
std::string processorModel();
/// As the system calls this machine among others.
std::string hostName();
/// Numbers of those that we may run on, ascending; empty where a program cannot be kept on one.
std::vector<int> allowedProcessors();

} // namespace quincunx::tool
