#!/usr/bin/env python3
"""Judges record=calls. Needs a program built with record=calls,blocks whose function `work` is called once per argument.

    calls.py --quincunx TOOL [--root FUNCTION] [--same OTHER] PROGRAM ARGUMENT...

1. The sum of ROOT's calls equals what all blocks cost: counts of the blocks' own counters times the weights in the map.
2. What `work` costs for one argument is known from a run with that argument alone; a run with all arguments must have exactly
   these costs in its histogram, bucket by bucket, and their sum.
3. All functions of OTHER, a build of the same program, have the same sums and histograms.
It derives buckets by its own arithmetic (fractions). Prints one line per failure; status 1 when there is one."""
import argparse
import collections
import fractions
import math
import subprocess
import sys
import tempfile

options = argparse.ArgumentParser()
options.add_argument("--quincunx", required=True)
options.add_argument("--root")
options.add_argument("--same")
options.add_argument("program")
options.add_argument("arguments", nargs="+")
options = options.parse_args()
failures = 0


def bucket(cost):
    """The smallest cost in the bucket of this one."""
    if cost < 128:
        return cost
    octave = 2 ** (cost.bit_length() - 1)
    part = (fractions.Fraction(cost, octave) - 1) * 64 // 1
    return math.ceil(octave * (1 + fractions.Fraction(part, 64)))


def check(what, seen, wanted):
    global failures
    if seen != wanted:
        failures += 1
        print(f"{options.program}: {what}: {seen}, but should be {wanted}")


class Corpus:
    """Maps and runs of a corpus, from its dump."""

    def __init__(self, path):
        self.functions, self.blocks, self.runs, self.costs = {}, collections.defaultdict(list), {}, {}
        text = subprocess.run([options.quincunx, "corpus", "dump", path], check=True, capture_output=True, text=True).stdout
        labels = {}
        for fields in (line.split("\t") for line in text.splitlines()):
            if fields[0] == "function":
                self.functions[int(fields[2])] = fields
            elif fields[0] == "block":
                self.blocks[int(fields[2])].append(fields)
            elif fields[0] == "run":
                labels[fields[1]] = fields[2]
                self.runs[fields[2]] = collections.Counter()
            elif fields[0] == "count":
                self.runs[labels[fields[1]]][int(fields[3])] += int(fields[4])
            elif fields[0] == "costs":
                histogram = dict(tuple(map(int, pair.split(":"))) for pair in fields[6].split(","))
                self.costs[labels[fields[1]], int(fields[3])] = int(fields[5]), histogram

    def calls(self, name, run):
        """The sum and the histogram of the calls of one function in one run."""
        for number, fields in self.functions.items():
            if name in fields[3] and (run, number) in self.costs:
                return self.costs[run, number]
        raise SystemExit(f"{name} is not recorded")

    @property
    def names(self):
        return {fields[3] for fields in self.functions.values()}

    def named(self, name, run):
        """Per function of this name, the sum and the histogram of its calls."""
        return sorted(str(self.costs[run, n]) for n, fields in self.functions.items() if fields[3] == name and (run, n) in self.costs)

    def cost(self, run):
        """What all blocks cost."""
        total = 0
        for f, blocks in self.blocks.items():
            weights = dict(pair.split(":") for pair in self.functions[f][7].split(",")) if self.functions[f][7] != "-" else None
            for block in blocks:
                count = self.runs[run][int(self.functions[f][4]) + int(block[7])]
                mix = [pair.split(":") for pair in block[5].split(",")] if block[5] != "-" else []
                total += count * sum(int(n) * int((weights or self.weights).get(kind, 0)) for kind, n in mix)
        return total

    @property
    def weights(self):
        return next(dict(p.split(":") for p in f[7].split(",")) for f in self.functions.values() if f[7] != "-")


with tempfile.TemporaryDirectory() as folder:
    def record(name, *arguments, program=options.program):
        path = f"{folder}/{name}.qx"
        subprocess.run([options.quincunx, "run", "-q", "--machine", "none", "-o", path, "--", program, *arguments], check=True, stdout=subprocess.DEVNULL)
        return Corpus(path)

    alone = record("alone", "{}", ":::", *options.arguments)
    costs = {}
    for argument in options.arguments:
        if options.root:
            check(f"sum of {options.root} with {argument}", alone.calls(options.root, argument)[0], alone.cost(argument))
        costs[argument], histogram = alone.calls("work", argument)
        check(f"calls of work with {argument}", histogram, {bucket(costs[argument]): 1})
    together = record("together", *options.arguments[:-1], "{}", ":::", options.arguments[-1])
    (run,) = together.runs
    seen, histogram = together.calls("work", run)
    check("sum of work", seen, sum(costs.values()))
    check("histogram of work", histogram, dict(collections.Counter(bucket(c) for c in costs.values())))
    if options.root:
        check(f"sum of {options.root}", together.calls(options.root, run)[0], together.cost(run))
    if options.same:
        other = record("other", "{}", ":::", *options.arguments, program=options.same)
        for name in sorted(alone.names | other.names):
            for argument in options.arguments:
                check(f"calls of {name} with {argument}", alone.named(name, argument), other.named(name, argument))
    if len(set(costs.values())) < len(costs) / 2:
        print("arguments hardly differ: this proves nothing")
        failures += 1
sys.exit(failures != 0)
