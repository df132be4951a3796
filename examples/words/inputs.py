#!/usr/bin/env python3
"""Writes texts for words.cpp: inputs.py FOLDER N [SEED]. Text i does not depend on N. It does not run the program."""
import math
import os
import random
import sys


def main(folder, count, seed="1"):
    os.makedirs(folder, exist_ok=True)
    for i in range(int(count)):
        r = random.Random(f"words:{seed}:{i}")
        n = int(min(200000, max(100, r.lognormvariate(math.log(9000), 0.9))))
        vocabulary = int(n ** r.uniform(0.5, 0.95))  # a list of names has more words than prose of its length
        words = (f"w{int(vocabulary * r.random() ** 3):x}" for _ in range(n))
        with open(os.path.join(folder, f"{i:04d}.txt"), "w", encoding="ascii") as f:
            f.writelines(w + ("\n" if k % 12 == 11 else " ") for k, w in enumerate(words))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: inputs.py FOLDER N [SEED]")
    main(*sys.argv[1:])
