#!/usr/bin/env python3
"""How well one half of a corpus predicts the other: the accuracy table of the README.

    bench/accuracy.py [--runs N] [--markdown] [NAME...]

For every program of corpus/ (built with the flag at -O2): N cases, each run once. The cases with even numbers are the
profile; the odd ones are held out and play the user's future. `quincunx report` on the profile is the prediction, `quincunx
report` on the held-out half the truth (both in cost units of x86-64, so no clock is involved).

Held-out error: (prediction - truth) / truth. Floor: what a perfect estimator that sees as many runs would show for the same
comparison: the root mean square of that error over 2000 pairs of bootstrap samples of N/2 runs each, drawn from all N runs.
In-sample: the report against the very runs it was made from; for mean, deviation and quantiles this is an identity (0), which
test/judges/judge.py checks, and says nothing about prediction.

Appends a dated table to bench/log. Seeded; it passes or fails on nothing.
"""
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile

import prices

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
quincunx = os.path.join(root, "build/default/bin/quincunx")
config = os.path.join(root, "build/default/lib/quincunx/quincunx.cfg")
statistics = ["mean", "sd", "p50", "p90", "p99"]


def corpus_script(name, step, runs):
    env = dict(os.environ, TAG="qx", N=str(runs), CC=f"clang-22 --config={config}", CXX=f"clang++-22 --config={config}",
               QUINCUNX_OUT="")
    return subprocess.run([os.path.join(root, "corpus", name + ".sh"), step], env=env, check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def profile(program, folder, cases, out):
    """Runs the cases once and returns the report."""
    table = os.path.join(folder, f"cases-{os.path.basename(out)}.tsv")
    with open(table, "w") as f:
        f.writelines(cases)
    env = {k: v for k, v in os.environ.items() if not k.startswith("QUINCUNX_")} | {"OMP_NUM_THREADS": "2", "QUINCUNX_MACHINE": "none"}
    subprocess.run([quincunx, "run", "--quiet", "-o", out, "--timeout", "300", "--cases", table, "--", program], env=env,
                   check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads(subprocess.run([quincunx, "report", "--json", out], check=True, text=True,
                                     stdout=subprocess.PIPE).stdout)


def quantile(ordered, p):
    """Smallest t with F(t) >= p."""
    n = len(ordered)
    return ordered[min(n - 1, max(0, -int(-p * n // 1) - 1))]


def describe(values):
    ordered = sorted(values)
    n = len(ordered)
    mean = sum(ordered) / n
    return [mean, (sum((x - mean) ** 2 for x in ordered) / n) ** 0.5] + [quantile(ordered, p) for p in (0.5, 0.9, 0.99)]


def value(report, statistic):
    v = report["program"][statistic]
    return v["value"] if isinstance(v, dict) else v


def relative(a, b):
    return (a - b) / b if b else 0.0


def floor(values, half):
    rng = random.Random(1)
    sums = [0.0] * len(statistics)
    rounds = 2000
    for _ in range(rounds):
        a, b = describe(rng.choices(values, k=half)), describe(rng.choices(values, k=half))
        for i, (x, y) in enumerate(zip(a, b)):
            sums[i] += relative(x, y) ** 2
    return [(s / rounds) ** 0.5 for s in sums]


def measure(name, runs):
    corpus_script(name, "build", runs)
    corpus_script(name, "inputs", runs)
    program, folder = corpus_script(name, "path", runs).strip().split("\t")
    with open(os.path.join(folder, "cases.tsv")) as f:
        cases = f.readlines()
    with tempfile.TemporaryDirectory() as scratch:
        known = profile(program, folder, cases[0::2], os.path.join(scratch, "even.qx"))
        future = profile(program, folder, cases[1::2], os.path.join(scratch, "odd.qx"))
    values = [r["cost"] for r in known["perRun"] + future["perRun"]]
    errors = [relative(value(known, s), value(future, s)) for s in statistics]
    return errors, floor(values, len(values) // 2), known["runs"]["used"], future["runs"]["used"]


def main(arguments):
    runs, markdown, names = 400, False, []
    while arguments:
        word = arguments.pop(0)
        if word == "--runs":
            runs = int(arguments.pop(0))
        elif word == "--markdown":
            markdown = True
        elif word.startswith("-"):
            print(__doc__, file=sys.stderr)
            return 2
        else:
            names.append(word)
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], text=True, stdout=subprocess.PIPE).stdout.strip()
    os.makedirs(os.path.join(root, "bench/log"), exist_ok=True)
    log = os.path.join(root, "bench/log", f"{datetime.date.today()}-accuracy.tsv")
    rows = []
    for name in names or prices.programs():
        errors, floors, used, held = measure(name, runs)
        rows.append((name, errors, floors, used, held))
        text = "  ".join(f"{s} {100 * e:+.1f} % ({100 * f:.1f})" for s, e, f in zip(statistics, errors, floors))
        print(f"{name}: D {used} + {held}  {text}", flush=True)
    with open(log, "a") as f:
        f.write(f"# commit {commit}, held-out error and sampling floor, machine x86-64\n")
        f.write("program\tprofiled\theld out\t" + "\t".join(f"{s} error\t{s} floor\t{s} ratio" for s in statistics) + "\n")
        for name, errors, floors, used, held in rows:
            cells = [f"{e:.5f}\t{b:.5f}\t{abs(e) / b if b else 0:.2f}" for e, b in zip(errors, floors)]
            f.write(f"{name}\t{used}\t{held}\t" + "\t".join(cells) + "\n")
    if markdown:
        print("\n| program | D | in-sample | " + " | ".join(f"{s} held-out (floor)" for s in statistics) + " |")
        print("|---|---|---|" + "---|" * len(statistics))
        for name, errors, floors, used, held in rows:
            cells = [f"{100 * e:+.1f} % ({100 * b:.1f})" for e, b in zip(errors, floors)]
            print(f"| {name} | {used} + {held} | 0 | " + " | ".join(cells) + " |")
    ratios = [abs(e) / b for _, errors, floors, _, _ in rows for e, b in zip(errors, floors) if b]
    if ratios:
        rms = (sum(r * r for r in ratios) / len(ratios)) ** 0.5
        print(f"held-out error over floor: rms {rms:.2f} over {len(ratios)} figures, worst {max(ratios):.2f} (1 is a perfect estimator)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
