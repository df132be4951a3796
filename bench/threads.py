#!/usr/bin/env python3
"""What counting costs a program of which all threads call the same functions all the time: 1 to 64 threads, plain and in
variants of prices.py.

    bench/threads.py [--variants counts,calls] [--rounds 15] [--log FILE.tsv] [THREADS...]

Every thread does the same work, which does not touch what others do, so the plain program only waits for processors;
what costs more with threads than without them is our doing. CPU time and wall time over those of the plain program with as
many threads, rounds paired and interleaved (prices.py). Appends a line for each number of threads and variant to
bench/log/DATE-threads.tsv. No time passes or fails anything."""
import os
import sys
import tempfile

import prices

source = """
#include <pthread.h>
#include <stdlib.h>
__attribute__((noinline)) static unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
__attribute__((noinline)) static unsigned some(unsigned x, unsigned n) {
  for (unsigned i = 0; i != n; ++i)
    if ((x = tick(x + i)) % 5 == 0)
      x += i;
  return x;
}
static void *work(void *argument) {
  unsigned x = (unsigned)(size_t)argument;
  for (unsigned i = 0; i != 40000; ++i)
    x = some(x, i % 16);
  return (void *)(size_t)x;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1;
  pthread_t t[64];
  for (int i = 0; i < n; ++i)
    pthread_create(&t[i], NULL, work, (void *)(size_t)i);
  for (int i = 0; i < n; ++i)
    pthread_join(t[i], NULL);
  return 0;
}
"""


def main():
    counts = [str(n) for n in (1, 2, 4, 8, 16, 64)]
    parser = prices.options(__doc__, counts, 15)
    parser.set_defaults(variants="counts,calls")
    o = prices.parse(parser, counts)
    log = prices.Log(o, "threads", "What counting costs when threads call the same functions (bench/threads.py): ratios of "
                     "user + system CPU time and of wall time, median and 90 % interval of paired rounds.",
                     f"{o.rounds} rounds", ["threads", "variant", *prices.interval_columns("time"),
                                            *prices.interval_columns("wall")])
    with tempfile.TemporaryDirectory() as scratch:
        at = lambda name: os.path.join(scratch, name)
        with open(at("t.c"), "w") as f:
            f.write(source)
        env = dict(os.environ, QUINCUNX_OUT=at("records/"), LLVM_PROFILE_FILE=at("%p.profraw"), GCOV_PREFIX=at("gcov"))
        os.mkdir(at("records"))
        for v, flags in o.flags.items():
            prices.shell([f"clang-{o.llvm}", *flags.split(), "-O2", "-pthread", "-o", at(v), at("t.c")])
        for n in o.names:
            rounds = prices.paired(o.flags, o.rounds, lambda v: prices.run([at(v), n], env))
            times = [{v: r[v][0].user + r[v][0].system for v in r} for r in rounds]
            walls = [{v: r[v][0].wall for v in r} for r in rounds]
            for v in o.flags:
                log.put({"threads": n, "variant": v, **prices.intervals("time", times, v),
                         **prices.intervals("wall", walls, v)})
    return 1 if log.end() else 0


if __name__ == "__main__":
    sys.exit(main())
