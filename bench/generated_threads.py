#!/usr/bin/env python3
"""Times that `quincunx scale` tells of programs made by chance, beside those of the same programs whose threads sleep.

    bench/generated_threads.py [--seeds A..B] [--threads 2,8,32] [--repetitions 5] [--keep DIR]

bench/thread_programs.py makes them. On seeds 1 to 66 and 1000 to 1019 methods were mended; others are held out. Those with teams of OpenMP are recorded
with two threads and told with the others, those with threads of their own are recorded with each number. Recorded is a program that
works, timed (the least of the repetitions) one that sleeps as long instead, so that two processors are enough for all."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, root + "/bench")
import accuracy  # noqa: E402
import thread_programs  # noqa: E402

quincunx, config = accuracy.quincunx, accuracy.config


def slept(program, threads, repetitions):
    times = []
    for _ in range(repetitions):
        said = subprocess.run([program, str(threads)], check=True, capture_output=True, text=True,
                              env=dict(os.environ, KMP_BLOCKTIME="0")).stdout
        times.append(float(said.split()[1]))
    return min(times)


def judge(seed, folder, o):
    text, has_teams = thread_programs.source(seed)
    source, program, sleeper, corpus = (f"{folder}/p{seed}{end}" for end in (".cpp", "", "-sleeps", ".qx"))
    with open(source, "w") as f:
        f.write(text)
    words = ["-std=c++20", "-O1", "-g", "-pthread", "-fopenmp", source]
    subprocess.run(["clang++-22", "--config=" + config, "-fplugin-arg-quincunx-record=counts,calls,strands", *words, "-o", program], check=True)
    subprocess.run(["clang++-22", *words, "-DSLEEP", "-o", sleeper], check=True)
    if os.path.exists(corpus):
        os.remove(corpus)
    subprocess.run([quincunx, "run", "-q", "-o", corpus, "--repeat", "1", "--threads", "2" if has_teams else o.threads, "--", program, "{threads}"],
                   check=True, stdout=subprocess.DEVNULL)
    asked = subprocess.run([quincunx, "scale", "--unit", "counts", "--json", *(["--threads", o.threads] if has_teams else []), corpus],
                           capture_output=True, text=True)
    forms = text.split("\n", 1)[0].split(": ", 1)[1].rstrip(".")
    if asked.returncode != 0:
        print(f"{seed}\t{forms}\trefused: {asked.stderr.strip()}", flush=True)
        return []
    said = json.loads(asked.stdout)
    for note in said["notes"]:
        if note["kind"] not in ("untested", "single"):
            print(f"# {seed}: {note['kind']}: {note['text']}", flush=True)
    errors = []
    for threads in map(int, o.threads.split(",")):
        run = [r for r in said["runs"] if r["threads"] == threads]
        if not run:
            print(f"{seed}\t{forms}\t{threads}\tnot told", flush=True)
            continue
        truth = slept(sleeper, threads, o.repetitions)
        times = sorted(run[0][k] / o.unit / 1000 for k in ("time", "withJobsAsTaken", "inRecordedOrder"))
        error = run[0]["time"] / o.unit / 1000 / truth - 1
        inside = times[0] * 0.97 <= truth <= times[2] * 1.03
        errors.append((abs(error), inside))
        print(f"{seed}\t{forms}\t{threads}\t{truth:.4f}\t{run[0]['time'] / o.unit / 1000:.4f}\t{100 * error:+.2f}\t{times[0]:.4f} .. {times[2]:.4f}\t"
              f"{'inside' if inside else 'outside'}", flush=True)
    return errors


def unit_of_work(folder):
    """Counts of work(1): what a program costs that only works."""
    text = thread_programs.BEGIN % (0, "work") + 'int main() { work(1000); std::printf("%ld\\n", worked.load()); }\n'
    with open(folder + "/unit.cpp", "w") as f:
        f.write(text)
    subprocess.run(["clang++-22", "--config=" + config, "-std=c++20", "-O1", "-g", folder + "/unit.cpp", "-o", folder + "/unit"], check=True)
    subprocess.run([quincunx, "run", "-q", "-o", folder + "/unit.qx", "--repeat", "1", "--", folder + "/unit"], check=True, stdout=subprocess.DEVNULL)
    said = subprocess.run([quincunx, "report", "--unit", "counts", "--json", folder + "/unit.qx"], check=True, capture_output=True, text=True).stdout
    return json.loads(said)["program"]["mean"] / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="1..20")
    parser.add_argument("--threads", default="2,8,32")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--keep")
    o = parser.parse_args()
    first, last = map(int, o.seeds.split(".."))
    with tempfile.TemporaryDirectory() as scratch:
        folder = o.keep or scratch
        os.makedirs(folder, exist_ok=True)
        o.unit = unit_of_work(scratch)
        print("seed\tforms\tthreads\tslept_s\ttold_s\terror %\tleast and most told_s\ttruth")
        errors = [e for seed in range(first, last + 1) for e in judge(seed, folder, o)]
    sizes = sorted(e for e, _ in errors)
    print(f"# {len(sizes)} times: median error {100 * sizes[len(sizes) // 2]:.1f} %, largest {100 * sizes[-1]:.1f} %, "
          f"{sum(i for _, i in errors)} inside")


if __name__ == "__main__":
    sys.exit(main())
