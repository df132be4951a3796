#!/usr/bin/env python3
"""How well `quincunx whatif` says what really happens: changes that are predicted, and then made.

    bench/whatif.py [--runs N] [--kinds KIND,...] [--judge] [NAME...]

For ten programs of corpus/ (built with the flag at -O2), N cases each. The cases with even numbers are the profile of which
whatif is asked; then the change is really made, once with the very same cases (in-sample) and once with the odd ones (held-out):

    machine   the runs are priced by another machine
    cost      the dearest function that is not nearly all costs nothing: built again with skip=FUNCTION (both without inlining)
    calls     a call of it costs 100: to each run of that build 100 times the entries are added that a build without quincunx counts
    mix       small inputs three times as often as large ones: cases are repeated
    trips     the loop over the input comes back 2 and 4 times as often: every input file is repeated (pictures below each
              other, sounds one after the other)
    p         a branch has another share of true outcomes: the cases are those with input of other kinds

The first four are exact on the counts: in-sample 0, held-out at the sampling floor. For the others it is counted how often the
truth of all cases, those of the profile and those held out, lies in the 90 % interval of what is after.

Columns: error in-sample | error held-out | floor (root mean square over bootstrap pairs, as in bench/accuracy.py) | D; mean and p90.
Appends the table to bench/log and fails on nothing; --judge (two programs, 40 cases) writes no log and fails when an exact change is
not exact in-sample.
"""
import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import accuracy
import machine_code

root, quincunx, config = accuracy.root, accuracy.quincunx, accuracy.config
trips = {"ncompress": ["compress42.c:1386"], "bzip2": ["bzip2.c:350"],
         "minigzip": ["minigzip.c:376", "minigzip.c:438"], "pcre2grep": ["pcre2grep.c:2642"], "jq": ["src/main.c:636"],
         "cjpeg": ["cjpeg.c:732"], "lame": ["lame_main.c:436"]}
branches = {"ncompress": [("compress42.c:1524", "text records"), ("compress42.c:1524", "random mixed")]}
figures = ("mean", "p90")


def picture(data, times):
    """A PNM picture below itself."""
    header = re.match(rb"(P[56]\s+\d+\s+)(\d+)(\s+\d+\s)", data)
    return header.group(1) + str(int(header.group(2)) * times).encode() + header.group(3) + data[header.end():] * times


def sound(data, times):
    """A WAV file with 44 bytes in front of the samples."""
    samples = data[44:] * times
    return (data[:4] + (36 + len(samples)).to_bytes(4, "little") + data[8:40] + len(samples).to_bytes(4, "little") + samples)


longer = {"cjpeg": picture, "lame": sound}


def build(name, tag, runs, options=config):
    """`options`: a file for clang."""
    env = dict(os.environ, TAG=tag, N=str(runs), CC=f"clang-22 --config={options}", CXX=f"clang++-22 --config={options}",
               QUINCUNX_OUT="")
    def step(what):
        return subprocess.run(["sh", os.path.join(root, "corpus", name + ".sh"), what], env=env, check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    step("build")
    step("inputs")
    return step("path").strip().split("\t")


def record(program, folder, cases, out):
    """Runs the cases; labels are their numbers."""
    table = os.path.join(folder, f"cases-whatif-{os.path.basename(out)}.tsv")
    with open(table, "w") as f:
        f.writelines(cases)
    env = {k: v for k, v in os.environ.items() if not k.startswith("QUINCUNX_")} | {"QUINCUNX_MACHINE": "none"}
    subprocess.run([quincunx, "run", "--quiet", "-o", out, "--timeout", "300", "--cases", table, "--", program], env=env,
                   check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.remove(table)
    return out


def tool(*words):
    r = subprocess.run([quincunx, *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if r.returncode != 0:
        raise RuntimeError(r.stderr.strip())
    return json.loads(r.stdout)


def costs(corpus, *options):
    return {r["label"]: r["cost"] for r in tool("report", "--json", *options, corpus)["perRun"]}


def describe(values):
    return dict(zip(accuracy.statistics, accuracy.describe(values)))


def floors(values, runs):
    return dict(zip(accuracy.statistics, accuracy.floor(values, int(runs))))


class Program:
    def __init__(self, name, runs, scratch):
        self.name, self.runs, self.scratch = name, runs, scratch
        self.prog, self.folder = build(name, "whatif", runs)
        with open(os.path.join(self.folder, "cases.tsv")) as f:
            self.cases = f.readlines()
        self.known = record(self.prog, self.folder, self.cases[0::2], self.path("known"))
        self.future = record(self.prog, self.folder, self.cases[1::2], self.path("future"))
        self.rows = []

    def path(self, what):
        return os.path.join(self.scratch, f"{self.name}-{what}.qx")

    def predict(self, *changes):
        return tool("whatif", "--json", self.known, *changes)

    def row(self, kind, change, answer, same, held, equal=None):
        """`same`, `held`: costs of runs with the change really made; `equal`: as many equal runs tell as much."""
        if not same or not held:
            return
        truth, other, both = describe(same), describe(held), describe(same + held)
        floor = floors(same + held, equal or (len(same) + len(held)) // 2)
        cells = {}
        for f in figures:
            after = answer["after"][f]
            low, high = after["interval"]
            inside = (low is None or low <= both[f]) and (high is None or both[f] <= high)
            cells[f] = (accuracy.relative(after["value"], truth[f]), accuracy.relative(after["value"], other[f]), floor[f], inside)
        self.rows.append((self.name, kind, change, cells, len(same), len(held)))
        text = "   ".join(f"{f} {100 * a:+.2f} % | {100 * b:+.1f} % | {100 * c:.1f} % {'in' if i else 'OUT'}"
                          for f, (a, b, c, i) in cells.items())
        print(f"{self.name:10} {kind:8} {change[:44]:44} {text} | D {len(same)} + {len(held)}", flush=True)

    def machine(self):
        machine = os.path.join(self.scratch, "other.machine")
        with open(machine, "w") as f:
            f.write("name other\nunit cost units\nadd 1\nmultiply 3\ndivide 20\nload 12\nstore 6\nbranch 2\ncall 5\nmemory 40\n")
        answer = self.predict(f"machine = {machine}")
        self.row("machine", "machine = other", answer, list(costs(self.known, "--machine", machine).values()),
                 list(costs(self.future, "--machine", machine).values()))

    def function(self):
        """Of a build without inlining: what skip leaves out is the code of what was compiled, and not that of the source's function elsewhere."""
        apart = self.options("apart", "-fno-inline")
        known = record(*build(self.name, "whatif-apart", self.runs, apart), self.cases[0::2], self.path("apart"))
        report = tool("report", "--json", "--sort", "share", known)
        names = [f["name"] for f in report["functions"]]
        chosen = next((f["name"] for f in report["functions"] if f["share"] < 0.8 and names.count(f["name"]) == 1), None)
        if chosen is None:
            return
        demangled = next(f["demangled"] for f in report["functions"] if f["name"] == chosen)
        pattern = re.sub(r"\W", ".", demangled)
        prog, folder = build(self.name, "whatif-skip", self.runs, self.options("skip", "-fno-inline", f"-fplugin-arg-quincunx-skip=^{pattern}$"))
        same = record(prog, folder, self.cases[0::2], self.path("skip-known"))
        held = record(prog, folder, self.cases[1::2], self.path("skip-future"))
        self.row("cost", f"cost({demangled}) *= 0", tool("whatif", "--json", known, f"cost({chosen}) *= 0"), list(costs(same).values()),
                 list(costs(held).values()))
        calls = self.entries(chosen)
        with_calls = [[c + 100 * calls[label] for label, c in costs(corpus).items()] for corpus in (same, held)]
        self.row("calls", f"calls({demangled}) = 100", tool("whatif", "--json", known, f"calls({chosen}) = 100"), *with_calls)

    def options(self, name, *flags):
        """A file for clang."""
        path = os.path.join(self.scratch, f"{self.name}-{name}.cfg")
        with open(path, "w") as f:
            f.write("\n".join([f"@{config}", *flags, ""]))
        return path

    def entries(self, function):
        """Label: how often that run entered the function, counted in a build without quincunx by a library that is preloaded."""
        library, options, out = (os.path.join(self.scratch, n) for n in ("entries.so", "entries.cfg", "entries.txt"))
        subprocess.run(["clang-22", "-O1", "-shared", "-fPIC", "-o", library, os.path.join(root, "bench/entries.c")], check=True)
        with open(options, "w") as f:
            f.write("-fno-inline\n-finstrument-functions-after-inlining\n")
        program, folder = build(self.name, "whatif-entries", self.runs, options)
        symbols = subprocess.run(["nm", program], check=True, text=True, stdout=subprocess.PIPE).stdout
        address = {line[19:]: int(line[:16], 16) for line in symbols.splitlines() if line[17:18] in "tTwW" and line[:1] != " "}
        env = dict(os.environ, LD_PRELOAD=library, ENTRIES_OF=hex(address[function] - address["_start"]), ENTRIES_OUT=out)
        calls = {}
        for label, stdin, arguments in machine_code.cases(folder):
            with open(os.path.join(folder, stdin) if stdin else os.devnull, "rb") as given:
                subprocess.run([program, *arguments], cwd=folder, env=env, stdin=given, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, check=False)
            with open(out) as f:
                calls[label] = sum(map(int, f))
            os.remove(out)
        return calls

    def mix(self):
        sizes = sorted(float(m.group(1)) for c in self.cases if (m := re.search(r"\b(?:size|n|nodes|points)=([0-9.]+)", c)))
        feature = next((m.group(1) for c in self.cases if (m := re.search(r"\b(size|n|nodes|points)=[0-9.]+", c))), None)
        if feature is None:
            return
        middle = sizes[len(sizes) // 2]
        known = tool("corpus", "ls", "--json", self.known)["runs"], tool("corpus", "ls", "--json", self.future)["runs"]
        sets = []
        for runs, corpus in zip(known, (self.known, self.future)):
            cost = costs(corpus)
            small = [cost[r["label"]] for r in runs if r["label"] in cost and r.get("features", {}).get(feature, 1e300) <= middle]
            large = [cost[r["label"]] for r in runs if r["label"] in cost and r.get("features", {}).get(feature, -1) > middle]
            # three to one, by whole copies
            sets.append(small * (3 * len(large)) + large * len(small))
        table = os.path.join(self.scratch, "mix.tsv")
        with open(table, "w") as f:
            f.write(f"0..{middle}\t3\n{middle + 1e-6}..1e12\t1\n")
        answer = self.predict(f"mix({feature}) = {table}")
        self.row("mix", f"mix({feature}): small 3, large 1", answer, *sets, answer["runs"]["equalAfter"])

    def repeated(self):
        for factor in (2, 4) if self.name in trips else ():
            def other(word):
                path = os.path.join(self.folder, word)
                if not re.fullmatch(r"\d+\.\w+", word) or not os.path.exists(path):
                    return word
                with open(path, "rb") as f:
                    data = f.read()
                with open(os.path.join(self.folder, f"whatif-{factor}-{word}"), "wb") as f:
                    f.write(longer.get(self.name, bytes.__mul__)(data, factor))
                return f"whatif-{factor}-{word}"
            def changed(cases):
                out = []
                for case in cases:
                    number, stdin, words, rest = case.split("\t", 3)
                    words = " ".join(map(other, words.split(" ")))
                    out.append("\t".join((number, other(stdin), words, rest)))
                return out
            asked = [f"trips(loop {place}) *= {factor}" for place in trips[self.name]]
            same = record(self.prog, self.folder, changed(self.cases[0::2]), self.path(f"same-{factor}"))
            held = record(self.prog, self.folder, changed(self.cases[1::2]), self.path(f"held-{factor}"))
            self.row("trips", f"*= {factor} of " + ", ".join(trips[self.name]), self.predict(*asked), list(costs(same).values()),
                     list(costs(held).values()))
            for name in os.listdir(self.folder):
                if name.startswith("whatif-"):
                    os.remove(os.path.join(self.folder, name))

    def kinds(self):
        for place, words in branches.get(self.name, ()):
            def chosen(cases):
                return [c for c in cases if re.search("kind=(" + "|".join(words.split()) + ")", c)]
            same = record(self.prog, self.folder, chosen(self.cases[0::2]), self.path("kinds-same" + words[:4]))
            held = record(self.prog, self.folder, chosen(self.cases[1::2]), self.path("kinds-held" + words[:4]))
            effect = tool("whatif", "--json", same, f"p(branch {place}) *= 1")["changes"][0]["effect"]
            p = float(re.search(r"true in ([0-9.e+-]+) %", effect).group(1)) / 100
            self.row("p", f"p({place}) = {p:.4g}, {words}", self.predict(f"p(branch {place}) = {p:.6g}"),
                     list(costs(same).values()), list(costs(held).values()))

    def all(self, kinds):
        steps = {"machine": self.machine, "cost": self.function, "mix": self.mix, "trips": self.repeated, "p": self.kinds}
        for kind in (step for name, step in steps.items() if name in kinds):
            try:
                kind()
            except (RuntimeError, subprocess.CalledProcessError) as e:
                print(f"{self.name}: {kind.__name__}: {e}", flush=True)


def write(rows):
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], text=True, stdout=subprocess.PIPE).stdout.strip()
    path = os.path.join(root, "bench/log", f"{datetime.date.today()}-whatif.tsv")
    with open(path, "a") as log:
        log.write(f"# commit {commit}, predicted and really made changes, machine x86-64\nprogram\tkind\tchange\tsame\theld out\t" +
                  "\t".join(f"{f} in-sample\t{f} held-out\t{f} floor\t{f} in interval" for f in figures) + "\n")
        for name, kind, change, cells, same, held in rows:
            log.write("\t".join([name, kind, change, str(same), str(held)] +
                                [f"{a:.6f}\t{b:.5f}\t{c:.5f}\t{'yes' if i else 'no'}" for a, b, c, i in cells.values()]) + "\n")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=400)
    options.add_argument("--kinds", default="machine,cost,mix,trips,p", help="of changes (all; cost: and calls)")
    options.add_argument("--judge", action="store_true")
    options.add_argument("names", nargs="*")
    o = options.parse_args()
    names = o.names or (["ncompress", "mujs"] if o.judge else ["ncompress", "bzip2", "minigzip", "mujs", "lua", "pugixml",
                                                                 "pcre2grep", "jq", "cjpeg", "lame"])
    rows = []
    scratch = tempfile.mkdtemp()
    try:
        for name in names:
            program = Program(name, 40 if o.judge else o.runs, scratch)
            program.all(o.kinds.split(","))
            rows += program.rows
    finally:
        shutil.rmtree(scratch)
    exact = [r for r in rows if r[1] in ("machine", "cost", "calls", "mix")]
    wrong = [r for r in exact if any(abs(a) > 1e-6 for a, _, _, _ in r[3].values())]
    assumed = [i for r in rows if r not in exact for _, _, _, i in r[3].values()]
    ratios = [abs(b) / c for r in exact for _, b, c, _ in r[3].values() if c]
    if ratios:
        print(f"exact changes: {len(exact)}, not exact in-sample: {len(wrong)}; held-out over floor: rms "
              f"{(sum(x * x for x in ratios) / len(ratios)) ** 0.5:.2f}")
    print(f"others: {sum(assumed)} of {len(assumed)} figures in the announced interval")
    for r in wrong:
        print("not exact:", r[0], r[2])
    if o.judge:
        return 1 if wrong or len(exact) < 2 * len(names) else 0
    write(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
