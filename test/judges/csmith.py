#!/usr/bin/env python3
"""Random programs of csmith, each at one of -O0 to -O3 in turn, or at all four. What is demanded at a level: with the
flag (record=counts; counts,calls,runs; blocks,predictor) a program prints and returns what it does without; derived counts equal
the counters of all blocks; what is counted is the same whatever else is recorded.

    csmith.py N [--from SEED] [--all-levels]      N programs, from the seed (1) on

A program that runs for long without the flag is passed over for the next seed; with the flag none is. Environment:
LLVM, BUILD, JOBS as in common.sh. Needs csmith and libcsmith-dev. It does not judge what calls, runs and
predictor record."""
import argparse
import concurrent.futures
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile

import judge
import runs

LEVELS = ("-O0", "-O1", "-O2", "-O3")
TIERS = ("counts", "counts,calls,runs", "blocks,predictor")
STYLES = (("--max-funcs", "5", "--no-volatiles"), ("--max-block-depth", "3"), ("--jumps",))
PATIENCE = 3  # seconds that a plain program may run

llvm = os.environ.get("LLVM", "22")
build = os.environ.get("BUILD", os.path.join(judge.root, "build", "default" if llvm == "22" else "llvm-" + llvm))
config = os.path.join(build, "lib/quincunx", "quincunx.cfg" if llvm == "22" else f"quincunx-{llvm}.cfg")
quincunx = os.path.join(build, "bin/quincunx")


class Wrong(Exception):
    pass


class TooLong(Exception):
    pass


def command(what, *words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise Wrong(f"{what}: status {done.returncode}\n{done.stdout[-600:]}")
    return done.stdout


def compiled(level, *flags):
    program = os.path.join(os.getcwd(), "p")
    words = f"clang-{llvm}", *flags, level, "-w", "-I/usr/include/csmith", "-o", program, "p.c"
    command(" ".join(words), *words)
    return program


def executed(program, seconds, out=""):
    """Status and output; records go to `out`."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("QUINCUNX_")} | {"QUINCUNX_OUT": out}
    try:
        done = subprocess.run(program, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=environment, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise TooLong from None
    return done.returncode, done.stdout


def said(verb, *arguments):
    """The last line of a judge that is content."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        status = verb(*arguments)
    if status != 0:
        raise Wrong(text.getvalue()[-600:])
    return text.getvalue().splitlines()[-1]


def recorded(level, tier, wanted):
    """The dump of a run whose output is as wanted."""
    program = compiled(level, "--config=" + config, "-fplugin-arg-quincunx-record=" + tier)
    folder = tier + level + "/"
    os.mkdir(folder)
    try:
        seen = executed(program, 100 * PATIENCE, folder)
    except TooLong:
        raise Wrong(f"record={tier}: does not end") from None
    if seen != wanted:
        raise Wrong(f"record={tier}: {seen}, without the flag {wanted}")
    command("corpus add", quincunx, "corpus", "add", folder + "c.qx", *(folder + f for f in os.listdir(folder)))
    with open(folder + "c.dump", "w") as f:
        f.write(command("corpus dump", quincunx, "corpus", "dump", folder + "c.qx"))
    return f.name


def judged(seed, levels):
    """(verdict, text) of a program."""
    with tempfile.TemporaryDirectory(prefix="quincunx-csmith-") as folder:
        level = ""
        try:
            os.chdir(folder)
            command("csmith", "csmith", "--seed", str(seed), *STYLES[seed % 3], "-o", "p.c")
            plain = {}
            for level in dict.fromkeys(("-O0", *levels)):  # a loop without end is not always one when optimised
                plain[level] = executed(compiled(level), PATIENCE)
            words = []
            for level in levels:
                few, all, blocks = (recorded(level, tier, plain[level]) for tier in TIERS)
                equal = said(runs.same, few, all)
                words.append(f"{level}: {equal}; {said(judge.judge_counts, judge.read(blocks, quincunx), None)}")
            return "ok", ", ".join(words)
        except TooLong:
            return "skip", f"{level}: runs for more than {PATIENCE} s without the flag"
        except Wrong as e:
            return "FAIL", f"{level}: {e}"
        finally:
            os.chdir("/")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("n", metavar="N", type=int)
    options.add_argument("--from", metavar="SEED", dest="first", type=int, default=1)
    options.add_argument("--all-levels", action="store_true")
    options = options.parse_args()
    for needed in (shutil.which("csmith"), "/usr/include/csmith/csmith.h"):
        if needed is None or not os.path.exists(needed):
            sys.exit("csmith.py: error: csmith and libcsmith-dev are missing (scripts/deps test)")
    for needed in (config, quincunx):
        if not os.path.exists(needed):
            sys.exit(f"csmith.py: error: no {needed}, build the project first")
    count = {"ok": 0, "FAIL": 0, "skip": 0}
    with concurrent.futures.ProcessPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        at, pending = options.first, {}
        while count["ok"] + count["FAIL"] < options.n:
            while at < options.first + options.n + count["skip"]:
                pending[pool.submit(judged, at, LEVELS if options.all_levels else (LEVELS[at % 4],))] = at
                at += 1
            for done in concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED).done:
                verdict, text = done.result()
                count[verdict] += 1
                print(f"{verdict:4} seed {pending.pop(done)} {text}", flush=True)
    print(f"csmith.py: seeds {options.first} to {at - 1}: {count['ok']} passed, {count['FAIL']} failed, "
          f"{count['skip']} passed over")
    return count["FAIL"] != 0 or count["ok"] == 0


if __name__ == "__main__":
    sys.exit(main())
