#!/usr/bin/env python3
"""How well `quincunx whatif 'size(n) = ...'` predicts inputs of another size, inside and outside of the sizes that were run.

    bench/sizes.py [--runs D] [--judge] [NAME...]

For programs that take a size: D runs (4000) of sizes log-uniform from N/4 to N are the profile. Then D runs of each of the
sizes 0.35 N, 0.5 N and 0.8 N (inside), 2 N and 4 N (outside) are really made. Programs are those of examples/ (arguments: a seed
and a size) and of corpus/ (a text of that many characters), compiled at -O2 with the flag; cost units of x86-64.

error | floor: relative error of mean and p99, and the root mean square over bootstrap pairs of what two samples of such a program
would show, the prediction's being as many runs as it stands for (inside), or all of the profile (outside). All of it is held out:
no run of the profile is a run of the truth. A refusal is a result, too: the law did not pass its own check.

Appends the table to bench/log/DATE-sizes.tsv, and its summary: the median over programs and sizes inside of |error| / floor of
p99, and at 2 N how many of the answers are within 3 % (mean) and 6 % (p99) plus the floor. --judge (two programs, 300 runs) writes
no log and fails when a linear program is not predicted at 2 N or a size inside is refused."""
import argparse
import datetime
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

import accuracy

root, quincunx, config = accuracy.root, accuracy.quincunx, accuracy.config
examples = {"vscale": 4000, "ssort": 240, "quicksort": 4000, "cache": 4000}
texts = {"ncompress": 40000, "minigzip": 40000, "bzip2": 40000}
inside, outside = (0.35, 0.5, 0.8), (2, 4)


class Program:
    def __init__(self, name, scratch):
        self.name, self.scratch, self.seed = name, scratch, 0
        self.largest = examples.get(name) or texts[name]
        if name in examples:
            self.program = os.path.join(scratch, name)
            subprocess.run(["clang-22", f"--config={config}", "-O2", "-g", "-std=c11", "-o", self.program,
                            os.path.join(root, "examples", name, name + ".c"), "-lm"], check=True)
            return
        env = dict(os.environ, TAG="sizes", N="1", CC=f"clang-22 --config={config}", CXX=f"clang++-22 --config={config}",
                   QUINCUNX_OUT="")
        for step in ("build", "inputs"):
            subprocess.run([os.path.join(root, "corpus", name + ".sh"), step], env=env, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.program = subprocess.run([os.path.join(root, "corpus", name + ".sh"), "path"], env=env, check=True, text=True,
                                      stdout=subprocess.PIPE).stdout.split("\t")[0]
        self.text = os.path.join(scratch, "text")
        subprocess.run(["clang-22", "-O2", "-o", self.text, os.path.join(root, "examples/compress/text.c"), "-lm"], check=True)

    def case(self, folder, number, size):
        self.seed += 1
        if self.name in examples:
            return f"{number}\t-\t{self.seed} {size}\tn={size}\n"
        with open(os.path.join(folder, f"{number}.txt"), "w") as f:
            subprocess.run([self.text, str(self.seed), str(size)], stdout=f, check=True)
        return f"{number}\t{number}.txt\t-c\tn={size}\n"

    def record(self, what, sizes):
        out, folder = os.path.join(self.scratch, f"{self.name}-{what}.qx"), tempfile.mkdtemp(dir=self.scratch)
        with open(os.path.join(folder, "cases.tsv"), "w") as f:
            f.writelines(self.case(folder, i, s) for i, s in enumerate(sizes))
        env = {k: v for k, v in os.environ.items() if not k.startswith("QUINCUNX_")} | {"QUINCUNX_MACHINE": "none"}
        subprocess.run([quincunx, "run", "-q", "-o", out, "--cases", "cases.tsv", "--", self.program], cwd=folder, env=env,
                       check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(folder)
        return out


def costs(corpus):
    report = subprocess.run([quincunx, "report", "--json", corpus], check=True, text=True, stdout=subprocess.PIPE).stdout
    return [r["cost"] for r in json.loads(report)["perRun"]]


def floor(values, predicting, rounds=1000):
    """Root mean square of the relative error of mean and p99 between two samples."""
    rng, sums = random.Random(1), [0.0, 0.0]
    for _ in range(rounds):
        a, b = accuracy.describe(rng.choices(values, k=predicting)), accuracy.describe(rng.choices(values, k=len(values)))
        for i, s in enumerate((0, 4)):
            sums[i] += accuracy.relative(a[s], b[s]) ** 2 / rounds
    return [math.sqrt(s) for s in sums]


def measure(name, runs, scratch):
    program = Program(name, scratch)
    rng = random.Random(1)
    largest = program.largest
    profile = program.record("profile", [round(largest / 4 * 4 ** rng.random()) for _ in range(runs)])
    rows = []
    for factor in (*inside, *outside):
        size = round(factor * largest)
        done = subprocess.run([quincunx, "whatif", "--json", "--show", "p99", profile, f"size(n) = {size}"], text=True,
                              capture_output=True)
        if done.returncode:
            reason = done.stderr.strip().split("and ", 1)[-1]
            rows.append((name, factor, None, None, None, None, reason))
            print(f"{name:10} {factor:5} N  refused: {reason}", flush=True)
            continue
        answer = json.loads(done.stdout)
        truth = costs(program.record(f"truth-{factor}", [size] * runs))
        is_ = [answer["after"][f]["value"] for f in ("mean", "p99")]
        should = [accuracy.describe(truth)[s] for s in (0, 4)]
        known = runs if factor > 1 else max(2, round(answer["runs"]["equalAfter"]))
        errors, floors = [accuracy.relative(a, b) for a, b in zip(is_, should)], floor(truth, known)
        held = [answer["after"][f]["interval"] for f in ("mean", "p99")]
        within = sum((low is None or low <= b) and (high is None or b <= high) for (low, high), b in zip(held, should))
        law = next((n["text"].split(" as ")[1].split(";")[0] for n in answer["notes"] if n["kind"] == "size-law"), "")
        rows.append((name, factor, *errors, *floors, law))
        print(f"{name:10} {factor:5} N  mean {100 * errors[0]:+.2f} % (floor {100 * floors[0]:.2f})  p99 {100 * errors[1]:+.2f} % "
              f"(floor {100 * floors[1]:.2f})  {within} of 2 in their interval  D {known} + {runs}  {law}", flush=True)
    return rows


def summary(rows):
    ratios = [abs(r[3]) / r[5] for r in rows if r[1] in inside and r[2] is not None and r[5] > 0]
    double = [r for r in rows if r[1] == 2]
    answered = [r for r in double if r[2] is not None]
    good = [r for r in answered if abs(r[2]) <= 0.03 + r[4] and abs(r[3]) <= 0.06 + r[5]]
    return (f"inside: |error| of p99 over floor, median {statistics.median(ratios):.2f} of {len(ratios)}; at 2 N: {len(good)} of "
            f"{len(answered)} answers within 3 % (mean) and 6 % (p99) plus the floor, {len(double) - len(answered)} refused")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=4000)
    options.add_argument("--judge", action="store_true")
    options.add_argument("names", nargs="*")
    o = options.parse_args()
    runs = 300 if o.judge else o.runs
    rows, scratch = [], tempfile.mkdtemp()
    try:
        for name in o.names or (["vscale", "ssort"] if o.judge else [*examples, *texts]):
            rows += measure(name, runs, scratch)
    finally:
        shutil.rmtree(scratch)
    text = summary(rows)
    print(text)
    if o.judge:
        linear = [r for r in rows if r[:2] == ("vscale", 2)]
        return 0 if linear[0][2] is not None and abs(linear[0][2]) < 0.03 and all(r[2] is not None for r in rows if r[1] < 1) else 1
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], text=True, stdout=subprocess.PIPE).stdout.strip()
    with open(os.path.join(root, "bench/log", f"{datetime.date.today()}-sizes.tsv"), "a") as log:
        log.write(f"# commit {commit}, {runs} runs a profile and a truth, machine x86-64; all held out\n# {text}\n"
                  "program\tsize / N\tmean error\tp99 error\tmean floor\tp99 floor\tlaw, or why it was refused\n")
        for name, factor, *cells, why in rows:
            log.write("\t".join([name, str(factor)] + ["-" if c is None else f"{c:.5f}" for c in cells] + [why]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
