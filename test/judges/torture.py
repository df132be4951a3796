#!/usr/bin/env python3
"""GCC's own execution tests (gcc.c-torture/execute, and what runs of g++.dg/torture, eh and coroutines) in all tiers; what is
demanded, and the options, is in tiers.py. A test is compiled with the options that it asks for itself, where it asks for all
targets; whichever clang does not take, or compiles to something that fails without the flag, is left out.

    torture.py [N] [--from I] [--all-levels] [--levels L,...]      all tests, or N of them; they are shuffled, always alike

What it fetches: torture.sh."""
import glob
import os
import random
import re
import subprocess
import sys

import tiers

DIALECTS = {  # what GCC 12 takes with a warning, and old tests use
    ".c": ["clang", "-std=gnu17", "-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-int-conversion",
           "-Wno-incompatible-pointer-types", "-Wno-return-type", "-Wno-return-mismatch"],
    ".C": ["clang++", "-std=gnu++17"]}

LEFT_OUT = ("snprintf-chk.c",  # counts which calls the optimiser left; so does vsnprintf-chk.c
            "/execute/return-addr.c")  # prints an address of its stack, another one in every run


def tests():
    """[source files]"""
    folder = subprocess.run(["sh", os.path.join(tiers.here, "torture.sh")], check=True,
                            stdout=subprocess.PIPE, text=True).stdout.strip()
    c = os.path.join(folder, "gcc.c-torture/execute/")
    found = [[f] for pattern in ("*.c", "ieee/*.c") for f in glob.glob(c + pattern)]
    found += [[f.replace("-lib.c", ".c"), f, c + "builtins/lib/main.c"] for f in glob.glob(c + "builtins/*-lib.c")]
    found += [[f] for f in glob.glob(folder + "/g++.dg/**/*.C", recursive=True) if re.search(r"dg-do\s+run\b", text(f))]
    found.sort()
    random.Random(1).shuffle(found)
    return [f for f in found if not f[0].endswith(LEFT_OUT)]


def text(path):
    with open(path, errors="replace") as f:
        return f.read()


def write(which):
    sources = found[which - 1]
    asked = re.findall(r'dg-(?:additional-)?options\s+\{?\s*"([^"]*)"\s*\}', text(sources[0]))
    compiler, *flags = DIALECTS[os.path.splitext(sources[0])[1]]
    coroutines = "/coroutines/" in sources[0]
    words = [f"{compiler}-{tiers.llvm}", *(["-std=c++20"] if coroutines else flags), "-w", *" ".join(asked).split(), *sources, "-lm"]
    return tiers.Program("/".join(sources[0].split("/")[-2:]), words, same=not coroutines)


found = tests()

if __name__ == "__main__":
    sys.exit(tiers.judged(write, tiers.options_of(__doc__, nargs="?", default=len(found)), len(found) + 1))
