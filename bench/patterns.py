#!/usr/bin/env python3
"""Speedups that `quincunx scale` tells of programs with threads, beside those of the same programs whose threads sleep.

    bench/patterns.py [--threads 3,8] [--runs 5] [--repetitions 5] [NAME...]

Fourteen programs (bench/patterns/) with worker pools, executors of graphs, pipelines, mailboxes, caches, logs and barriers as
programs have them, by who knew nothing of how threads are described here. Recorded is a program that works, RUNS times on the
processors that there are, timed (the least of the repetitions) one that sleeps as long instead, so that two processors are
enough for all. Columns: the speedup that was slept, the one that is told (least, median and greatest of the runs), and how far
the median is off in per cent; `~`: it is told as a guess."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, root + "/bench")
import accuracy  # noqa: E402

sources = root + "/bench/patterns"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", default="3,8")
    parser.add_argument("--runs", default="5")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("names", nargs="*", default=sorted(f[:-4] for f in os.listdir(sources) if f.endswith(".cpp")))
    o = parser.parse_args()
    errors = []
    print("program", "threads", "slept", "least", "told", "most", "error %", sep="\t")
    with tempfile.TemporaryDirectory() as folder:
        for name in o.names:
            source, works, sleeps = f"{sources}/{name}.cpp", f"{folder}/{name}", f"{folder}/{name}-sleeps"
            words = ["-std=c++20", "-O2", "-g", "-pthread", source]
            subprocess.run(["clang++-22", "--config=" + accuracy.config, "-fplugin-arg-quincunx-record=counts,calls,strands", *words, "-o", works], check=True)
            subprocess.run(["clang++-22", *words, "-DSLEEP", "-o", sleeps], check=True)
            for threads in o.threads.split(","):
                corpus = f"{folder}/{name}-{threads}.qx"
                subprocess.run([accuracy.quincunx, "run", "-q", "-o", corpus, "--repeat", o.runs, "--", works, threads], check=True, stdout=subprocess.DEVNULL)
                slept = max(float(subprocess.run([sleeps, threads], check=True, capture_output=True, text=True).stdout) for _ in range(o.repetitions))
                scale = [accuracy.quincunx, "scale", "--unit", "counts", corpus]
                runs = json.loads(subprocess.run([*scale, "--json"], check=True, capture_output=True, text=True).stdout)["runs"]
                isGuess = "~" in subprocess.run(scale, check=True, capture_output=True, text=True).stdout.split("\n\n")[1]
                told = sorted(r["alone"] / r["time"] for r in runs)
                errors.append(100 * (statistics.median(told) / slept - 1))
                print(name, threads, f"{slept:.2f}", f"{told[0]:.2f}", f"{'~' if isGuess else ''}{statistics.median(told):.2f}",
                      f"{told[-1]:.2f}", f"{errors[-1]:+.1f}", sep="\t", flush=True)
    sizes = sorted(abs(e) for e in errors)
    print(f"# {len(sizes)} speedups: median error {statistics.median(sizes):.1f} %, {sum(e < 5 for e in sizes)} below 5 %, {sum(e < 10 for e in sizes)} below 10 %")


if __name__ == "__main__":
    main()
