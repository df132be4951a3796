#!/usr/bin/env python3
"""Random programs of csmith in all tiers; what is demanded, and the options, is in tiers.py.

    csmith.py N [--from SEED] [--all-levels] [--levels L,...]      N programs, from the seed (1) on

A program that runs for long without the flag is passed over for the next seed. Needs csmith and libcsmith-dev."""
import os
import shutil
import sys

import tiers

STYLES = (("--max-funcs", "5", "--no-volatiles"), ("--max-block-depth", "3"), ("--jumps",))


def write(seed):
    tiers.command("csmith", "csmith", "--seed", str(seed), *STYLES[seed % 3], "-o", "p.c")
    return tiers.Program(f"seed {seed}", [f"clang-{tiers.llvm}", "-w", "-I/usr/include/csmith", "p.c"])


if __name__ == "__main__":
    options = tiers.options_of(__doc__)
    if not shutil.which("csmith") or not os.path.exists("/usr/include/csmith/csmith.h"):
        sys.exit("csmith.py: error: csmith and libcsmith-dev are missing (scripts/deps test)")
    sys.exit(tiers.judged(write, options))
