#!/usr/bin/env python3
"""Judges quincunx explain: does it name the cause that was planted?

    explain.py [--programs N] [--seed S]     QUINCUNX_FULL=1: 30 programs instead of 4

Each program is C that is written for the occasion: three to eight functions of several shapes that every input takes through
much of the same work, and one function that makes the runs differ. It does so in one of three ways:

    slow     an if in main calls it for one input of 50
    heavy    it is called for every input, with work that is log-uniform over a factor of 200
    modes    it has about 1000 or about 8000 rounds, the latter for three inputs of ten

Names, shapes, sizes, the number of functions and the planted one's place vary with the seed; every fourth planted function is
left to the inliner, and is looked for by line only. Each program is profiled over 300 inputs; then explain --json must name the
planted function and a line of its text first: in the variance, in the tail (slow and heavy), or in what tells the two groups
apart (modes). That is demanded of nine programs in ten. It prints how often the largest share of the mean would have named it.
Status 1 when too few are right."""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
build = os.environ.get("BUILD", os.path.join(root, "build/default"))
quincunx = os.path.join(build, "bin/quincunx")
runs = 300
words = "absorb bind carve drain emit fold graft hoist index join knead link mark nest order pack quote rank scan trim".split()

# Bodies with N for the work to do; each has about the same cost per unit of it.
shapes = [
    ["  for (unsigned i = 0; i < N; ++i)", "    x = x * 31 + (x >> 7) + i;"],
    ["  for (unsigned i = 0; i < N / 16 + 1; ++i)", "    for (unsigned j = 0; j < 16; ++j)", "      x = x * 33 ^ (j + i);"],
    ["  unsigned left = N;", "  while (left > 0) {", "    if (x & 1)", "      x = x * 3 + 1;", "    else",
     "      x = (x >> 1) + left;", "    --left;", "  }"],
    ["  for (unsigned i = 0; i < N; ++i)", "    switch (x % 5) {", "    case 0: x += i; break;", "    case 1: x ^= x << 5; break;",
     "    case 2: x = x * 7 + 3; break;", "    default: x = x * 13 + i;", "    }"],
    ["  unsigned t[64] = {0};", "  for (unsigned i = 0; i < N; ++i) {", "    t[x % 64] += i;", "    x = x * 17 + t[i % 64];", "  }"],
]


class Program:
    """Source text and what is planted in it."""

    def __init__(self, seed):
        r = random.Random(seed)
        self.kind = ("slow", "heavy", "modes")[seed % 3]
        self.inlined = seed % 4 == 3
        names = r.sample(words, r.randint(4, 9))
        self.planted = names[r.randrange(len(names))]
        self.text = ["#include <stdlib.h>", "static unsigned mix(unsigned x) {", "  x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15;",
                     "  x *= 0x846ca68bu; return x ^ (x >> 16);", "}"]
        for name in names:
            self.function(r, name)
        self.main(r, names)

    def function(self, r, name):
        free = name == self.planted and self.inlined
        first = len(self.text) + 1
        self.text.append(("" if free else "__attribute__((noinline)) ") + f"static unsigned {name}(unsigned n, unsigned x) {{")
        self.text += [line.replace("N", "n") for line in r.choice(shapes)]
        self.text += ["  return x;", "}"]
        if name == self.planted:
            self.lines = range(first, len(self.text) + 1)

    def main(self, r, names):
        salt = r.randrange(1 << 30)
        self.text += ["int main(int argc, char **argv) {", f"  unsigned h = mix(atoi(argv[1]) + {salt}u), x = h;"]
        for name in names:
            if name != self.planted:
                base = r.randint(300, 3000)
                self.text.append(f"  x = {name}({base} + mix(h + {r.randrange(1000)}u) % {base // r.randint(3, 8)}, x);")
                continue
            of = f"mix(h + {r.randrange(1000)}u)"
            if self.kind == "slow":
                self.text.append(f"  if ({of} % 50 == {r.randrange(50)})")
                self.cause = len(self.text)
                self.text.append(f"    x = {name}({r.randint(40000, 200000)} + h % 20000, x);")
            elif self.kind == "heavy":
                self.text += [f"  unsigned s = {of}, n = 100 << (s % 8);", f"  x = {name}(n + s / 8 % n, x);"]
            else:
                self.text.append(f"  x = {name}(({of} % 10 < 3 ? 8000 : 1000) + h % 200, x);")
        self.text += ["  return argc > 2 && x == 1;", "}", ""]


def profile(program, folder):
    """The explanation of its 300 runs, and the function with the largest share of the mean."""
    source, binary, corpus = (os.path.join(folder, name) for name in ("p.c", "p", "p.qx"))
    with open(source, "w") as f:
        f.write("\n".join(program.text))
    config = os.path.join(build, "lib/quincunx/quincunx.cfg")
    subprocess.run(["clang-22", "--config=" + config, "-O2", "-g", "-o", binary, source], check=True)
    subprocess.run([quincunx, "run", "-q", "--machine", "none", "-j", "2", "-o", corpus, "--", binary, "{}", ":::"] + [str(i) for i in range(runs)], check=True)
    text = subprocess.run([quincunx, "explain", "--json", corpus], check=True, capture_output=True, text=True).stdout
    return json.loads(text)


def judge(program, j):
    """What is wrong: one line for each place where another function or line comes first."""
    wrong = []

    def expect(where, functions, lines):
        if not program.inlined and (not functions or functions[0]["name"] != program.planted):
            wrong.append(f"{where}: {functions[0]['name'] if functions else 'no function'} comes first")
        if not lines or lines[0]["line"] not in program.lines:
            wrong.append(f"{where}: line {lines[0]['line'] if lines else 'none'} comes first")

    expect("variance", j["functions"], j["lines"])
    if program.kind == "modes":
        if len(j["groups"]) != 2:
            return wrong + [f"{len(j['groups'])} groups, excess {j['humps']['excess']:.3f}"]
        against = j["groups"][1]["against"]
        functions = [f for f in against["functions"] if abs(f["share"]) >= 0.01]
        functions.sort(key=lambda f: -abs(f["apart"]) if f["apart"] is not None else -1e9)
        expect("groups", functions, against["lines"])
    else:
        if j["groups"] and program.kind == "slow":
            wrong.append(f"{len(j['groups'])} groups where there is a tail")
        expect("tail", j["tail"]["functions"], j["tail"]["lines"])
    if program.kind == "slow" and (not j["branches"] or j["branches"][0]["line"] != program.cause):
        wrong.append("branches: the planted if does not come first")
    return wrong


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--programs", type=int, default=30 if os.environ.get("QUINCUNX_FULL") else 4)
    options.add_argument("--seed", type=int, default=1)
    o = options.parse_args()
    right = mean = 0
    for seed in range(o.seed, o.seed + o.programs):
        program = Program(seed)
        with tempfile.TemporaryDirectory() as folder:
            j = profile(program, folder)
        wrong = judge(program, j)
        right += not wrong
        mean += max(j["functions"], key=lambda f: f["mean"])["name"] == program.planted
        print(f"{'ok  ' if not wrong else 'FAIL'} {seed} {program.kind} {program.planted}{' (may be inlined)' if program.inlined else ''}"
              + "".join("\n     " + w for w in wrong), flush=True)
    print(f"explain.py: the planted cause first in {right} of {o.programs} programs; largest share of the mean in {mean}")
    return 0 if right >= 0.9 * o.programs else 1


if __name__ == "__main__":
    sys.exit(main())
