#!/usr/bin/env python3
"""How well times of single functions are predicted, against a sampler that the prediction does not know.

    bench/functions.py [--series N] [--keep DIR] [NAME...]

For every single-threaded program of corpus/, with the inputs of bench/time.py: 60 inputs, spread evenly over how many instructions were
counted, are timed and sampled (`quincunx run --timed --samples 24000`) and calibrate; self times of functions of the source over the 140 others
are predicted from their counts alone (`quincunx report`). The truth is `perf record -e cpu-clock:u` of the plain program over these 140, at
least 20,000 samples, each counted for the innermost function of its inline frames (llvm-symbolizer); perf and its samples are no part of what predicts.
The clock of perf begins with a process, so each begins with half a millisecond to one and a half of something else (bench/wait.c): else nobody would see the first millisecond of any.

A share is of the time in user mode: predicted times of functions are taken without what the report says is the kernel's (kernelShare). What is judged: functions of the source (instances of a template are one, as in reports) with 3 % or more of the samples. error: |predicted / measured - 1|, in the median and for how many
it is below 25 %. before: the same by a calibration without samples. library: the share of all code that was not counted, measured and predicted.
--series N: N further timings and samplings of the same 60; for functions with 10 % or more of the samples, and for the other judged ones, the median over functions of
the standard deviation of their predicted times relative to their mean, and the largest. Intervals: `sampledSpread` of JSON, normal, with the Poisson noise of the truth.

Programs marked * were never looked at while the method was made, as in bench/time.py. Appends a table to bench/log/DATE-functions.tsv."""
import argparse
import collections
import datetime
import importlib.util
import json
import math
import os
import re
import shlex
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("time_bench", os.path.join(here, "time.py"))
bench = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bench)

samples, truth_samples, frequency = 24000, 24000, 997
symbolizer = next(s for s in ("llvm-symbolizer-22", "llvm-symbolizer") if shutil.which(s))


class Program(bench.Program):
    def flags(self, tag):
        return {"counted": [f"--config={bench.config}", "-g"], "plain": ["-gline-tables-only"], "truth": ["-g"]}[tag]

    def path(self, suffix):
        return os.path.join(self.folder, f"{self.name}-{suffix}")

    def cases(self, inputs):
        """label: line of the table of cases"""
        with open(os.path.join(inputs, "cases.tsv"), encoding="utf-8") as f:
            return {case.split("\t")[0]: case for case in f}

    def count_all(self):
        self.begin(self.corpus)
        counted, inputs = self.build("counted", self.flags("counted"))
        self.count(self.corpus, counted, inputs, "-j", "2")

    def choose(self, unit):
        """Labels that calibrate, and the others."""
        counts = bench.report(self.corpus, "--machine", unit)
        fit = bench.spread(counts, list(counts), 60)
        return fit, [label for label in counts if label not in fit]

    def calibrate(self, fit, suffix):
        """A corpus with times and samples of these inputs, calibrated; and one without the samples."""
        corpus, without = self.path(suffix + ".qx"), self.path(suffix + "-without.qx")
        done = self.path(suffix + ".done")
        if not os.path.exists(done):
            for leftover in (corpus, without):
                self.begin(leftover)
            shutil.copy(self.corpus, corpus)
            plain, inputs = self.build("plain", self.flags("plain"))
            cases = self.cases(inputs)
            with open(os.path.join(inputs, "some.tsv"), "w", encoding="utf-8") as f:
                f.writelines(cases[label] for label in fit)
            self.count(corpus, plain, inputs, "--timed", "--samples", str(samples), cases="some.tsv")
            shutil.copy(corpus, without)
            bench.change(without, "DELETE FROM sample; DELETE FROM sampled; DELETE FROM place")
            open(done, "w").close()
        for one in (corpus, without):
            bench.sh(bench.quincunx, "calibrate", "--json", one)
        return corpus, without

    def user_share(self, corpus):
        with sqlite3.connect(corpus) as db:
            return db.execute("SELECT (SELECT sum(count * interval) FROM sample JOIN sampled ON sampled.id = sampled) / sum(cpu) FROM sampled").fetchone()[0]

    def predict(self, corpus, held):
        """Function of the source: predicted share of all time; its relative standard deviation, where one is said; the share of what is not
        counted; of which function of the source each compiled one is. Over the runs `held` alone."""
        alone = self.path("held.qx")
        self.begin(alone)
        shutil.copy(corpus, alone)
        runs = json.loads(bench.sh(bench.quincunx, "report", "--json", corpus))["perRun"]
        gone = [run["identity"] for run in runs if run["label"] not in held]
        bench.sh(bench.quincunx, "corpus", "rm", alone, *(f"--run={identity}" for identity in gone), stderr=subprocess.DEVNULL)
        document = json.loads(bench.sh(bench.quincunx, "report", "--json", "--all", alone, stderr=subprocess.DEVNULL))
        own, deviation, source = collections.Counter(), collections.Counter(), {}
        heard = 1 - document["kernelShare"]  # samples are of user mode
        for f in document["functions"]:
            key = source[f["name"]] = (f["file"], f["line"]) if f.get("file") else f["name"]
            own[key] += f["share"] * heard
            deviation[key] += f["share"] * heard * f.get("sampledSpread", 0)  # instances have one price
        spread = {key: d / own[key] for key, d in deviation.items() if d > 0}
        return own, spread, sum(f["share"] or 0 for f in document["library"]) * heard, source

    def truth(self, held):
        """Name of a compiled function: samples; samples of other code; all samples."""
        path = self.path("truth.json")
        if not os.path.exists(path):
            measured = self.measure_truth(held)
            with open(path, "w", encoding="utf-8") as f:
                json.dump(measured, f)
        with open(path, encoding="utf-8") as f:
            return json.load(f)

    def measure_truth(self, held):
        program, inputs = self.build("truth", self.flags("truth"))
        cases = self.cases(inputs)
        script, data, wait = self.path("truth.sh"), self.path("perf.data"), self.path("wait")
        subprocess.run(["clang-22", "-O2", "-o", wait, os.path.join(here, "wait.c")], check=True)
        times = self.plain_times(program, inputs, [cases[label] for label in held])
        rounds = math.ceil(truth_samples / (frequency * max(times, 1e-3)))
        with open(script, "w", encoding="utf-8") as f:
            f.write(f"cd {shlex.quote(inputs)}\nfor i in $(seq {rounds}); do\n")
            f.writelines(f"{shlex.quote(wait)} $RANDOM {command(program, cases[label])}" for label in held)
            f.write("done\nexit 0\n")
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock:u", "-F", str(frequency), "-o", data, "--", "bash", script], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return read_samples(data, program)

    def plain_times(self, program, inputs, cases):
        """Seconds in user mode of one round."""
        before = os.times().children_user
        subprocess.run(["sh", "-c", f"cd {shlex.quote(inputs)}\n" + "".join(command(program, case) for case in cases)],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return os.times().children_user - before


def command(program, case):
    """A line of shell for a line of a table of cases: id, standard input or -, arguments, features."""
    _, standard_input, arguments = case.rstrip("\n").split("\t")[:3]
    return f"{shlex.quote(program)} {arguments} <{shlex.quote('/dev/null' if standard_input == '-' else standard_input)} >/dev/null 2>&1\n"


def read_samples(data, program):
    """[name: samples], those of other code, all: of the processes that execute the program."""
    text = bench.sh("perf", "script", "-i", data, "-F", "comm,pid,ip", "--show-mmap-events", stderr=subprocess.DEVNULL)
    mapped, addresses, others, loader, comm = {}, collections.Counter(), 0, 0, os.path.basename(program)[:15]
    header = bench.sh("readelf", "-lW", program)
    loads = [tuple(int(x, 16) for x in m) for m in re.findall(r"^\s+LOAD\s+(0x\w+)\s+(0x\w+)\s+0x\w+\s+(0x\w+)", header, re.M)]
    for line in text.splitlines():
        event = re.search(r"PERF_RECORD_MMAP2? (\d+)/\d+: \[(0x\w+)\((0x\w+)\) @ (\w+) .*: r-xp (\S+)", line)
        if event:
            pid, begin, size, offset, path = event.groups()
            mapped.setdefault(int(pid), []).append((int(begin, 16), int(size, 16), int(offset, 16), path))
            continue
        sample = re.match(r"\s*(\S.*?)\s+(\d+)\s+([0-9a-f]+)\s*$", line)
        if not sample or sample.group(1) != comm:
            continue
        ip = int(sample.group(3), 16)
        where = next((m for m in reversed(mapped.get(int(sample.group(2)), [])) if m[0] <= ip < m[0] + m[1]), None)
        if where and os.path.realpath(where[3]) == os.path.realpath(program):
            offset = ip - where[0] + where[2]
            address = next(offset - o + v for o, v, size in loads if o <= offset < o + size)
            addresses[address] += 1
        elif where and os.path.basename(where[3]).startswith("ld-linux"):
            loader += 1
        else:
            others += 1
    answers = subprocess.run([symbolizer, "--output-style=JSON", "--no-demangle", "--obj", program], input="".join(f"{a:#x}\n" for a in addresses),
                             check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    names = collections.Counter()
    for answer, number in zip(answers, addresses.values()):
        names[json.loads(answer)["Symbol"][0]["FunctionName"]] += number
    return names, others, sum(names.values()) + others + loader


def by_source(measured, source):
    sums = collections.Counter()
    for name, n in measured.items():
        sums[source.get(name, name)] += n
    return sums


def compare(predicted, measured, total, user):
    """(function, measured share, predicted share) of functions with 3 % or more of the samples."""
    return [(key, n / total, predicted.get(key, 0) / user) for key, n in sorted(measured.items(), key=lambda x: -x[1]) if n >= 0.03 * total]


def judge(program, unit, series):
    program.once("counted", program.count_all)
    fit, held = program.choose(unit)
    measured, others, total = program.truth(held)
    corpus, without = program.calibrate(fit, "sampled")
    user = program.user_share(corpus)
    row = {"name": program.name + ("*" if program.name in bench.blind else ""), "samples": total}
    for key, one in (("with", corpus), ("before", without)):
        own, spread, library, source = program.predict(one, held)
        sums = by_source(measured, source)
        row[key] = compare(own, sums, total, user)
        row[key + " covered"] = covered(row[key], spread, sums)
        row[key + " library"] = library / user
    row["library"] = others / total
    row["noise"] = noise(program, fit, held, series, sums, total)
    return row


def covered(judged, spread, measured):
    """Of the functions for which an interval is said: whether it holds, given what is left open by the number of samples of the truth."""
    return [abs(p / m - 1) <= 1.645 * math.hypot(spread[name], 1 / math.sqrt(measured[name])) for name, m, p in judged if name in spread]


def noise(program, fit, held, series, measured, total):
    """Per function that is judged: its share, and the relative deviation of its predicted time over the series."""
    each = [program.predict(program.calibrate(fit, f"series{i}")[0], held)[0] for i in range(series)]
    out = []
    for name, n in measured.items():
        values = [own.get(name, 0) for own in each]
        if n >= 0.03 * total and len(values) > 1 and sum(values) > 0:
            out.append((n / total, statistics.stdev(values) / statistics.mean(values)))
    return out


def errors(judged):
    return [abs(p / m - 1) for _, m, p in judged]


def percent(x, digits=1):
    return f"{100 * x:.{digits}f}"


def deviations(noise, big):
    some = [s for share, s in noise if (share >= 0.1) == big]
    return f"{percent(statistics.median(some))} / {percent(max(some))}" if some else "-"


columns = [("program", lambda r: r["name"]), ("samples", lambda r: str(r["samples"])), ("functions", lambda r: str(len(r["with"]))),
           ("median error", lambda r: percent(statistics.median(errors(r["with"])))), ("below 25 %", lambda r: str(sum(e < 0.25 for e in errors(r["with"])))),
           ("before: median", lambda r: percent(statistics.median(errors(r["before"])))), ("below 25 %", lambda r: str(sum(e < 0.25 for e in errors(r["before"])))),
           ("library", lambda r: percent(r["library"])), ("predicted", lambda r: percent(r["with library"])), ("before", lambda r: percent(r["before library"])),
           ("deviation: large, median / largest", lambda r: deviations(r["noise"], True)), ("others", lambda r: deviations(r["noise"], False))]


def summary(rows, key):
    all_errors = sorted(e for row in rows for e in errors(row[key]))
    return (f"{key}: {len(all_errors)} functions: median error {percent(statistics.median(all_errors))} %, "
            f"{percent(sum(e < 0.25 for e in all_errors) / len(all_errors), 0)} % below 25 %" + coverage(rows, key)) if all_errors else f"{key}: none"


def coverage(rows, key):
    each = [hold for row in rows for hold in row[key + " covered"]]
    return f"; {percent(sum(each) / len(each), 0)} % of {len(each)} intervals of 90 % hold" if each else ""


def instructions(folder):
    """A machine on which every instruction costs 1."""
    path = os.path.join(folder, "instructions.machine")
    with open(path, "w", encoding="utf-8") as f:
        f.write("name instructions\n" + "".join(c + " 1\n" for c in (
            "add multiply divide fadd fmultiply fdivide convert load store atomic branch jump call vector memory other").split()))
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--series", type=int, default=0)
    parser.add_argument("--keep", help="folder for corpora; what is there is not measured again")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="quincunx-functions-")
    os.makedirs(folder, exist_ok=True)
    unit = instructions(folder)
    rows = []
    for name in options.names or bench.scales:
        print(f"functions: {name}: measuring", file=sys.stderr, flush=True)
        rows.append(judge(Program(name, folder, 7), unit, options.series))
        print("  ".join(f"{title} {value(rows[-1])}" for title, value in columns), flush=True)
        for function, measured, predicted in rows[-1]["with"]:
            before = next(p for n, _, p in rows[-1]["before"] if n == function)
            name = function if isinstance(function, str) else f"{os.path.basename(function[0])}:{function[1]}"
            print(f"    {percent(measured):>5} % measured {percent(predicted):>5} % predicted {percent(before):>5} % before  {name[:60]}", flush=True)
    for key in ("with", "before"):
        print(summary(rows, key))
    now = datetime.datetime.now()
    commit = bench.sh("git", "-C", bench.root, "describe", "--always", "--dirty").strip()
    with open(os.path.join(bench.root, "bench/log", now.strftime("%Y-%m-%d-functions.tsv")), "a", encoding="utf-8") as log:
        log.write(f"# {now:%Y-%m-%dT%H:%M} commit {commit}, {bench.processor()}; shares of user time over 140 inputs that calibrated nothing; errors in per cent\n")
        log.write("\t".join(title for title, _ in columns) + "\n")
        for row in rows:
            log.write("\t".join(value(row) for _, value in columns) + "\n")
        log.write("".join(f"# {summary(rows, key)}\n" for key in ("with", "before")))
    if not options.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
