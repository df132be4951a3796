// Jumps from one image to another and back: the cost goes on. A library that is closed while calls
// of it are open loses these, and those that were handed to them.
// RUN: %clangxx -O2 -fPIC -shared -DLIBRARY %s -o %t.so && %clangxx -O2 %s -o %t -ldl && rm -f %t.qx && %quincunx run -q -o %t.qx -- %t {} ::: %t.so && %quincunx report --per call --top 0 --json %t.qx > %t.json && python3 %S/jumps_images.py < %t.json
#include <cstdio>
#include <dlfcn.h>

extern "C" {
#define ALONE __attribute__((noinline, visibility("default")))
extern volatile unsigned zero;
using Step = unsigned(unsigned);
ALONE unsigned counted(unsigned n);

#ifdef LIBRARY

volatile unsigned zero;
ALONE unsigned counted(unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; ++i)
    s += i * zero % 7 + 1;
  return s;
}
ALONE unsigned library(unsigned n) { return counted(n); }
ALONE unsigned thereAndBack(unsigned n, Step *back) { return back(n + 1); }
ALONE unsigned closing(void *self, unsigned (*closes)(void *)) { return closes(self); }

#else

static unsigned (*toCounted)(unsigned), (*toLibrary)(unsigned);
static unsigned (*there)(unsigned, Step *);
static unsigned (*toClosing)(void *, unsigned (*)(void *));

ALONE unsigned program(unsigned n) { return toLibrary(n); }
ALONE unsigned toAndFro(unsigned n) { return there(n, program); }
ALONE unsigned closes(void *library) {
  dlclose(library);
  volatile unsigned n = 0;
  for (unsigned i = 0; i < 100; ++i)
    n = n + i;
  return n;
}
ALONE unsigned toClose(void *library) { return toClosing(library, closes); }

}
int main(int, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr)
    return 1;
  toCounted = reinterpret_cast<Step *>(dlsym(library, "counted"));
  toLibrary = reinterpret_cast<Step *>(dlsym(library, "library"));
  there = reinterpret_cast<decltype(there)>(dlsym(library, "thereAndBack"));
  toClosing = reinterpret_cast<decltype(toClosing)>(dlsym(library, "closing"));
  unsigned s = 0;
  for (unsigned i = 0; i < 10; ++i)
    s += program(100) + toAndFro(100) + toCounted(50);
  std::printf("%u %u\n", s, toClose(library));
  return 0;
}
extern "C" {

#endif
}
