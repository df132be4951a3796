// Resources, their queues, and how busy they were. Reference: docs/12-pamela.md.
#pragma once

#include "ProcessPool.h"
#include "pamela/syntax/Multiplicities.h"
#include "quincunx/base/Result.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace quincunx::pamela {

struct Server {
  double index = 0;
  double servers = 1; ///< how many; may be infinite
  std::string name;
  uint32_t first = none, last = none; ///< of the queue
  double inUse = 0;
  uint64_t uses = 0;
  double busy = 0, queueing = 0; ///< sums over uses
};

class Servers {
public:
  /// The server with this index, new when there is none. Refuses numbers that cannot be, and other
  /// numbers than before.
  Result<uint32_t> find(double index, double servers, const std::string &name);
  const std::vector<Server> &all() const { return servers; }

  /// True when there is a server at once; else the process is in the queue.
  bool ask(ProcessPool &pool, uint32_t process, uint32_t server);
  /// The process goes, after this time of service; whoever is served next, or none.
  uint32_t release(ProcessPool &pool, uint32_t server, double served);
  /// Takes the process out of its queue.
  void leave(ProcessPool &pool, uint32_t process);
  /// No uses and no queues; what was counted stays.
  void start();
  void count(uint32_t server, double queued) {
    ++servers[server].uses;
    servers[server].queueing += queued;
  }

private:
  std::vector<Server> servers;
  std::unordered_map<int64_t, uint32_t> byIndex;
  Multiplicities multiplicities;
};

} // namespace quincunx::pamela
