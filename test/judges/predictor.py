#!/usr/bin/env python3
"""What record=predictor counted, from `quincunx corpus dump`; shares no code with lib/.

    predictor.py [--quincunx PROGRAM] edges CORPUS.qx          function, ends, kind and count of every edge with a counter
    predictor.py [--quincunx PROGRAM] sums CORPUS.qx           per function what it missed, in the order of `what` below
    predictor.py [--quincunx PROGRAM] within CORPUS.qx FUNCTION WHAT LOW HIGH...
                                                               status 1 when a sum is not within LOW and HIGH

Sums are over all runs. The runs of two builds of one program have the same `edges`, whatever else was recorded."""
import collections
import subprocess
import sys

what = ("branch", "switch", "call", "l2Hit", "l3Hit", "memoryAccess", "prefetchedLine", "pageWalk")


def read(quincunx, corpus):
    """Functions as (name, edges, {what: value}); edges as (fields, value)."""
    dump = subprocess.run([quincunx, "corpus", "dump", corpus], check=True, capture_output=True, text=True).stdout
    functions, edges, words = {}, collections.defaultdict(list), collections.defaultdict(list)
    counts = collections.Counter()
    for line in dump.splitlines():
        kind, *f = line.split("\t")
        of = tuple(f[:2])
        if kind == "function":
            functions[of] = (f[2], int(f[3]))
        elif kind == "edge" and f[6] != "-":
            edges[of].append(((f[3], f[4], f[5], f[6]), int(f[6])))
        elif kind == "block" and f[-1] != "-":
            words[of] += [(what[3 + i], int(f[-1]) + i) for i in range(5)]
        elif kind == "branch" and f[9] != "-":
            words[of].append(("branch" if f[4] == "if" else "switch", int(f[9])))
        elif kind == "call" and f[8] != "-":
            words[of].append(("call", int(f[8])))
        elif kind == "count":
            counts[f[1], int(f[2])] += int(f[3])
    for of, (name, first) in functions.items():
        sums = collections.Counter()
        for kind, word in words[of]:
            sums[kind] += counts[of[0], first + word]
        yield name, [(fields, counts[of[0], first + word]) for fields, word in edges[of]], sums


def main(arguments):
    quincunx = "quincunx"
    if arguments[:1] == ["--quincunx"]:
        quincunx, arguments = arguments[1], arguments[2:]
    if len(arguments) < 2 or arguments[0] not in ("edges", "sums", "within"):
        print(__doc__, file=sys.stderr)
        return 2
    verb, corpus, *wanted = arguments
    functions = list(read(quincunx, corpus))
    if verb == "edges":
        for name, edges, _ in functions:
            for fields, value in edges:
                print(name, *fields, value)
        return 0
    if verb == "sums":
        for name, _, sums in functions:
            print(name, *(sums[w] for w in what))
        return 0
    good = len(wanted) >= 4 and len(wanted) % 4 == 0
    for function, kind, low, high in zip(*[iter(wanted)] * 4):
        seen = [sums[kind] for name, _, sums in functions if name == function]
        fits = len(seen) == 1 and kind in what and int(low) <= seen[0] <= int(high)
        good &= fits
        print(f"{'ok  ' if fits else 'FAIL'} {function} {kind}: {seen}, wanted {low} to {high}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
