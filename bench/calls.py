#!/usr/bin/env python3
"""How well times of single calls are predicted, against a clock around the call in the plain program; and whether calls in counts are what marked requests are.

    bench/calls.py [--repeat N] [--keep DIR] [NAME...]

For functions of corpus/ whose calls take above 10 us, with the 200 inputs of bench/time.py: all inputs are counted once, timed N times (7) and sampled in the
plain program. 60 inputs, spread evenly over how many instructions were counted, calibrate; of the 140 others the counts alone are known (`quincunx report --per call`).
The truth is a clock around each call (bench/call_clock.c by XRay), in N runs of each input: calls of the run in which they took least together, as times of runs are those of
the quickest. Nothing of that program predicts.

mean, p50, p90, p99: errors of the law of all calls of the 140 inputs. before: the same by a calibration without samples. in 90 %: how many of these four lie in the
intervals of 90 % that the report announces. each least: the errors where the truth is the least of every call by itself, which no run has. redrawn: the same with the 60 drawn by a hash of their names, 20 times: the mean sizes of the errors, and how many intervals hold.
beyond: how many of the 200 inputs had calls that took longer together than the whole run when it was timed: above a few, the machine was too busy for a verdict.
requests: by how much the mean of calls in counts differs from that of the same function marked as a request in a build of its own, and how many of p50, p90 and p99 lie outside of the bucket
that the report says (0 and 0 are right).

Appends a table to bench/log/DATE-calls.tsv."""
import argparse
import datetime
import importlib.util
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("functions_bench", os.path.join(here, "functions.py"))
functions = importlib.util.module_from_spec(spec)
spec.loader.exec_module(functions)
bench = functions.bench

# The function of each program, and a declaration of it that a mark can stand on where it is C.
clocked = {"lame": ("lame_encode_mp3_frame", "int lame_encode_mp3_frame();"),
           "bzip2": ("BZ2_blockSort", "void BZ2_blockSort();"),
           "pugixml": ("_ZNK4pugi11xpath_query17evaluate_node_setERKNS_10xpath_nodeE", None),
           "minigzip": ("deflate", "int deflate();"),
           "sqlite3": ("sqlite3_step", "int sqlite3_step();"),
           "minisat": ("_ZN7Minisat6Solver6searchEi", None), "cjpeg": ("compress_data", None), "ncompress": ("compress", None)}
xray = ("-fxray-instrument", "-fxray-instruction-threshold=1000000000", "-fxray-ignore-loops")
figures = ("mean", "p50", "p90", "p99")
draws = 20


class Program(functions.Program):
    def __init__(self, name, folder, repeat):
        super().__init__(name, folder, repeat)
        self.function, self.declaration = clocked[name]

    def flags(self, tag):
        return {"counted": [f"--config={bench.config}", "-g"], "plain": ["-gline-tables-only"],
                "marked": [f"--config={bench.config}", "-g", "-include", self.path("mark.h")],
                "clock": ["-gline-tables-only", *xray, f"-fxray-attr-list={self.path('clock.list')}"]}[tag]

    def measure_all(self):
        """Counts, times and samples of all inputs."""
        self.begin(self.corpus)
        counted, inputs = self.build("counted", self.flags("counted"))
        self.count(self.corpus, counted, inputs, "-j", "2")
        plain, inputs = self.build("plain", self.flags("plain"))
        while self.samples() < functions.samples:  # it takes a while only, and goes on with what is there
            self.count(self.corpus, plain, inputs, "--timed", "--repeat", str(self.repeat), "--samples", str(functions.samples))

    def samples(self):
        with sqlite3.connect(self.corpus) as db:
            return db.execute("SELECT coalesce(sum(count), 0) FROM sample").fetchone()[0]

    def clock_calls(self):
        """label: seconds of each call, in the repetition with the least of them together; and of each call the least."""
        path = self.path("clock.json")
        if not os.path.exists(path):
            with open(self.path("clock.list"), "w", encoding="utf-8") as f:
                f.write(f"[always]\nfun:{self.function}\n")
            clock = self.path("clock.o")
            subprocess.run(["clang-22", "-O2", *xray, "-c", "-o", clock, os.path.join(here, "call_clock.c")], check=True)
            os.environ["LIBS"] = clock
            program, inputs = self.build("clock", self.flags("clock"))
            del os.environ["LIBS"]
            each = {label: [[] for _ in range(self.repeat)] for label in self.cases(inputs)}
            for turn in range(self.repeat):
                for label, case in self.cases(inputs).items():
                    each[label][turn] = self.clock_once(program, inputs, case)
            with open(path, "w", encoding="utf-8") as f:
                json.dump(each, f)
        with open(path, encoding="utf-8") as f:
            each = json.load(f)
        return ({label: [1e-9 * t for t in min(times, key=sum)] for label, times in each.items()},
                {label: [1e-9 * min(of) for of in zip(*times, strict=True)] for label, times in each.items()})

    def clock_once(self, program, inputs, case):
        times = self.path("times")
        subprocess.run(["sh", "-c", functions.command(program, case)], cwd=inputs, env=dict(os.environ, CALL_TIMES=times, LC_ALL="C", TZ="UTC"))
        with open(times, encoding="utf-8") as f:
            return [int(line) for line in f]

    def calls_of(self, corpus, *options):
        """What the report says of calls of the function."""
        document = json.loads(bench.sh(bench.quincunx, "report", "--json", "--per", "call", *options, corpus, stderr=subprocess.DEVNULL))
        row = next(f for f in document["functions"] if f["name"] == self.function)
        return row, {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}.get(document["unit"], 1)

    def without(self, corpus, labels):
        """A copy of the corpus without the runs of these inputs."""
        path = self.path("held.qx")
        self.begin(path)
        shutil.copy(corpus, path)
        runs = json.loads(bench.sh(bench.quincunx, "report", "--json", "--unit", "counts", corpus, stderr=subprocess.DEVNULL))["perRun"]
        gone = [f"--run={run['identity']}" for run in runs if run["label"] in labels]
        bench.sh(bench.quincunx, "corpus", "rm", path, *gone, stderr=subprocess.DEVNULL)
        return path

    def predict(self, fit, sampled=True):
        """Seconds of a call of the other inputs, and the intervals, of a calibration by `fit`."""
        part = self.part(fit, "part")
        bench.change(part, "DELETE FROM sample WHERE sampled IN (SELECT id FROM sampled WHERE timed NOT IN (SELECT id FROM timed)); "
                           "DELETE FROM sampled WHERE timed NOT IN (SELECT id FROM timed)" if sampled else "DELETE FROM sample; DELETE FROM sampled; DELETE FROM place")
        bench.sh(bench.quincunx, "calibrate", "--json", part, stderr=subprocess.DEVNULL)
        call, unit = self.calls_of(self.without(part, fit))
        return ({"mean": call["mean"] * unit} | {p: call[p]["value"] * unit for p in figures[1:]},
                {"mean": [x * unit for x in call["meanInterval"]]} | {p: [x * unit for x in call[p]["interval"]] for p in figures[1:]} if "meanInterval" in call else {f: [0, 0] for f in figures})

    def requests(self):
        """The relative difference of means, and how many percentiles lie outside of what the report of calls says."""
        if not self.declaration:
            return None
        with open(self.path("mark.h"), "w", encoding="utf-8") as f:
            f.write(f'__attribute__((annotate("quincunx::request"))) {self.declaration}\n')
        corpus = self.path("marked.qx")

        def count():
            self.begin(corpus)
            self.count(corpus, *self.build("marked", self.flags("marked")), "-j", "2")
        self.once("marked", count)
        marked = json.loads(bench.sh(bench.quincunx, "report", "--json", "--per", "request", "--unit", "counts", corpus, stderr=subprocess.DEVNULL))
        call = self.calls_of(corpus, "--unit", "counts")[0]
        outside = sum(not call[p]["bucket"][0] <= marked["program"][p]["value"] <= call[p]["bucket"][1] for p in figures[1:])
        assert call["calls"] == marked["requests"]["ended"], "calls and requests are as many"
        return call["mean"] / marked["program"]["mean"] - 1, outside


def truth_of(times, labels):
    calls = [t for label in labels for t in times[label]]
    return {"mean": statistics.mean(calls)} | {p: bench.reported(calls, int(p[1:]) / 100) for p in figures[1:]}, len(calls)


def judge(program, unit):
    program.once("measured", program.measure_all)
    times, least = program.clock_calls()
    counts = bench.report(program.corpus, "--machine", unit)
    fit = bench.spread(counts, list(counts), 60)

    def compare(fit, sampled=True, times=times):
        truth = truth_of(times, [label for label in counts if label not in fit])[0]
        predicted, within = program.predict(fit, sampled)
        return {f: predicted[f] / truth[f] - 1 for f in figures}, sum(within[f][0] <= truth[f] <= within[f][1] for f in figures)

    row = {"name": program.name + ("*" if program.name in bench.blind else ""), "function": program.function}
    truth, row["calls"] = truth_of(times, [label for label in counts if label not in fit])
    row["us"] = 1e6 * truth["mean"]
    row["errors"], row["inside"] = compare(fit)
    row["each least"] = compare(fit, times=least)[0]
    row["before"] = compare(fit, False)[0]
    drawn = [compare(bench.by_hash(counts, f"{program.name} {i}")[:60]) for i in range(draws)]
    row["redrawn"] = {f: statistics.mean(abs(e[f]) for e, _ in drawn) for f in figures}
    row["redrawn inside"] = sum(inside for _, inside in drawn) / (len(figures) * draws)
    row["beyond"] = sum(sum(times[label]) > whole[0] for label, whole in program.times().items())
    row["requests"] = program.requests()
    return row


def all_errors(errors):
    return " / ".join(f"{100 * errors[f]:+.1f}" for f in figures)


columns = [("program", lambda r: r["name"]), ("function", lambda r: r["function"]), ("calls", lambda r: str(r["calls"])), ("us", lambda r: f"{r['us']:.1f}"),
           ("mean / p50 / p90 / p99", lambda r: all_errors(r["errors"])), ("in 90 %", lambda r: f"{r['inside']} of {len(figures)}"),
           ("each least", lambda r: all_errors(r["each least"])),
           ("before", lambda r: all_errors(r["before"])), ("redrawn", lambda r: all_errors(r["redrawn"])),
           ("in 90 %", lambda r: f"{100 * r['redrawn inside']:.0f}"),
           ("beyond", lambda r: str(r["beyond"])),
           ("requests", lambda r: f"{r['requests'][0]:.1g} / {r['requests'][1]}" if r["requests"] else "-")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--keep", help="folder for corpora; what is there is not measured again")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="quincunx-calls-")
    os.makedirs(folder, exist_ok=True)
    unit = functions.instructions(folder)
    rows = []
    for name in options.names or clocked:
        print(f"calls: {name}: measuring", file=sys.stderr, flush=True)
        rows.append(judge(Program(name, folder, options.repeat), unit))
        print("  ".join(f"{title} {value(rows[-1])}" for title, value in columns), flush=True)
    now = datetime.datetime.now()
    commit = bench.sh("git", "-C", bench.root, "describe", "--always", "--dirty").strip()
    with open(os.path.join(bench.root, "bench/log", now.strftime("%Y-%m-%d-calls.tsv")), "a", encoding="utf-8") as log:
        log.write(f"# {now:%Y-%m-%dT%H:%M} commit {commit}, {bench.processor()}, {options.repeat} repetitions; errors in per cent, of inputs that calibrated nothing\n")
        log.write("\t".join(title for title, _ in columns) + "\n")
        for row in rows:
            log.write("\t".join(value(row) for _, value in columns) + "\n")
    if not options.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
