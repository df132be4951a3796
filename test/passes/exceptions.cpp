// Exceptions: caught here, passing through a frame with and without a cleanup, rethrown.
// RUN: %clangxx -O2 %blocks %s -o %t && record %t && judged %t --exact
// RUN: %clangxx -O0 %blocks %s -o %t && record %t && judged %t --exact
// RUN: python3 %S/../judges/same_means.py --quincunx %quincunx %t.qx
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

__attribute__((noinline)) int thrower(int i) {
  if (i % 3 == 0)
    throw std::runtime_error("three");
  if (i % 7 == 0)
    throw i;
  return i;
}
__attribute__((noinline)) int plainFrame(int i) { return thrower(i) + 1; }
__attribute__((noinline)) int cleanupFrame(int i) {
  std::vector<std::string> held(static_cast<size_t>(i % 4 + 1), "held");
  int r = plainFrame(i);
  for (auto &s : held)
    r += static_cast<int>(s.size());
  return r;
}
__attribute__((noinline)) int rethrower(int i) {
  try {
    return cleanupFrame(i);
  } catch (int) {
    if (i % 2)
      throw;
    return -1;
  }
}
int main() {
  int sum = 0;
  for (int i = 0; i < 200; ++i)
    try {
      sum += rethrower(i);
    } catch (const std::exception &e) {
      sum += static_cast<int>(std::string(e.what()).size());
    } catch (...) {
      sum -= 1;
    }
  std::printf("%d\n", sum);
}
