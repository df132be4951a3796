// record=calls where functions end in jumps to others: the cost of a call goes on in what its
// function jumps to. Judged by the same program with calls in place of all jumps, function by
// function: as many calls, each with the same cost.
// RUN: for o in 1 2 s; do for m in "" -fPIC; do %clangxx -O$o $m -fplugin-arg-quincunx-record=calls,blocks -fverify-intermediate-code -pthread %s -o %t && %clangxx -O$o $m -fplugin-arg-quincunx-record=calls,blocks -DCALLS -fno-optimize-sibling-calls -pthread %s -o %t.calls && python3 %S/../judges/calls.py --quincunx %quincunx --root main --same %t.calls %t $(seq 0 40) || exit 1; done; done
// Where all is called, or nothing but what must be jumped to is.
// RUN: for o in "-O0" "-O0 -DCALLS" "-O2 -DCALLS"; do %clangxx $o -fplugin-arg-quincunx-record=calls,blocks -fverify-intermediate-code -pthread %s -o %t && python3 %S/../judges/calls.py --quincunx %quincunx --root main %t $(seq 0 40) || exit 1; done
// Each in a thread of its own.
// RUN: %clangxx -O2 -DTHREADS -fplugin-arg-quincunx-record=calls,blocks -pthread %s -o %t && %clangxx -O2 -DTHREADS -DCALLS -fno-optimize-sibling-calls -fplugin-arg-quincunx-record=calls,blocks -pthread %s -o %t.calls && python3 %S/../judges/calls.py --quincunx %quincunx --same %t.calls %t $(seq 0 40)
// Ten million jumps need no stack, with 64 kB of it.
// RUN: for o in 0 2; do %clangxx -O$o -fplugin-arg-quincunx-record=calls -pthread %s -o %t && (ulimit -s 64 && QUINCUNX_OUT= %t deep) || exit 1; done
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#define ALONE __attribute__((noinline))
#ifdef CALLS
#define JUMP return
#else
#define JUMP [[clang::musttail]] return
#endif

namespace {

volatile unsigned sink, compared;

ALONE unsigned counted(unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; ++i)
    s += i * sink % 7 + 1;
  return s;
}

// Forwards, and forwards what forwards.
struct Box {
  unsigned n;
  ALONE unsigned size() const { return counted(n); }
  ALONE unsigned forward() const { return size(); }
  ALONE unsigned twice() const { return n % 2 == 0 ? forward() : counted(n / 2); }
};

// Small enough to have no histogram of its own.
ALONE unsigned tiny(unsigned n) { return n + sink; }
ALONE unsigned toTiny(unsigned n) { return tiny(n * 3); }

// From behind a loop, and after calls that hand over calls of their own.
ALONE unsigned afterLoop(unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; ++i)
    s += Box{i}.twice();
  return counted(s % 50);
}

// One after the other, as states of a machine; and by pointer.
using State = unsigned(const char *, unsigned);
ALONE unsigned addState(const char *, unsigned);
ALONE unsigned loopState(const char *, unsigned);
ALONE unsigned endState(const char *, unsigned s) { return s; }
ALONE unsigned callState(const char *, unsigned);
State *volatile const states[] = {addState, loopState, callState};
unsigned addState(const char *at, unsigned s) {
  if (*at == 0)
    JUMP endState(at, s);
  JUMP states[(unsigned char)*at % 3](at + 1, s + *at);
}
unsigned loopState(const char *at, unsigned s) {
  s += counted(s % 20);
  if (*at == 0)
    JUMP endState(at, s);
  JUMP states[(unsigned char)*at % 3](at + 1, s);
}
// Another machine in between, which runs the same states.
unsigned callState(const char *at, unsigned s) {
  s += addState(at + std::strlen(at) / 2 + 1, s);
  if (*at == 0)
    JUMP endState(at, s);
  JUMP states[(unsigned char)*at % 3](at + 1, s);
}
ALONE unsigned machine(unsigned n) {
  char text[64] = {};
  for (unsigned i = 0; i < n % 30; ++i)
    text[i] = static_cast<char>('a' + (i * n + i * i) % 26);
  return addState(text, n);
}

ALONE unsigned pong(unsigned n, unsigned s);
ALONE unsigned ping(unsigned n, unsigned s) {
  if (n == 0)
    return s;
  JUMP pong(n - 1, s + counted(n % 4));
}
unsigned pong(unsigned n, unsigned s) {
  if (n == 0)
    return s + 1;
  JUMP ping(n - 1, s * 3);
}

// Whoever is not counted calls back.
ALONE int compare(const void *a, const void *b) {
  compared = compared + 1;
  const int x = *static_cast<const int *>(a), y = *static_cast<const int *>(b);
  return x < y ? -1 : x > y;
}
ALONE unsigned sorted(unsigned n) {
  int all[32];
  for (unsigned i = 0; i < 32; ++i)
    all[i] = static_cast<int>(i * n % 31);
  std::qsort(all, 32, sizeof *all, compare);
  return static_cast<unsigned>(all[n % 32]);
}

// Arguments without number.
ALONE unsigned sum(unsigned n, va_list all) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; ++i)
    s += va_arg(all, unsigned);
  return s + counted(s % 9);
}
ALONE unsigned variadic(unsigned n, ...) {
  va_list all;
  va_start(all, n);
  const unsigned s = sum(n, all);
  va_end(all);
  return s;
}
ALONE unsigned toVariadic(unsigned n, unsigned m) { return variadic(3, n, m, n); }

struct Base {
  virtual ~Base() = default;
  virtual unsigned run(unsigned n) { return counted(n); }
};
struct Side {
  virtual ~Side() = default;
  virtual unsigned turn(unsigned n) { return n; }
  unsigned more = 1;
};
struct Both : Base, Side { // turn() by Side is a thunk
  unsigned turn(unsigned n) override { return run(n + more); }
};
ALONE unsigned throughThunk(Side &s, unsigned n) { return s.turn(n); }

ALONE unsigned work(unsigned n) {
  Both both;
  switch (n % 10) {
  case 0: return Box{n * 8}.twice();
  case 1: return toTiny(n) + afterLoop(n);
  case 2: return machine(n) + afterLoop(n % 5);
  case 3: return ping(n, 1);
  case 4: return Box{n}.forward() + machine(n);
  case 5: return sorted(n) + toTiny(n);
  case 6: return toVariadic(n, n + 1) + ping(n * 3, 2);
  case 7: return throughThunk(both, n);
  case 8: return machine(n) + machine(n + 1);
  default: return afterLoop(n);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "deep") == 0)
    return ping(10000000, 1) == 0;
  unsigned s = 0;
  for (int i = 1; i < argc; ++i) {
    const auto n = static_cast<unsigned>(std::atoi(argv[i]));
#ifdef THREADS
    std::thread([&] { s += work(n); }).join();
#else
    s += work(n);
#endif
  }
  std::printf("%u\n", s);
  return 0;
}
