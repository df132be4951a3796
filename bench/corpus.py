#!/usr/bin/env python3
"""What a large corpus costs: bytes per counter and run on disk, time and memory of `quincunx report`.

    bench/corpus.py [--runs N] [--counters N] [--rounds N]

Writes two made-up corpora (bench/make_corpus.cpp): counts related to the size of an input, as those of programs are, and
unrelated ones up to 2^40. Reports the median wall and processor time over the rounds and the peak memory. Appends a dated
table to bench/log; passes or fails on nothing.
"""
import argparse
import datetime
import os
import resource
import statistics
import subprocess
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.join(root, "build/default")


def report(corpus):
    """Wall seconds, processor seconds and peak megabytes of one report."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    child = subprocess.Popen([os.path.join(build, "bin/quincunx"), "report", corpus], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0, "quincunx report failed"
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=10000)
    options.add_argument("--counters", type=int, default=5000)
    options.add_argument("--rounds", type=int, default=5)
    o = options.parse_args()
    subprocess.run(["cmake", "--preset", "default", "-DQUINCUNX_BENCH=ON"], cwd=root, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build, "--target", "make_corpus", "quincunx"], check=True, stdout=subprocess.DEVNULL)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=root, check=True, text=True,
                            stdout=subprocess.PIPE).stdout.strip()
    functions = (o.counters + 2) // 3
    rows = []
    for kind in "related", "unrelated":
        with tempfile.TemporaryDirectory() as folder:
            corpus = os.path.join(folder, "large.qx")
            start = time.perf_counter()
            subprocess.run([os.path.join(build, "bench/make_corpus"), corpus, str(functions), str(o.runs), kind], check=True)
            written = time.perf_counter() - start
            rounds = [report(corpus) for _ in range(o.rounds)]
            per_counter = os.path.getsize(corpus) / (functions * 3 * o.runs)
        wall, cpu, memory = (statistics.median(column) for column in zip(*rounds))
        rows.append(f"{kind}\t{o.runs}\t{functions * 3}\t{per_counter:.2f}\t{written:.1f}\t{wall:.2f}\t{cpu:.2f}\t{memory:.0f}")
        print(rows[-1], flush=True)
    path = os.path.join(root, "bench/log", f"{datetime.date.today()}-corpus.tsv")
    with open(path, "a") as log:
        log.write(f"# commit {commit}, {os.cpu_count()} cores, median of {o.rounds} reports\n"
                  "counts\truns\tcounters\tbytes per counter and run\twriting s\treport wall s\treport processor s\tpeak MB\n"
                  + "\n".join(rows) + "\n")
    print("appended to", os.path.relpath(path, root))


if __name__ == "__main__":
    main()
