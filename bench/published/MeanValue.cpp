// Clients that each compute for a while and then queue for one server: the mean time of a cycle in
// a closed network, client by client. Reference: Gautama's thesis (6.10), (6.11), table 6.2. Means
// only, and exact only for exponential times.
#include "Published.h"

namespace quincunx::published {

// R(0) = 0, R(n+1) = [1 + n R(n)/(local + R(n))] service; the cycle is R(P) + local
double meanValueCycle(int clients, double local, double service) {
  double R = 0;
  for (int n = 0; n < clients; ++n)
    R = (1 + n * R / (local + R)) * service;
  return R + local;
}

double meanValueCycleAsPrinted(int clients, double local, double service) {
  double R = 0;
  for (int n = 0; n < clients; ++n)
    R = (1 + clients * R / (local + R)) * service;
  return R + local;
}

} // namespace quincunx::published
