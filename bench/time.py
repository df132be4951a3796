#!/usr/bin/env python3
"""How well times of the plain program are predicted from counts and a calibration.

    bench/time.py [--repeat N] [--predictor] [--keep DIR] [NAME...]

For every single-threaded program of corpus/, with 200 inputs that are enlarged until the median takes 5 ms or so: all inputs are
counted once by the instrumented program, and timed N times (7) in the plain one (`quincunx run --timed`). 60 inputs, spread evenly over how
many instructions were counted, calibrate; the times of the 140 others are removed from the corpus and predicted from their counts alone
(`quincunx calibrate`, `report`). A time is the least processor time of the repetitions.

median, p90: of |predicted / measured - 1| over the 140. p50, p90, p99: errors of the percentiles of the predicted distribution:
each prediction times each residual that cross-validation of the 60 left; beside the floor: what the two halves of the repetitions
differ by. paired: the same percentiles of the predictions alone, as one sample beside the other. in 90 %: how many lie in the interval that `calibrate` states. CV: the median error that it states, from the 60.
redrawn: the same with the 60 drawn by a hash of their names, 20 times: means of the median, of how many lie in 90 %, and of the sizes of the errors of p50, p90 and p99.
One choice of 60 and 140 tells a coverage of 90 % within 9 points only (twice the root of 0.09 / 60 + 0.09 / 140); the mean of 20 tells more.

Rivals, fitted to the same 60 by least squares of relative errors, with an intercept: `instructions`: one factor for all instructions
that were counted; `costs`: one factor for LLVM's throughputs; `size`: a power of what is known of the input before it runs (its bytes, or any
number that corpus/ says of it, and any of eight powers: what fits the 60 best). `retired`: one factor (a CPI) for the instructions that the plain
program executed, libraries included, as `perf stat` would count them; here valgrind does. `mca`: one factor for the cycles that llvm-mca gives to the basic blocks
of the machine code, times how often they were executed (both: bench/machine_code.py; without valgrind and llvm-mca-22 they are `-`). `machine`: prices from
micro-benchmarks alone (quincunx calibrate --machine), no timed run; `machine + 5`: the same, calibrated with 5 of the 60, which are
spread evenly over their predictions. `off`: what the
140 take in the middle over what the machine alone says; at the end, how far programs are off, and how many lie where the others would have said.

--predictor: inputs are counted a second time, with record=counts,predictor, which takes 40 times as long as the program: 30, chosen by a hash of
their names, of those with less than four times the median of instructions. Their misses are carried to all inputs (calibrate --miss-rates-from): `carried` with the 60, `machine, misses` and `off, misses` without any time, and
`misses + 5` with 5. For some, all inputs are counted so: `predictor` is the median error when these counts are calibrated with the times of the same 60.

Besides: `cache` and `chase` of examples/, a sort whose references go through a simulated cache, and a walk along a random cycle
that fits into a cache or does not; with --predictor only, as counts alone cannot tell how far memory is, and with the errors of the
mean and of p99 that they have then.

Programs marked * were never looked at while the method was made: those with the smallest SHA-256 of their names.
Appends a table to bench/log/DATE-time.tsv."""
import argparse
import datetime
import hashlib
import json
import math
import os
import platform
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

import machine_code

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.environ.get("BUILD", os.path.join(root, "build/default"))
quincunx, config = os.path.join(build, "bin/quincunx"), os.path.join(build, "lib/quincunx/quincunx.cfg")
# How much larger inputs are than those of corpus/. Larger ones of pugixml would take minutes: some of its queries are quadratic.
scales = {"ncompress": 8, "pcre2grep": 16, "qconvex": 6, "minisat": 1.35, "pugixml": 4, "mujs": 4, "lame": 4, "lua": 6, "jq": 1,
          "cjpeg": 2.5, "bzip2": 1, "minigzip": 4, "sqlite3": 4}
examples = ("cache", "chase")
draws = 20
all_simulated = ("ncompress", "qconvex", *examples)
blind = sorted(scales, key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:4]


def sh(*words, **more):
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE, **more).stdout


class Program:
    def __init__(self, name, folder, repeat):
        self.name, self.folder, self.repeat = name, folder, repeat
        self.corpus, self.simulated, self.misses = (os.path.join(folder, name + end) for end in (".qx", "-simulated.qx", "-misses.qx"))

    def script(self, step, tag, compiler=()):
        env = dict(os.environ, TAG=tag, N="200", SEED="1", SCALE=str(scales[self.name]), QUINCUNX_OUT="", **dict(compiler))
        return subprocess.run(["sh", os.path.join(root, "corpus", self.name + ".sh"), step], env=env, check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def build(self, tag, flags):
        """Program and folder with its cases."""
        if self.name in examples:
            return self.build_example(tag, flags)
        compiler = {"CC": " ".join(["clang-22", *flags]), "CXX": " ".join(["clang++-22", *flags])}
        self.script("build", tag, compiler)
        self.script("inputs", tag)
        return self.script("path", tag).strip().split("\t")

    def build_example(self, tag, flags):
        program, inputs = os.path.join(self.folder, f"{self.name}-{tag}"), os.path.join(self.folder, self.name + "-inputs")
        subprocess.run(["clang-22", *flags, "-O2", "-g", "-std=c11", "-o", program,
                        os.path.join(root, "examples", self.name, self.name + ".c")], check=True)
        os.makedirs(inputs, exist_ok=True)
        draw = random.Random(self.name)
        with open(os.path.join(inputs, "cases.tsv"), "w", encoding="utf-8") as f:
            for i in range(200):
                n = int(math.exp(draw.uniform(math.log(2000), math.log(1000000 if self.name == "chase" else 100000))))
                steps = f" {draw.randint(500000, 4000000)}" if self.name == "chase" else ""
                f.write(f"{i:04d}\t-\t{i + 1} {n}{steps}\tn={n}\n")
        return program, inputs

    def count(self, corpus, program, inputs, *options, cases="cases.tsv"):
        env = {k: v for k, v in os.environ.items() if not k.startswith("QUINCUNX_")} | {"LC_ALL": "C", "TZ": "UTC", "QUINCUNX_MACHINE": "none"}
        subprocess.run([quincunx, "run", "-q", *options, "-o", corpus, "--cases", cases, "--", program], cwd=inputs,
                       env=env, check=True, stdout=subprocess.DEVNULL)

    def once(self, what, work):
        """Does `work` unless an earlier run with --keep finished it."""
        done = os.path.join(self.folder, f"{self.name}-{what}.done")
        if not os.path.exists(done):
            work()
            open(done, "w").close()

    def begin(self, corpus):
        for leftover in (corpus, corpus + "-wal", corpus + "-shm"):
            if os.path.exists(leftover):
                os.remove(leftover)

    def measure(self):
        self.begin(self.corpus)
        counted, inputs = self.build("time", [f"--config={config}"])
        self.count(self.corpus, counted, inputs, "-j", "2")
        plain, inputs = self.build("plain", [])
        self.count(self.corpus, plain, inputs, "--timed", "--repeat", str(self.repeat))

    def build_simulated(self):
        return self.build("simulated", [f"--config={config}", "-fplugin-arg-quincunx-record=counts,predictor"])

    def simulate_some(self, labels):
        """A corpus with counts of the tier `predictor` of these inputs."""
        program, inputs = self.build_simulated()
        self.begin(self.misses)
        some = os.path.join(inputs, "some.tsv")
        with open(os.path.join(inputs, "cases.tsv"), encoding="utf-8") as cases, open(some, "w", encoding="utf-8") as f:
            f.writelines(case for case in cases if case.split("\t")[0] in labels)
        self.count(self.misses, program, inputs, "-j", "2", cases="some.tsv")

    def simulate(self):
        """The corpus with counts of the tier `predictor`, and the same times."""
        program, inputs = self.build_simulated()
        self.begin(self.simulated)
        self.count(self.simulated, program, inputs, "-j", "2")
        change(self.simulated, f"ATTACH '{self.corpus}' AS other;" + ";".join(
            f"INSERT INTO {table} SELECT * FROM other.{table}" for table in ("timed_program", "timed", "repetition", "start_up")))

    def machine_code(self):
        """Instructions and cycles of the plain program: where bench/machine_code.py wrote them."""
        path = os.path.join(self.folder, self.name + "-machine-code.tsv")
        self.once("machine-code", lambda: machine_code.measure(*self.build("plain", []), path))
        return path

    def times(self):
        """label: least seconds of all repetitions, of odd rounds, of even rounds."""
        out = {}
        with sqlite3.connect(self.corpus) as db:
            for label, turn, cpu in db.execute("SELECT label, round, user + system FROM repetition JOIN timed ON id = timed"):
                all_three = out.setdefault(label, [math.inf] * 3)
                for which in (0, 1 + turn % 2):
                    all_three[which] = min(all_three[which], cpu)
        return out

    def part(self, keep, suffix, corpus=None):
        """A copy of a corpus with the times of these inputs only."""
        path = os.path.join(self.folder, f"{self.name}-{suffix}.qx")
        shutil.copy(corpus or self.corpus, path)
        kept = ",".join("'" + label.replace("'", "''") + "'" for label in keep)
        others = f"(SELECT id FROM timed WHERE label NOT IN ({kept}))"
        change(path, f"DELETE FROM repetition WHERE timed IN {others}; DELETE FROM timed WHERE id IN {others}")
        return path


def change(corpus, sql):
    """Of a corpus every page has a checksum, which SQLite alone does not write."""
    subprocess.run([os.path.join(os.path.dirname(quincunx), "corpus_sql"), corpus, sql], check=True)


def by_hash(labels, name):
    return sorted(labels, key=lambda label: hashlib.sha256(f"{name} {label}".encode()).hexdigest())


def spread(cost, labels, number):
    """So many of the labels, evenly over the order of their costs, with both ends."""
    order = sorted(labels, key=lambda label: (cost[label], label))
    return [order[round(i * (len(order) - 1) / (number - 1))] for i in range(number)]


def report(corpus, *options):
    """label: seconds, or cost."""
    document = json.loads(sh(quincunx, "report", "--json", *options, corpus))
    factor = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}.get(document["unit"], 1)
    return {run["label"]: run["cost"] * factor for run in document["perRun"]}


def quantile(values, p):
    values = sorted(values)
    at = p * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def reported(values, p):
    """The percentile as reports define it: the smallest value that a share p does not exceed."""
    values = sorted(values)
    return values[max(0, math.ceil(p * len(values) - 1e-9) - 1)]


def errors(predicted, times, labels):
    each = [abs(predicted[label] / times[label][0] - 1) for label in labels]
    return statistics.median(each), quantile(each, 0.9)


def percentile_errors(predicted, residuals, times, labels):
    law = [predicted[label] * r for label in labels for r in residuals]
    return [reported(law, p) / reported([times[label][0] for label in labels], p) - 1 for p in (0.5, 0.9, 0.99)]


def floors(times, labels):
    return [abs(reported([times[label][1] for label in labels], p) / reported([times[label][2] for label in labels], p) - 1)
            for p in (0.5, 0.9, 0.99)]


def line(x, times, fit):
    """a x + b, by least squares of relative errors; a and b not below 0."""
    xs, ones = [x[l] / times[l][0] for l in fit], [1 / times[l][0] for l in fit]
    xx, x1, oo = sum(a * a for a in xs), sum(a * b for a, b in zip(xs, ones)), sum(b * b for b in ones)
    sx, so, determinant = sum(xs), sum(ones), 0
    determinant = xx * oo - x1 * x1
    a, b = ((sx * oo - so * x1) / determinant, (so * xx - sx * x1) / determinant) if determinant > 0 else (sx / xx, 0)
    if b < 0:
        a, b = sx / xx, 0
    if a < 0:
        a, b = 0, so / oo
    return {label: a * value + b for label, value in x.items()}


def by_size(features, times, fit):
    best = None
    for values in features:
        for power in (0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3):
            predicted = line({label: value ** power for label, value in values.items()}, times, fit)
            error = sum((predicted[l] / times[l][0] - 1) ** 2 for l in fit)
            if best is None or error < best[0]:
                best = error, predicted
    return best[1] if best else None


def features_of(corpus, labels):
    """label: value, for every number that is known of all inputs."""
    with sqlite3.connect(corpus) as db:
        all_of = {}
        for label, name, value in db.execute("SELECT label, name, value FROM run JOIN feature ON run.id = feature.run"):
            if value and value > 0:
                all_of.setdefault(name, {})[label] = value
    return [values for values in all_of.values() if all(label in values for label in labels)]


def calibrated(program, keep, suffix, corpus=None, *options):
    """Predictions of a corpus calibrated with the times of these inputs, what calibrate said, and residuals: measured / predicted."""
    part = program.part(set(keep), suffix, corpus)
    stated = json.loads(sh(quincunx, "calibrate", "--json", *options, part))
    return report(part), stated, [i["measured"] / i["predicted"] for i in stated.get("inputs", ())]


def redrawn(program, times, labels):
    """Means over several choices of the calibrating inputs: median error, share in 90 %, sizes of the errors of p50, p90 and p99."""
    each = []
    for draw in range(draws):
        fit = by_hash(labels, f"{program.name} {draw}")[:60]
        held = [label for label in labels if label not in fit]
        predicted, stated, residuals = calibrated(program, fit, "redrawn")
        low, high = stated["residual"]["interval"]
        each.append((errors(predicted, times, held)[0], sum(low <= times[l][0] / predicted[l] <= high for l in held) / len(held),
                     *(abs(e) for e in percentile_errors(predicted, residuals, times, held))))
    return [statistics.mean(of) for of in zip(*each)]


def judge(program, machine, plain_machine, simulated):
    times = program.times()
    counts = report(program.corpus, "--machine", plain_machine)
    labels = [label for label in counts if label in times]
    fit = spread(counts, labels, 60)
    held = [label for label in labels if label not in fit]
    predicted, stated, residuals = calibrated(program, fit, "60")
    low, high = stated["residual"]["interval"]
    row = {"name": program.name + ("*" if program.name in blind else ""), "inputs": len(held),
           "ms": 1e3 * statistics.median(times[l][0] for l in labels)}
    row["median"], row["p90"] = errors(predicted, times, held)
    row["e50"], row["e90"], row["e99"] = percentile_errors(predicted, residuals, times, held)
    row["f50"], row["f90"], row["f99"] = floors(times, held)
    row["paired"] = percentile_errors(predicted, [1], times, held)
    row["inside"] = sum(low <= times[l][0] / predicted[l] <= high for l in held) / len(held)
    row["cv"], row["noise"] = stated["error"]["median"], stated["noise"]
    row["redrawn"] = redrawn(program, times, labels)

    def judge_machine(suffix, *more):
        alone = calibrated(program, [], "0" + suffix, None, "--guess", machine, *more)[0]
        some = calibrated(program, spread(alone, fit, 5), "5" + suffix, None, "--guess", machine, *more)[0]
        return errors(alone, times, held)[0], statistics.median(times[l][0] / alone[l] for l in held), errors(some, times, held)[0]

    row["machine"], row["off"], row["five"] = judge_machine("")
    row["carried"] = row["machine 2"] = row["off 2"] = row["five 2"] = math.nan
    row["predictor"] = row["mean2"] = row["p99 2"] = math.nan
    if simulated:
        middle = statistics.median(counts[l] for l in labels)
        some = by_hash([l for l in labels if counts[l] < 4 * middle], program.name)[:30]
        program.once("misses", lambda: program.simulate_some(set(some)))
        row["carried"] = errors(calibrated(program, fit, "60-misses", None, "--miss-rates-from", program.misses)[0], times, held)[0]
        row["machine 2"], row["off 2"], row["five 2"] = judge_machine("-misses", "--miss-rates-from", program.misses)
    if simulated and program.name in all_simulated:
        program.once("simulated", program.simulate)
        known, _, left = calibrated(program, fit, "60-simulated", program.simulated)
        row["predictor"] = errors(known, times, held)[0]
        row["mean2"] = sum(known[l] for l in held) / sum(times[l][0] for l in held) - 1
        row["p99 2"] = percentile_errors(known, left, times, held)[2]
    costs = report(program.corpus, "--units", "counts")
    row["instructions"] = errors(line(counts, times, fit), times, held)[0]
    row["costs"] = errors(line(costs, times, fit), times, held)[0]
    row["retired"] = row["mca"] = math.nan
    if program.name not in examples and not machine_code.missing():
        retired, cycles, note = machine_code.read(program.machine_code())
        print(f"time: {program.name}: {note}", file=sys.stderr, flush=True)
        some, others = ([label for label in part if label in retired] for part in (fit, held))
        row["retired"] = errors(line(retired, times, some), times, others)[0]
        row["mca"] = errors(line(cycles, times, some), times, others)[0]
    sized = by_size(features_of(program.corpus, labels), times, fit)
    row["size"] = errors(sized, times, held)[0] if sized else math.nan
    return row


def left_out(rows, key):
    """What the other programs would have told of how far one may be off: a factor with 90 %, and how many keep it."""
    off = [math.log(row[key]) for row in rows if not math.isnan(row[key])]
    if len(off) < 3:
        return None
    inside = 0
    for i, x in enumerate(off):
        others = off[:i] + off[i + 1:]
        inside += abs(x) <= 1.645 * math.sqrt(sum(o * o for o in others) / len(others))
    deviation = math.sqrt(sum(x * x for x in off) / len(off))
    return (f"{key}: deviation of logarithms {deviation:.2f}; of {len(off)} programs {inside} lie within the 90 % that the others tell; "
            f"median error {100 * statistics.median(row['machine' + key[3:]] for row in rows if not math.isnan(row[key])):.0f} %, "
            f"with five timed inputs {100 * statistics.median(row['five' + key[3:]] for row in rows if not math.isnan(row[key])):.1f} %")


def percent(x, digits=1):
    return "-" if math.isnan(x) else f"{100 * x:.{digits}f}"


columns = [("program", lambda r: r["name"]), ("ms", lambda r: f"{r['ms']:.1f}"), ("noise", lambda r: percent(r["noise"])),
           ("median", lambda r: percent(r["median"])), ("p90", lambda r: percent(r["p90"])), ("CV", lambda r: percent(r["cv"])),
           ("p50", lambda r: percent(r["e50"])), ("floor", lambda r: percent(r["f50"])),
           ("p90 ", lambda r: percent(r["e90"])), ("floor ", lambda r: percent(r["f90"])),
           ("p99", lambda r: percent(r["e99"])), ("floor  ", lambda r: percent(r["f99"])),
           ("paired", lambda r: " / ".join(percent(x) for x in r["paired"])), ("predictor", lambda r: percent(r["predictor"])), ("mean", lambda r: percent(r["mean2"])),
           ("p99 ", lambda r: percent(r["p99 2"])), ("in 90 %", lambda r: percent(r["inside"], 0)), ("redrawn: median", lambda r: percent(r["redrawn"][0])), ("in 90 %", lambda r: percent(r["redrawn"][1], 0)),
           ("p50 / p90 / p99", lambda r: " / ".join(percent(x) for x in r["redrawn"][2:])), ("instructions", lambda r: percent(r["instructions"])),
           ("costs", lambda r: percent(r["costs"])), ("retired", lambda r: percent(r["retired"])), ("mca", lambda r: percent(r["mca"])), ("size", lambda r: percent(r["size"])),
           ("machine", lambda r: percent(r["machine"])), ("off", lambda r: f"{r['off']:.2f}"), ("machine + 5", lambda r: percent(r["five"])), ("carried", lambda r: percent(r["carried"])),
           ("machine, misses", lambda r: percent(r["machine 2"])), ("off, misses", lambda r: f"{r['off 2']:.2f}"), ("misses + 5", lambda r: percent(r["five 2"]))]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        return next((l.split(":", 1)[1].strip() for l in info if l.startswith("model name")), platform.machine())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--predictor", action="store_true")
    parser.add_argument("--keep", help="folder for corpora; what is there is not measured again")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="quincunx-time-")
    os.makedirs(folder, exist_ok=True)
    machine, unit = os.path.join(folder, "here.machine"), os.path.join(folder, "instructions.machine")
    with open(unit, "w", encoding="utf-8") as f:
        f.write("name instructions\n" + "".join(c + " 1\n" for c in (
            "add multiply divide fadd fmultiply fdivide convert load store atomic branch jump call vector memory other").split()))
    if machine_code.missing():
        print(f"time: no `retired` and `mca`, as these are not installed: {', '.join(machine_code.missing())}", file=sys.stderr)
    rows = []
    for name in options.names or [*scales, *(examples if options.predictor else ())]:
        print(f"time: {name}: measuring", file=sys.stderr, flush=True)
        program = Program(name, folder, options.repeat)
        program.once("measured", program.measure)
        if not os.path.exists(machine):
            sh(quincunx, "calibrate", "--machine", "-o", machine, stderr=subprocess.DEVNULL)
        rows.append(judge(program, machine, unit, options.predictor))
        print("  ".join(f"{title.strip()} {value(rows[-1])}" for title, value in columns), flush=True)
    commit = sh("git", "-C", root, "describe", "--always", "--dirty").strip()
    now = datetime.datetime.now()
    with open(os.path.join(root, "bench/log", now.strftime("%Y-%m-%d-time.tsv")), "a", encoding="utf-8") as log:
        log.write(f"# {now:%Y-%m-%dT%H:%M} commit {commit}, {processor()}, {options.repeat} repetitions; errors in per cent\n")
        log.write("\t".join(title.strip() for title, _ in columns) + "\n")
        for row in rows:
            log.write("\t".join(value(row) for _, value in columns) + "\n")
        for said in (left_out([r for r in rows if r["name"] not in examples], key) for key in ("off", "off 2")):
            if said:
                print(said)
                log.write(f"# {said}\n")
    if not options.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
