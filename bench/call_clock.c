/* Processor time of single calls of the functions that clang was told to instrument with XRay, written at exit to the file that CALL_TIMES names: one line of
 * nanoseconds per call, in the order in which they end. The idea: XRay leaves room for a jump where such a function begins and ends, and nothing else in the code is
 * different from that of the plain program; the clock is the thread's processor time, as that of timed runs is. What an empty call takes is subtracted.
 * Reference: LLVM, "XRay Instrumentation". It knows one thread, of recursion the outermost calls, and ends the program where a call ends in a jump. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern int __xray_set_handler(void (*handler)(int32_t function, int kind));
extern int __xray_patch(void);
extern void __xray_init(void);
enum { entry, leave, jump };

static uint32_t *times; /* of calls, ns */
static size_t number, room;
static long began;
static int depth;

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void keep(long ns) {
  if (number == room && !(times = realloc(times, (room = 2 * room + 4096) * sizeof *times)))
    abort();
  times[number++] = (uint32_t)ns;
}

static void onEvent(int32_t function, int kind) {
  (void)function;
  if (kind == jump)
    abort();
  if (kind == entry && depth++ == 0)
    began = now();
  else if (kind == leave && --depth == 0)
    keep(now() - began);
}

__attribute__((noinline, xray_always_instrument)) static void empty(void) { __asm__ volatile(""); }

/* The median of empty calls. */
static int isLess(const void *a, const void *b) { return (*(uint32_t *)a > *(uint32_t *)b) - (*(uint32_t *)a < *(uint32_t *)b); }
static uint32_t overhead(void) {
  const size_t first = number, calls = 1001;
  for (size_t i = 0; i < calls; ++i)
    empty();
  qsort(times + first, calls, sizeof *times, isLess);
  const uint32_t median = times[first + calls / 2];
  number = first;
  return median;
}

__attribute__((constructor)) static void begin(void) {
  if (!getenv("CALL_TIMES"))
    return;
  __xray_init();
  __xray_set_handler(onEvent);
  __xray_patch();
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("CALL_TIMES");
  FILE *out = path ? fopen(path, "w") : NULL;
  if (!out)
    return;
  depth = 0; /* exit() may have been called within a call */
  const uint32_t none = overhead();
  for (size_t i = 0; i < number; ++i)
    fprintf(out, "%ld\n", (long)times[i] - (long)none);
  fclose(out);
}
