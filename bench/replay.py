#!/usr/bin/env python3
"""Simulated times of recorded threads against threads that sleep (`quincunx replay`), on any number of processors.

    bench/replay.py [--threads 2,8,64,256] [--inputs 2] [--seconds 1] [--repeat 5] [--keep DIR] [--log FILE.tsv] [NAMES...]

Programs are those of bench/scale.py, built with record=counts,calls,strands and run with each number of threads; each run is
written as a program whose threads sleep, slowed down until it takes about so long (no strand of work is then short beside
what a sleep is late), and executed. The error is that of `scale` for a processor for each thread, against the least of the
repetitions. What it judges: who waits for whom, locks, jobs, tasks, and the simulation of that. Not: prices, caches,
processors, which sleeping threads do not need."""
import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

import scale
from scale import inputs


def took(program, times):
    line = subprocess.run([program, str(times)], capture_output=True, text=True, check=True).stdout
    seconds, predicted = re.match(r"took ([0-9.]+) s, predicted ([0-9.]+) s", line).groups()
    return float(seconds), float(predicted)


def judge(name, folder, o):
    command, make = scale.programs[name][1:]
    counted = scale.build(name, folder, "strands", [])
    rng = random.Random("replay " + name)
    made = []
    for i in range(o.inputs):
        made.append(os.path.join(folder, name, f"replay-{i:03d}"))
        with open(made[-1], "wb") as f:
            f.write(inputs.alignments(i, rng, (6, 9), (40, 60)) if make == inputs.alignments else make(i, rng))
    corpus = os.path.join(folder, name, "replay.qx")
    if not os.path.exists(corpus):
        subprocess.run([scale.quincunx, "run", "-q", "-o", corpus, "--threads", o.threads, "--label", "{/}", "--", counted, *command, ":::",
                        *made], check=True, stdout=subprocess.DEVNULL)
    machine = os.path.join(folder, "ns.machine")
    with open(os.path.join(scale.root, "machines/x86-64.machine")) as f, open(machine, "w") as to:
        to.write(re.sub("(?m)^unit .*", "unit ns", f.read()))
    program = os.path.join(folder, name, "replay")
    for threads in o.threads.split(","):
        for path in made:
            label = f"{os.path.basename(path)} threads={threads}"
            with open(program + ".c", "w") as f:
                wrote = subprocess.run([scale.quincunx, "replay", "--machine", machine, corpus, label], stdout=f, stderr=subprocess.PIPE, text=True)
            if wrote.returncode != 0:
                yield [name, threads, label, "", "", "", wrote.stderr.strip()]
                continue
            subprocess.run(["cc", "-O2", "-pthread", program + ".c", "-o", program], check=True)
            predicted = float(re.search(r"predicted = ([-0-9.e+]+);", open(program + ".c").read())[1])
            times = o.seconds / predicted
            before = scale.stolen()
            all_times = sorted(took(program, times)[0] for _ in range(o.repeat))
            yield [name, threads, label, f"{times:.1f}", f"{predicted / all_times[0] - 1:.4f}",
                   f"{predicted / statistics.median(all_times) - 1:.4f}", f"{os.getloadavg()[0]:.1f} {scale.stolen() - before}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", default="2,8,64,256")
    parser.add_argument("--inputs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--keep")
    parser.add_argument("--log", default=os.path.join(scale.root, "bench/log", time.strftime("%Y-%m-%d") + "-replay.tsv"))
    parser.add_argument("names", nargs="*", default=list(scale.programs))
    o = parser.parse_args()
    folder = o.keep or tempfile.mkdtemp(prefix="quincunx-replay-")
    os.makedirs(folder, exist_ok=True)
    for name in o.names:
        for row in judge(name, folder, o):
            print("\t".join(map(str, row)), flush=True)
            isNew = not os.path.exists(o.log)
            with open(o.log, "a") as f:
                if isNew:
                    f.write("# Errors of simulated times against threads that sleep (bench/replay.py).\n")
                    f.write("\t".join(["program", "threads", "run", "slowed", "error-least", "error-median", "load, stolen ticks"]) + "\n")
                f.write("\t".join(map(str, row)) + "\n")


if __name__ == "__main__":
    main()
