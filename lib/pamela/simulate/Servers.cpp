// Resources: first come, first served.
// The idea: a queue is a list through the records of the processes that wait, so that one that is
// cancelled leaves it without a search. It does not know what time it is.
// Reference: docs/12-pamela.md.
#include "Servers.h"

#include "quincunx/base/Text.h"

#include <cmath>

namespace quincunx::pamela {

Result<uint32_t> Servers::find(double index, double multiplicity, const std::string &name) {
  const auto key = static_cast<int64_t>(std::fabs(index) <= 0x1p53 ? index : 0);
  const auto place = byIndex.find(key);
  if (place != byIndex.end() && servers[place->second].index == index &&
      servers[place->second].servers == multiplicity)
    return place->second;
  if (const std::string why = multiplicities.meet(index, multiplicity); !why.empty())
    return Error{why};
  servers.push_back({.index = index,
                     .servers = multiplicity,
                     .name = name.empty() ? "fcfs(" + exact(index) + ")" : name});
  return byIndex[key] = static_cast<uint32_t>(servers.size() - 1);
}

bool Servers::ask(ProcessPool &pool, uint32_t process, uint32_t server) {
  Server &s = servers[server];
  Process &p = pool[process];
  p.server = server;
  if (s.inUse < s.servers) {
    s.inUse += 1;
    return true;
  }
  p.state = ProcessState::queued;
  p.previous = s.last;
  p.next = none;
  (s.last == none ? s.first : pool[s.last].next) = process;
  s.last = process;
  return false;
}

void Servers::leave(ProcessPool &pool, uint32_t process) {
  const Process &p = pool[process];
  Server &s = servers[p.server];
  (p.previous == none ? s.first : pool[p.previous].next) = p.next;
  (p.next == none ? s.last : pool[p.next].previous) = p.previous;
}

uint32_t Servers::release(ProcessPool &pool, uint32_t server, double served) {
  Server &s = servers[server];
  s.busy += served;
  const uint32_t next = s.first;
  if (next == none)
    s.inUse -= 1;
  else
    leave(pool, next);
  return next;
}

void Servers::start() {
  for (Server &s : servers) {
    s.first = s.last = none;
    s.inUse = 0;
  }
}

} // namespace quincunx::pamela
