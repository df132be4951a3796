// Reads what machine and processor this is, and which of it may be used: /proc/cpuinfo and
// sched_setaffinity(2).
#include "Processor.h"

#include <algorithm>
#include <fstream>

#include <sched.h>
#include <sys/utsname.h>

namespace quincunx::tool {

std::string processorModel() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      return line.substr(std::min(line.find(':') + 2, line.size()));
  utsname names{};
  ::uname(&names);
  return names.machine;
}

std::string hostName() {
  utsname names{};
  ::uname(&names);
  return names.nodename;
}

std::vector<int> allowedProcessors() {
  std::vector<int> out;
  cpu_set_t allowed;
  // Setting what is set changes nothing and shows whether it may be done.
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0 ||
      ::sched_setaffinity(0, sizeof allowed, &allowed) != 0)
    return out;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(static_cast<size_t>(i), &allowed))
      out.push_back(i);
  return out;
}

} // namespace quincunx::tool
