#!/usr/bin/env python3
"""Writes inputs for scale.c: inputs.py FOLDER N [SEED]. Case i does not depend on N. Also writes cases.tsv
(id, standard input, arguments, parameters), which `quincunx run --cases` reads. It does not run the program."""
import math
import os
import random
import sys


def numbers(r, kind, n):
    v = [r.gauss(0, 1) * 10 ** r.uniform(0, 3) for _ in range(n)]
    if kind == "rising":
        v.sort()
    elif kind == "falling":
        v.sort(reverse=True)
    elif kind == "nearly":
        v.sort()
        for _ in range(n // 20):
            i, j = r.randrange(n), r.randrange(n)
            v[i], v[j] = v[j], v[i]
    return v


def main(folder, count, seed="1"):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "cases.tsv"), "w") as cases:
        for i in range(int(count)):
            r = random.Random(f"scale:{seed}:{i}")
            kind = r.choice(("shuffled", "shuffled", "nearly", "rising", "falling"))
            n = int(min(8000, max(10, r.lognormvariate(math.log(900), 0.8))))
            name = f"{i:04d}.txt"
            with open(os.path.join(folder, name), "w") as f:
                f.writelines("%.4f\n" % x for x in numbers(r, kind, n))
            cases.write(f"{i:04d}\t{name}\t{r.choice((0.05, 0.1, 0.25))}\tkind={kind} n={n}\n")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: inputs.py FOLDER N [SEED]")
    main(*sys.argv[1:])
