#!/usr/bin/env python3
"""Repeats the experiments of Gautama's thesis on the programs of examples/, and prints them beside its figures.

    bench/thesis.py [--runs D] [--jobs N] [--check] [NAME...]

D data sets (2000) are the profile and as many others are held out; NAME: workloads of thesis_facts.py, "figures" or
"synthetic" (default: all). Programs are compiled at -O0, so that every branch of the source is a branch, with
record=counts,runs: without calls, as measured ones would take the place of models that they refute.

T is the number of true outcomes of a branch in a run, or the cost of the run. Error of a model: (4.16), |Var[T] - its
variance| / Var[T], of the profile that it is fitted to. Ours is the law of the observed counts: in-sample it must be
exact; held-out is its error on the other data sets, and z that error as a difference of logarithms over its standard
error, sqrt((kurtosis - 1)(1/D + 1/D)). Floor: the root mean square error of a perfect estimator from as many runs
(bootstrap over both halves).

--check: 150 runs of two workloads and checks that can fail, for scripts/test; nothing is logged. Otherwise the tables
are also appended to bench/log/DATE-thesis.tsv. Seeded: the same tables for the same D on any machine."""
import datetime
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import thesis_facts as facts
import thesis_figures as figures

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.environ.get("BUILD", os.path.join(root, "build/default"))
quincunx = os.path.join(build, "bin/quincunx")
branch_models = ["empirical", "bernoulli", "renewal", "thesis", "bernoulli-per-run", "renewal-per-run", "observed"]
program_models = ["bernoulli", "renewal", "empirical", "renewal --published-method", "bernoulli --per-run", "renewal --per-run"]


titles = {"bernoulli": "Bernoulli", "renewal": "ARP", "thesis": "(4.14)", "bernoulli-per-run": "Bernoulli per run",
          "renewal-per-run": "ARP per run", "renewal --published-method": "`--published-method`",
          "bernoulli --per-run": "Bernoulli per run", "renewal --per-run": "ARP per run"}


class Bench:
    """Builds examples and keeps corpora in a scratch folder."""

    def __init__(self, folder, runs, jobs):
        self.folder, self.runs, self.jobs = folder, runs, jobs

    def shell(self, command, **more):
        env = {k: v for k, v in os.environ.items() if not k.startswith("QUINCUNX_")} | {"QUINCUNX_MACHINE": "none"}
        done = subprocess.run(command, cwd=self.folder, env=env, text=True, capture_output=True, **more)
        if done.returncode != 0:
            sys.exit(f"bench/{os.path.basename(sys.argv[0])}: {' '.join(command[:6])}...: {done.stderr.strip()[-2000:]}")
        return done.stdout

    def source(self, example):
        """The source of an example, and what it is compiled with."""
        if example != "compress":
            return os.path.join(root, "examples", example, example + ".c"), ["-std=c11"]
        work = os.path.join(self.folder, "corpus")
        subprocess.run([os.path.join(root, "corpus/ncompress.sh"), "fetch"], env=dict(os.environ, QC_WORK=work),
                       check=True, stdout=subprocess.DEVNULL)
        flags = "-w -DBITS=12 -DNOFUNCDEF -DUTIME_H -DLSTAT -D_GNU_SOURCE -include unistd.h -include string.h"
        return os.path.join(work, "ncompress/src-ncompress/compress42.c"), flags.split()

    def built(self, example):
        program = os.path.join(self.folder, example)
        if not os.path.exists(program):
            source, flags = self.source(example)
            config = os.path.join(build, "lib/quincunx/quincunx.cfg")
            record = "-fplugin-arg-quincunx-record=counts,runs"
            self.shell(["clang-22", f"--config={config}", record, "-O0", "-g", *flags, "-o", program, source, "-lm"])
        return program

    def inputs(self, example, seeds):
        """Words for the command line, one a run: the seed, or for compress the text that it makes."""
        if example != "compress":
            return [str(s) for s in seeds]
        text = os.path.join(self.folder, "text")
        self.shell(["clang-22", "-O2", "-o", text, os.path.join(root, "examples/compress/text.c"), "-lm"])
        names = []
        for s in seeds:
            names.append(os.path.join(self.folder, f"{s}.txt"))
            with open(names[-1], "w") as f:
                subprocess.run([text, str(s)], stdout=f, check=True)
        return names

    def corpus(self, example, arguments, seeds):
        program = self.built(example)
        path = os.path.join(self.folder, "-".join([example, *arguments, str(seeds[0])]).replace("/", "_") + ".qx")
        if not os.path.exists(path):
            words = ["-c", "-b", "12", "{}"] if example == "compress" else ["{}", *arguments]
            run = [quincunx, "run", "-q", "-j", str(self.jobs), "-o", path, "--label", "{/}", "--", program, *words]
            self.shell([*run, ":::", *self.inputs(example, seeds)], errors="replace")
        return path

    def pair(self, example, arguments):
        """Profile and held-out corpus."""
        return (self.corpus(example, arguments, range(1, self.runs + 1)),
                self.corpus(example, arguments, range(self.runs + 1, 2 * self.runs + 1)))

    def places(self, example):
        """(file, line) of every marker."""
        if example == "compress":
            return self.compress_places()
        found = {}
        for folder in (example, "quicksort") if example == "cache" else (example,):
            for name in sorted(os.listdir(os.path.join(root, "examples", folder))):
                for number, line in enumerate(open(os.path.join(root, "examples", folder, name)), 1):
                    marked = re.search(r"// (b\d+)$", line)
                    if marked:
                        found.setdefault(marked[1], (name, number))
        return found

    def compress_places(self):
        path, _ = self.source("compress")
        found, wanted, started = {}, list(facts.compress_branches.items()), False
        for number, line in enumerate(open(path, errors="replace"), 1):
            started = started or facts.compress_from in line
            if started and wanted and wanted[0][1] in line:
                found[wanted.pop(0)[0]] = (os.path.basename(path), number)
        return found

    def each(self, path, place):
        """(evaluations, trues) of every run, by label."""
        lines = self.shell([os.path.join(build, "bin/branch_table"), "--each", path]).splitlines()
        fields = (line.split("\t") for line in lines)
        return {f[4]: (int(f[5]), int(f[6])) for f in fields if (f[1], int(f[2])) == place}

    def table(self, profile, held):
        """{(file, line): {what: (mean, variance, skewness, kurtosis), or why not}}."""
        result = {}
        for line in self.shell([os.path.join(build, "bin/branch_table"), profile, held]).splitlines():
            _, file, number, column, what, *values = line.split("\t")
            row = result.setdefault((file, int(number)), {"column": column})
            if row["column"] == column:  # of `a || b` the first
                row[what] = values[1] if values[0] == "-" else tuple(float(v) for v in values)
        return result


def error(model, true):
    """(4.16) in per cent; None where it does not exist."""
    return None if isinstance(model, str) or true[1] == 0 else 100 * abs(model[1] - true[1]) / true[1]


def z(profile, held, runs):
    """Of the held-out variance; None where either is constant."""
    if profile[1] <= 0 or held[1] <= 0:
        return None
    kurtosis = (profile[3] + held[3]) / 2
    return math.log(held[1] / profile[1]) / math.sqrt((kurtosis - 1) * 2 / runs)


def short(x):
    if x is None:
        return "-"
    return "0" if x < 5e-10 else f"{x:.0f}" if x >= 9.95 else f"{x:.2g}"


def grid(title, names, rows):
    """A table for people that is Markdown; none without rows."""
    if not rows:
        return
    print(f"\n{title}\n\n| " + " | ".join(names) + " |\n|" + "---|" * len(names))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def differences(model, true):
    return "-" if isinstance(model, str) else f"{short(abs(model[2] - true[2]))} / {short(abs(model[3] - true[3]))}"


class Table:
    """Rows of one kind: variances, and skewness with kurtosis."""

    def __init__(self, models, runs):
        self.models, self.runs, self.rows = models, runs, []

    def add(self, name, row):
        true, held = row["trues"], row["held"]
        self.rows.append({"name": name, "true": true, "held": held, "floor": row["floor"],
                          "models": {m: row[m] for m in self.models}, "z": z(true, held, self.runs),
                          "errors": {m: error(row[m], true) for m in self.models}})

    def headings(self):
        return [titles.get(m, m) for m in self.models[:-1]]

    def variances(self, title, published=None):
        names = ["row", "Var[T]", *self.headings(), "ours: in-sample", "held-out", "z", "floor", "D"]
        rows = []
        for r in self.rows:
            known = (published or {}).get(r["name"])
            cells = [r["name"], f"{r['true'][1]:.3g}" + (f" ({known[0]:.3g})" if known else "")]
            for i, m in enumerate(self.models[:-1]):
                cells.append(short(r["errors"][m]) + (f" ({known[1 + i]:g})" if known and i < 3 else ""))
            outside = error(r["true"], r["held"])
            cells += [short(r["errors"]["observed"]), short(outside), "-" if r["z"] is None else f"{r['z']:+.1f}",
                      short(100 * r["floor"][1]) if outside is not None else "-", f"{self.runs} + {self.runs}"]
            rows.append(cells)
        grid(title, names, rows)
        self.summary()

    def shapes(self, title):
        names = ["row", "Skw, Kur of T", *self.headings(), "ours: in-sample", "held-out", "floor", "D"]
        rows = [[r["name"], f"{r['true'][2]:.2f}, {r['true'][3]:.2f}",
                 *(differences(r["models"][m], r["true"]) for m in self.models), differences(r["true"], r["held"]),
                 f"{r['floor'][2]:.2g} / {r['floor'][3]:.2g}", f"{self.runs} + {self.runs}"]
                for r in self.rows if r["true"][1] > 0]
        grid(title, names, rows)

    def summary(self):
        scores = [(abs(r["z"]), r["name"]) for r in self.rows if r["z"] is not None]
        if scores:
            rms = math.sqrt(sum(s * s for s, _ in scores) / len(scores))
            worst = max(scores)
            print(f"\nz of ours, held-out: rms {rms:.2f} over {len(scores)} rows, worst {worst[0]:.1f} ({worst[1]}); "
                  f"heavy-tailed, named beforehand: {', '.join(facts.heavy)}")

    def lines(self, kind):
        for r in self.rows:
            yield "\t".join([kind, r["name"], str(self.runs), *(f"{v:.8g}" for v in [*r["true"], *r["held"]]),
                             "-" if r["z"] is None else f"{r['z']:.3f}", f"{r['floor'][1]:.5g}",
                             *(short(r["errors"][m]) for m in self.models)])


def moments(values):
    mean = sum(values) / len(values)
    mu = [sum((v - mean) ** r for v in values) / len(values) for r in (2, 3, 4)]
    return (mean, mu[0], mu[1] / mu[0] ** 1.5, mu[2] / mu[0] ** 2) if mu[0] > 0 else (mean, 0, 0, 3)


def cumulants_to_moments(k):
    return (k[0], k[1], k[2] / k[1] ** 1.5, k[3] / k[1] ** 2 + 3) if k[1] > 0 else (k[0], 0, 0, 3)


def whole(bench, profile, held, machine):
    """The row of a program's cost: models of main beside what runs cost."""
    costs, report = [], None
    for path in (profile, held):
        r = json.loads(bench.shell([quincunx, "report", "--json", "--machine", machine, path]))
        costs.append([run["cost"] for run in r["perRun"]])
        report = report or r["program"]
    row = {"trues": moments(costs[0]), "held": moments(costs[1]),
           "observed": tuple(report[s] for s in ("mean", "variance", "skewness", "kurtosis"))}
    for words in program_models:
        model = ["model", "--json", "--machine", machine, "--branch", *words.split()]
        j = json.loads(bench.shell([quincunx, *model, profile]))
        main = next(f for f in j["functions"] if f["name"] == "main")
        row[words] = cumulants_to_moments(main["inclusive"])
    row["floor"] = figures.floor(costs[0], costs[1], moments)
    return row


def check(table, patterns):
    """Of a small run: what must be so whatever the draws were."""
    wrong = []
    for r in table.rows:
        inside = r["errors"]["observed"]
        if inside is not None and inside > 1e-7:
            wrong.append(f"{r['name']}: the observed counts are {inside:g} % off their own variance")
        if r["z"] is not None and abs(r["z"]) > 5:
            wrong.append(f"{r['name']}: held-out z {r['z']:.1f}")
    for name, model, low, high in patterns:
        found = next(r["errors"][model] for r in table.rows if r["name"] == name)
        if not low < found < high:
            wrong.append(f"{name}: {model} is {found:.0f} % off, not {low} to {high} %")
    print("\n".join(wrong) or f"{len(table.rows)} rows as they must be")
    return 1 if wrong else 0


def measure(bench, names):
    branches, programs = Table(branch_models, bench.runs), {}
    for machine in ("unit", "x86-64"):
        programs[machine] = Table([*program_models, "observed"], bench.runs)
    for name in names:
        example, arguments, rows = facts.workloads[name]
        profile, held = bench.pair(example, arguments)
        found, places = bench.table(profile, held), bench.places(example)
        for row, marker in rows.items():
            branches.add(row, found[places[marker]])
        for machine, table in programs.items():
            table.add(name, whole(bench, profile, held, machine))
        print(f"{name}: done", file=sys.stderr, flush=True)
    return branches, programs


def synthetic(bench):
    table = Table(branch_models, bench.runs)
    for name, words in facts.synthetic.items():
        profile, held = bench.pair("branches", [str(facts.outcomes), *words])
        table.add(name, bench.table(profile, held)[bench.places("branches")["b1"]])
        print(f"{name}: done", file=sys.stderr, flush=True)
    return table


def log(runs, tables):
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], text=True, capture_output=True).stdout
    path = os.path.join(root, "bench/log", f"{datetime.date.today()}-thesis.tsv")
    with open(path, "a") as out:
        for kind, table in tables:
            out.write(f"# commit {commit.strip()}, {runs} + {runs} runs; of models: error of the variance in-sample, %\n")
            moments = ["mean", "variance", "skewness", "kurtosis"]
            names = ["kind", "row", "D", *moments, *("held " + m for m in moments), "z", "floor", *table.models]
            out.write("\t".join(names) + "\n")
            out.writelines(line + "\n" for line in table.lines(kind))
    print(f"\n{path}")


def run(runs, jobs, names, small):
    with tempfile.TemporaryDirectory(prefix="quincunx-thesis.") as folder:
        bench = Bench(folder, runs, jobs)
        if small:
            branches, _ = measure(bench, ["vscale-1000", "quicksort"])
            return check(branches, [("Quicksort b1", "bernoulli", 350, 900), ("Quicksort b6", "bernoulli", 600, 1500)])
        tables = []
        chosen = [n for n in facts.workloads if n in names or not names]
        if chosen:
            branches, programs = measure(bench, chosen)
            branches.variances("Error of Var[T] in per cent, T = true outcomes of a branch in a run; in brackets: "
                               "Table 4.4", facts.table44)
            branches.shapes("Absolute error of skewness / kurtosis of the same")
            tables.append(("branch", branches))
            for machine, table in programs.items():
                table.variances(f"Error of Var[T] in per cent, T = cost of a run, machine {machine}")
                table.shapes("Absolute error of skewness / kurtosis of the same")
                tables.append((f"program {machine}", table))
        if not names or "synthetic" in names:
            table = synthetic(bench)
            table.variances(f"Synthetic branches, N = {facts.outcomes}: error of Var[T] in per cent")
            table.shapes("Absolute error of skewness / kurtosis of the same")
            tables.append(("synthetic", table))
        if not names or "figures" in names:
            grid("What tables and text of the thesis say of its other experiments", ["where", "published", "here", "D"],
                 figures.lines(bench))
        print("\nNot repeated, or not as it was:")
        for text in facts.not_repeated:
            print(f"- {text}")
        if tables:
            log(runs, tables)
    return 0


def main(arguments):
    runs, jobs, names, small = 2000, 1, [], False
    while arguments:
        word = arguments.pop(0)
        if word == "--check":
            small = True
        elif word in ("--runs", "--jobs") and arguments and arguments[0].isdigit() and int(arguments[0]) > 0:
            value = int(arguments.pop(0))
            runs, jobs = (value, jobs) if word == "--runs" else (runs, value)
        elif word in [*facts.workloads, "figures", "synthetic"]:
            names.append(word)
        else:
            print(__doc__, file=sys.stderr)
            return 2
    return run(150 if small else runs, jobs, names, small)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
