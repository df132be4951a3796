#!/usr/bin/env python3
"""Schedules, tasks and locks of lib/parallel against libomp and pthreads.

    test/judges/schedules.py [--asks N] [--seed N] [--no-sleep]

1. Threads of a team ask libomp for chunks one after the other, in random orders (omp_asks.c), and every answer must be the one
   that lib/parallel gives: no time matters, so stealing is compared as well.
2. Threads whose work is to sleep (omp_sleeps.c) run side by side on any number of processors. The least time of several
   repetitions must be the predicted one: a repetition can only be disturbed into taking longer, so there are more of them until
   one is near enough, and the judge fails when none is. The default dynamic schedule is a race, which may go either way: the
   least and the greatest of 200 simulated times, with jittered starts, must enclose the median (2 % more on each side).

Where sleeps are so late, or the load so high, that no repetition could hit (other builds on the machine), part 2 skips itself and says so. The whole
table, of more threads, is bench/sleep.py's, which has its functions from here."""
import argparse
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
env = dict(os.environ, KMP_BLOCKTIME="0", OMP_DYNAMIC="false")


def output(command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, env=env, **more).stdout


class Sleepers:
    """omp_sleeps, compiled in `folder`, with the costs of one loop; seconds."""

    def __init__(self, folder, build, llvm, count, mean):
        self.program, self.judge = os.path.join(folder, "sleeps"), os.path.join(build, "bin/schedule_judge")
        self.costs, self.naps = os.path.join(folder, "costs"), os.path.join(folder, "naps")
        subprocess.run([f"clang-{llvm}", "-O1", "-fopenmp", "-o", self.program, os.path.join(here, "omp_sleeps.c")], check=True)
        draw = random.Random(7)  # exponential, the last tenth four times dearer
        values = [-mean * math.log(1 - draw.random()) * (4 if i >= count * 9 // 10 else 1) for i in range(count)]
        self.write(self.costs, values)
        self.write(self.naps, [0.0005] * 201)

    @staticmethod
    def write(path, values):
        with open(path, "w") as f:
            f.writelines(f"{v:.9f}\n" for v in values)

    def overhead(self):
        return float(output([self.program, "nap", "1", "1", self.naps]))

    def measured(self, what, threads, repetitions):
        return [float(t) for t in output([self.program, what, str(threads), str(repetitions), self.costs]).split()]

    def predicted(self, what, threads, overhead, replicas=1):
        make = min(self.measured("make", threads, 5)) if what in ("tasks", "depend") else 0
        return sorted(float(t) for t in output([self.judge, "times", what, str(threads), str(overhead), str(make),
                                                str(replicas), self.costs]).split())


def asks(folder, o):
    program = os.path.join(folder, "asks")
    subprocess.run([f"clang-{o.llvm}", "-O1", "-fopenmp", "-o", program, os.path.join(here, "omp_asks.c")], check=True)
    answers = output([program, str(o.seed), str(o.asks)])
    r = subprocess.run([os.path.join(o.build, "bin/schedule_judge"), "asks"], input=answers, capture_output=True, text=True)
    print(r.stdout, end="")
    return "ok" if r.returncode == 0 else "FAIL"


def near(sleepers, what, threads, tolerance, rounds=6):
    """Whether the least time comes near the predicted one, and a line about it."""
    times, error, overhead = [], 1.0, math.inf
    for _ in range(rounds):
        overhead = min(overhead, sleepers.overhead())
        times += sleepers.measured(what, threads, 3)
        error = sleepers.predicted(what, threads, overhead)[0] / min(times) - 1
        if abs(error) <= tolerance:
            break
    return abs(error) <= tolerance, f"{what}, {threads} threads: {100 * error:+.2f} % of {min(times):.4f} s ({len(times)} repetitions)"


def encloses(sleepers, what, threads, rounds=6):
    law, median, overhead = [0.0], 0.0, math.inf
    for _ in range(rounds):
        overhead = min(overhead, sleepers.overhead())
        law = sleepers.predicted(what, threads, overhead, replicas=200)
        median = statistics.median(sleepers.measured(what, threads, 5))
        if 0.98 * law[0] <= median <= 1.02 * law[-1]:
            break
    return (0.98 * law[0] <= median <= 1.02 * law[-1],
            f"{what}, {threads} threads: median {median:.4f} s, simulated {law[0]:.4f} .. {law[-1]:.4f}")


def sleeps(folder, o):
    s = Sleepers(folder, o.build, o.llvm, 240, 0.004)
    late = statistics.median(s.overhead() for _ in range(3))
    load = os.getloadavg()[0]
    if late > 2e-4 or load > 2 * os.cpu_count():
        print(f"skip sleeping threads: sleeps are late by {1e6 * late:.0f} us, the load is {load:.1f}: other work is on this machine")
        return []
    results = []
    for what, threads, tolerance in (("static", 16, .01), ("static4", 16, .01), ("monotonic", 16, .01), ("guided", 32, .01)):
        results.append(near(s, what, threads, tolerance))
    results.append(encloses(s, "dynamic", 16))
    for what in ("tasks", "mutex"):
        results.append(near(s, what, 8, .03))
    return [("ok  " if good else "FAIL") + " " + text for good, text in results]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--asks", type=int, default=3000, help="loops that libomp is asked about (%(default)s)")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--no-sleep", action="store_true", help="part 1 alone")
    o = p.parse_args()
    o.build, o.llvm = os.environ.get("BUILD", os.path.join(root, "build/default")), os.environ.get("LLVM", "22")
    with tempfile.TemporaryDirectory() as folder:
        lines = [asks(folder, o) + "   chunks are those of libomp"]
        if not o.no_sleep:
            lines += sleeps(folder, o)
    print("\n".join(lines))
    failed = sum(line.startswith("FAIL") for line in lines)
    print(f"schedules.py: {len(lines) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
