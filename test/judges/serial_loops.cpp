// Loops that one thread goes through, of all kinds: serial_loops.sh.
//   serial_loops FORM ITERATIONS
// Iterations take 10 to 80 units; what is done between them is hardly anything beside that.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int n;
std::vector<unsigned> out;

int unitsOf(int i) { return 10 + 7 * (i * 5 % 11); }
__attribute__((noinline)) unsigned grind(int units, unsigned x, int perUnit = 1000) {
  for (int i = 0; i < units * perUnit; ++i)
    x = (x * 1664525u + 1013904223u) ^ (x >> 7);
  return x;
}
void iterate(int i) { out[i] += grind(unitsOf(i), i); }

void counted() {
  for (int i = 0; i < n; ++i) // loop counted
    iterate(i);
}
void skips() {
  for (int i = 0; i < 2 * n; ++i) { // loop skips
    if (i % 2 != 0)
      continue;
    iterate(i / 2);
  }
}
void whiles() {
  int i = 0;
  while (i < n) // loop whiles
    iterate(i++);
}
void doWhile() {
  int i = 0;
  do // loop doWhile
    iterate(i);
  while (++i < n);
}
void ranged() {
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (const int &i : numbers) // loop ranged
    iterate(i);
}
/// Left in the middle of the last iteration.
void breaks() {
  for (int i = 0;; ++i) { // loop breaks
    iterate(i);
    if (i + 1 == n)
      break;
    out[0] += 1;
  }
}
/// Looks in vain for one more.
void topExit() {
  int i = 0;
  while (true) { // loop topExit
    if (i == n)
      break;
    iterate(i++);
  }
}
int returns() {
  for (int i = 0;; ++i) { // loop returns
    iterate(i);
    if (i + 1 == n)
      return i;
  }
}
/// The outer one is asked for, too; what the inner one would tell is within.
void nested() {
  for (int i = 0; i < n; ++i)                            // loop nested
    for (int units = 0; units < unitsOf(i); units += 10) // loop nested
      out[i] += grind(std::min(10, unitsOf(i) - units), i);
}
/// Exceptions that do not leave an iteration.
void catches() {
  for (int i = 0; i < n; ++i) // loop catches
    try {
      iterate(i);
      if (i % 3 == 0)
        throw std::runtime_error("of an iteration");
    } catch (const std::exception &) {
      out[i] += 1;
    }
}
__attribute__((noinline)) void failing(int i) {
  iterate(i);
  if (i + 1 == n)
    throw std::out_of_range("the end");
}
/// Left by an exception, in the middle of the last iteration.
void throws() {
  try {
    for (int i = 0;; ++i) { // loop throws
      failing(i);
      if (i > n)
        failing(n);
    }
  } catch (const std::exception &) {
    out[0] += 1;
  }
}
/// Held for a fifth of each iteration.
void locked() {
  static std::mutex m;
  for (int i = 0; i < n; ++i) { // loop locked
    out[i] += grind(4 * unitsOf(i), i);
    const std::lock_guard<std::mutex> hold(m);
    out[0] += grind(unitsOf(i), i);
  }
}
/// Gone through four times, inlined where it is called.
inline void part(int begin, int end) {
  for (int i = begin; i < end; ++i) // loop parts
    iterate(i);
}
void parts() {
  part(0, n / 4);
  part(n / 4, n / 2);
  for (int p = 2; p < 4; ++p)
    part(p * n / 4, (p + 1) * n / 4);
}
template <class F> void each(int count, F f) {
  for (int i = 0; i < count; ++i) // loop templates
    f(i);
}
void templates() {
  each(n, [](int i) { iterate(i); });
}
/// More iterations than are told one by one.
void many() {
  for (int i = 0; i < 1000 * n; ++i) // loop many
    out[i % n] += grind(1, i, 50);
}

/// Neither loops nor calls in it: what an iteration takes could be added up behind the loop.
void small() {
  static unsigned table[256];
  for (int i = 0; i < 20000 * n; ++i) // loop small
    table[i & 255] = table[i & 255] * 3 + i;
  out[0] += table[7];
}
void smallSkips() {
  for (int i = 0; i < 20000 * n; ++i) { // loop smallSkips
    if ((i & 7) == 0)
      continue;
    out[0] += 1000000u / (i | 1);
  }
}

} // namespace

int main(int, char **argv) {
  n = std::atoi(argv[2]);
  out.resize(n);
  const std::map<std::string, void (*)()> forms{{"counted", counted},
                                                {"skips", skips},
                                                {"whiles", whiles},
                                                {"doWhile", doWhile},
                                                {"ranged", ranged},
                                                {"breaks", breaks},
                                                {"nested", nested},
                                                {"catches", catches},
                                                {"throws", throws},
                                                {"locked", locked},
                                                {"parts", parts},
                                                {"templates", templates},
                                                {"many", many},
                                                {"returns", [] { returns(); }},
                                                {"topExit", topExit},
                                                {"small", small},
                                                {"smallSkips", smallSkips}};
  forms.at(argv[1])();
  std::printf("%u\n", std::accumulate(out.begin(), out.end(), 0u));
}
