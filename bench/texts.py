#!/usr/bin/env python3
"""Repeats the parallel experiments of the texts with the programs of examples/threads/.

    bench/texts.py [--runs D] [--jobs N] [--check] [NAME...]

NAME: EP, APSP, SSSP, PSRS, WATOR, pipeline, search, farm, told (default: all). Y is what is waited for: the last of N tasks
(search: the first), in counts. D runs (1000; WATOR a fifth) are the profile: they ran with two threads, and are told with one
for each task. D other ones are held out: they ran with one for each. Errors are those of E[Y] and E[Y^4] beside the held-out
runs, in per cent:

rule    (5.18) of the thesis, or (5.20) of the first, from the four moments of one task of the profile, as in the texts;
        of two different tasks (5.35). A reason where it has no answer.
ours    the law of what the runs of the profile are told to take, run by run.
floor   one standard error of such a difference: what remains of a method without error.
KS      the distance of both laws over its limit at 5 % (Kolmogorov and Smirnov).

The profile's seeds are also run with a thread for each task, and the largest difference between what is told and what these
took is shown. --check: few runs of some, and checks that can fail, for scripts/test; nothing is logged. Otherwise the tables
are also appended to bench/log/DATE-texts.tsv."""
import datetime
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

import texts_facts as facts
import thesis
from thesis import grid, moments, quincunx, root

binary = os.path.dirname(quincunx)


def lines_of(program):
    """(file, line) of the loop behind each `#pragma omp parallel for`, by the comment there; of what it includes, too."""
    found = {}
    for name in [program + ".c"] + ["psrs.h"] * (program == "psrs"):
        with open(os.path.join(root, "examples/threads", name)) as f:
            for number, line in enumerate(f, 1):
                if line.startswith("#pragma omp parallel for"):
                    found[line.partition("// ")[2].strip()] = (name, number + 1)
    return found


class Bench(thesis.Bench):
    def built(self, program):
        path = os.path.join(self.folder, program)
        if not os.path.exists(path):
            flags = self.shell([quincunx, "flags"]).split()
            self.shell(["clang-22", *flags, "-fplugin-arg-quincunx-record=counts,calls,strands", "-std=c11", "-O2", "-g", "-fopenmp",
                        "-o", path, os.path.join(root, "examples/threads", program + ".c"), "-lm"])
        return path

    def corpus(self, program, words, seeds, threads):
        """Runs of these seeds with so many threads."""
        path = os.path.join(self.folder, "-".join([program, *words, str(seeds[0]), str(threads)]) + ".qx")
        if not os.path.exists(path):
            self.shell([quincunx, "run", "-q", "-o", path, "-j", str(self.jobs), "--threads", str(threads), "--label", "{}", "--",
                        self.built(program), "{}", *words, ":::", *map(str, seeds)])
        return path

    def costs(self, corpus, threads):
        """{label: {(file, line): [costs of its iterations, each time]}}"""
        result = {}
        for line in self.shell([os.path.join(binary, "loop_costs"), corpus, str(threads)]).splitlines():
            label, file, number, *values = line.split("\t")
            result.setdefault(label.split(" ")[0], {}).setdefault((file, int(number)), []).append([float(v) for v in values])
        return result

    def times(self, corpus, threads):
        """{label: what it is waited for}"""
        told = json.loads(self.shell([quincunx, "scale", "--json", "--unit", "counts", "--threads", str(threads), corpus]))
        return {r["label"].split(" ")[0]: r["time"] for r in told["runs"]}

    def first(self, corpus, place):
        """{label: what it is waited for where threads that are begun there end with the first}"""
        told = json.loads(self.shell([quincunx, "whatif", "--json", "--unit", "counts", corpus, f"join(thread {place}) = first"]))
        return {r["label"].split(" ")[0]: r["after"]["time"] for r in told["runs"]}

    def rule(self, wait, count, laws):
        """E[Y] to E[Y^4], or why not."""
        line = " ".join([wait, str(count), *(f"{v:.17g}" for law in laws for v in moments(law))])
        fields = self.shell([os.path.join(binary, "lambda_join")], input=line + "\n").rstrip("\n").split("\t")
        return fields[1] if fields[0] == "-" else [float(v) for v in fields]

    def halves(self, share=1):
        """Seeds of the profile, and others."""
        runs = max(int(self.runs * share), 20)
        return range(1, runs + 1), range(runs + 1, 2 * runs + 1)


def raw(values):
    return [statistics.fmean(v ** r for v in values) for r in (1, 2, 3, 4)]


def errors(predicted, held):
    """Of E[Y] and E[Y^4], in per cent; a reason stays one."""
    true = raw(held)
    return predicted if isinstance(predicted, str) else [100 * abs(predicted[r] / true[r] - 1) for r in (0, 3)]


def floor(profile, held):
    """A standard error of E[Y^r] over that of the other half, in per cent."""
    result = []
    for r in (1, 4):
        powers = [[v ** r for v in values] for values in (profile, held)]
        error = math.sqrt(sum(statistics.pvariance(p) / len(p) for p in powers))
        result.append(100 * error / statistics.fmean(powers[1]))
    return result


def ks(profile, held):
    """The largest distance of the two laws over what is exceeded in 5 of 100 pairs of samples of one law."""
    far = 0
    a, b = sorted(profile), sorted(held)
    i = j = 0
    while i < len(a) and j < len(b):
        x = min(a[i], b[j])
        while i < len(a) and a[i] <= x:
            i += 1
        while j < len(b) and b[j] <= x:
            j += 1
        far = max(far, abs(i / len(a) - j / len(b)))
    return far / (1.358 * math.sqrt(1 / len(a) + 1 / len(b)))


def text(pair):
    return pair if isinstance(pair, str) else ", ".join(f"{v:.2g}" if v < 9.95 else f"{v:.0f}" for v in pair)


class Tables:
    def __init__(self):
        self.rows, self.laws, self.told = [], [], []

    def add(self, name, tasks, rule, profile, held):
        self.rows.append({"name": name, "tasks": tasks, "published": facts.published(name, tasks), "rule": errors(rule, held),
                          "ours": errors(raw(profile), held), "floor": floor(profile, held), "ks": ks(profile, held),
                          "runs": len(profile)})
        print(f"{name}, {tasks} tasks: done", file=sys.stderr, flush=True)

    def tell(self, name, threads, told, ran):
        self.told.append((name, threads, max(100 * abs(told[label] / ran[label] - 1) for label in ran), len(ran)))

    def show(self):
        grid("Moments of one task: mean, variance, skewness, kurtosis", ["task", "published", "ours"],
             [[name, ", ".join(f"{v:g}" for v in facts.moments[name]) if name in facts.moments else "-",
               ", ".join(f"{v:.4g}" for v in law)] for name, law in self.laws])
        grid("Errors of E[Y], E[Y^4] in per cent", ["experiment", "tasks", "published", "rule", "ours", "floor", "KS", "D"],
             [[r["name"], str(r["tasks"]), r["published"], text(r["rule"]), text(r["ours"]), text(r["floor"]), f"{r['ks']:.2f}",
               f"{r['runs']} + {r['runs']}"] for r in self.rows])
        grid("What is told of other threads than ran, beside what ran with them (search: beside the least task): largest error "
             "of a run, in per cent",
             ["experiment", "tasks", "error", "runs"], [[n, str(t), f"{e:.2g}", str(d)] for n, t, e, d in self.told])
        z = [[o / f for o, f in zip(r["ours"], r["floor"]) if f > 0] for r in self.rows]
        print(f"\nours over the floor, rms: E[Y] {math.sqrt(statistics.fmean(v[0] ** 2 for v in z if v)):.2f}, "
              f"largest {max(v[0] for v in z if v):.1f}; KS above its limit in {sum(r['ks'] > 1 for r in self.rows)} of {len(self.rows)}")


def sections(name, marks):
    """What the rows of an experiment are called, and which occurrence of which loop they are (None: all, added up)."""
    if name == "WATOR":
        return [(f"WATOR t={t}", marks[0], t) for t in facts.wator_times]
    return [(name if len(marks) == 1 else f"{name} {mark}", mark, None) for mark in marks]


def tasks_of(loops, occurrence):
    """Costs of the tasks, and of the last one of them; of rounds with a barrier behind each, both are added up."""
    chosen = loops if occurrence is None else [loops[occurrence]]
    return [sum(column) for column in zip(*chosen)], sum(map(max, chosen))


def join(bench, tables, name):
    program, arguments, marks, counts, share = facts.joins[name]
    lines, (seeds, others) = lines_of(program), bench.halves(share)
    for count in counts:
        words = [str(count) if w == "N" else w for w in arguments]
        told, wide, held = (bench.corpus(program, words, *which) for which in ((seeds, 2), (seeds, count), (others, count)))
        costs, truth = bench.costs(told, count), bench.costs(held, count)
        for row, mark, occurrence in sections(name, marks):
            of = [tasks_of(run[lines[mark]], occurrence) for run in costs.values()]
            task = [x for run in of for x in run[0]]
            if count == counts[0]:
                tables.laws.append((row, moments(task)))
            tables.add(row, count, bench.rule("last", count, [task]), [run[1] for run in of],
                       [tasks_of(run[lines[mark]], occurrence)[1] for run in truth.values()])
        if count != 2:
            tables.tell(name, count, bench.times(told, count), bench.times(wide, count))


def pipeline(bench, tables):
    """Y: the time of one of ten vectors; the rule: the longer one of two stages, of which each is run alone."""
    vectors, words = 10, ["4800", "3"]
    seeds, others = bench.halves()
    profile, held = ([v / vectors for v in bench.times(bench.corpus("pipeline", [str(vectors), *words], s, 3), 3).values()]
                     for s in (seeds, others))
    stages = [list(bench.times(bench.corpus("pipeline", ["1", *words, stage], seeds, 3), 3).values()) for stage in ("make", "sort")]
    for stage, law in zip(("make", "sort"), stages):
        tables.laws.append((f"pipeline {stage}", moments(law)))
    tables.add("pipeline", 2, bench.rule("last", 2, stages), profile, held)


def search(bench, tables):
    """Y: the first of N answers, of runs in which all engines go on to theirs. Ours is what `whatif` says of their threads."""
    line, (seeds, others) = lines_of("search")[""], bench.halves()
    for count in (2, 8, 32, 128):
        profile, held = (bench.corpus("search", [str(count), "all"], s, count) for s in (seeds, others))
        costs = [{label: run[line][0] for label, run in bench.costs(corpus, 1 + count).items()} for corpus in (profile, held)]
        task = [x for run in costs[0].values() for x in run]
        if count == 2:
            tables.laws.append(("search", moments(task)))
        told = bench.first(profile, f"{line[0]}:{line[1] - 1}")
        beside = [{label: time - max(of[label]) for label, time in bench.times(corpus, count).items()}
                  for corpus, of in zip((profile, held), costs)]
        tables.tell("search, first", count, told, {label: beside[0][label] + min(run) for label, run in costs[0].items()})
        tables.add("search", count, bench.rule("first", count, [task]), [told[label] - beside[0][label] for label in told],
                   [min(run) for run in costs[1].values()])


def farm(bench, tables):
    """Y: 240 jobs by N workers. The rule is that of Lopez et al.: as many jobs each, of which all take as long as one."""
    jobs, (seeds, others) = 240, bench.halves()
    one = moments(list(bench.times(bench.corpus("farm", ["1", "1"], seeds, 1), 1).values()))
    tables.laws.append(("farm", one))
    for count in (8, 24):
        profile, held = (list(bench.times(bench.corpus("farm", [str(count), str(jobs)], s, count), count).values()) for s in (seeds, others))
        share = jobs / count
        rule = [share * one[0], 0, 0, share ** 4 * raw_of(one)[3]]
        tables.add("farm", count, rule, profile, held)


def told(bench, tables):
    """Programs whose tasks are too many to be compared one by one: what two threads tell of 16."""
    seeds = range(1, max(bench.runs // 50, 3) + 1)
    for program, words in facts.told.items():
        narrow, wide = (bench.times(bench.corpus(program, words, seeds, threads), 16) for threads in (2, 16))
        tables.tell(program, 16, narrow, wide)


def raw_of(law):
    mean, variance, skewness, kurtosis = law
    mu3, mu4 = skewness * variance ** 1.5, kurtosis * variance ** 2
    return [mean, mean ** 2 + variance, mean ** 3 + 3 * mean * variance + mu3,
            mean ** 4 + 6 * mean ** 2 * variance + 4 * mean * mu3 + mu4]


experiments = {**{n: lambda b, t, n=n: join(b, t, n) for n in facts.joins}, "pipeline": pipeline, "search": search, "farm": farm,
               "told": told}


def check(tables):
    """Of a small run: what must be so whatever the draws were."""
    wrong = [f"{r['name']}, {r['tasks']} tasks: ours is {o / f:.1f} standard errors off" for r in tables.rows
             for o, f, chunk in zip(r["ours"], r["floor"], (0.1, 0.4)) if f > 0 and o > 4.5 * f + chunk]  # 5 counts
    wrong += [f"{n}, {t} tasks: told is {e:.2g} % off what ran" for n, t, e, _ in tables.told if e > 0.5]
    wrong += [f"{r['name']}, {r['tasks']} tasks: a law of one mode fits" for r in tables.rows
              if r["name"] == "search" and not isinstance(r["rule"], str)]
    print("\n".join(wrong) or f"{len(tables.rows)} rows as they must be")
    return 1 if wrong else 0


def log(tables):
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], text=True, capture_output=True).stdout
    path = os.path.join(root, "bench/log", f"{datetime.date.today()}-texts.tsv")
    with open(path, "a") as out:
        out.write(f"# commit {commit.strip()}; errors of E[Y], E[Y^4], %\nexperiment\ttasks\tD\tpublished\trule\tours\tfloor\tks\n")
        for r in tables.rows:
            out.write("\t".join([r["name"], str(r["tasks"]), str(r["runs"]), r["published"], text(r["rule"]), text(r["ours"]),
                                 text(r["floor"]), f"{r['ks']:.3f}"]) + "\n")
        for told in tables.told:
            out.write("told\t" + "\t".join(map(str, told)) + "\n")
        for name, law in tables.laws:
            out.write(f"one task\t{name}\t" + "\t".join(f"{v:.6g}" for v in law) + "\n")
    print(f"\n{path}")


def main(arguments):
    runs, jobs, names, small = 1000, 2, [], False
    while arguments:
        word = arguments.pop(0)
        if word == "--check":
            small, runs = True, 60
        elif word in ("--runs", "--jobs") and arguments and arguments[0].isdigit():
            runs, jobs = (int(arguments.pop(0)), jobs) if word == "--runs" else (runs, int(arguments.pop(0)))
        elif word in experiments:
            names.append(word)
        else:
            print(__doc__, file=sys.stderr)
            return 2
    if small:
        facts.joins["PSRS"] = (*facts.joins["PSRS"][:3], [2, 32], 1)
        names = ["PSRS", "search", "told"]
    tables = Tables()
    with tempfile.TemporaryDirectory(prefix="quincunx-texts.") as folder:
        bench = Bench(folder, runs, jobs)
        for name in names or experiments:
            experiments[name](bench, tables)
    if small:
        return check(tables)
    tables.show()
    log(tables)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
