#!/usr/bin/env python3
"""How long `quincunx lsp` takes to answer about sqlite3.c, and appends it to bench/log.

    bench/editor.py [--runs N]      builds the program of corpus/sqlite3.sh with counts, records N inputs (200)

A client opens the source and asks for all lenses, the hints of a screen of 50 lines, of the whole file, and hovers, 30 times each at other places.
The row has the median and the longest answer, in ms, from the first byte of the request to the last of the answer, the same of the time that the
server's thread had a processor (on a busy machine the wall clock measures that), and how long reading the corpus took before that. Then a character is typed above all functions and the lenses are asked for again. It passes and fails on nothing."""
import argparse
import datetime
import os
import random
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "test/editor"))
TOOL = os.path.join(os.path.abspath(os.environ.get("BUILD") or os.path.join(ROOT, "build/default")), "bin/quincunx")
os.environ["QUINCUNX"] = TOOL

from lsp_client import Client  # noqa: E402: it is found there


def sqlite(runs):
    """A corpus, and the source."""
    flags = subprocess.run([TOOL, "flags"], check=True, capture_output=True, text=True).stdout.strip()
    env = dict(os.environ, TAG="editor", N=str(runs), CC=f"clang-22 {flags}", CFLAGS="-O2 -g")
    script = os.path.join(ROOT, "corpus/sqlite3.sh")
    for step in ("build", "inputs"):
        subprocess.run(["sh", script, step], env=env, check=True)
    program, inputs = subprocess.run(["sh", script, "path"], env=env, check=True, capture_output=True, text=True).stdout.strip().split("\t")
    corpus = os.path.join(os.path.dirname(program), "editor.qx")
    if os.path.exists(corpus):
        os.remove(corpus)
    subprocess.run([TOOL, "run", "-q", "--machine", "none", "-o", corpus, "--cases", "cases.tsv", "--", program], cwd=inputs, check=True)
    return corpus, os.path.join(os.path.dirname(os.path.dirname(program)), "amalgamation/sqlite3.c")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=200)
    runs = options.parse_args().runs
    corpus, source = sqlite(runs)
    lines = open(source, encoding="utf-8", errors="replace").read().split("\n")
    began = time.monotonic()
    client = Client([corpus], os.path.dirname(source))
    client.open(source)
    lenses = client.lenses(source)
    reading = time.monotonic() - began
    client.hints(source)  # has the lines read
    dice = random.Random(1)
    places = [line for line in lenses for _ in range(3)]

    def hover(line):
        client.hover(source, line, max(lines[line - 1].find("("), 1) - 1)

    def typed(line):
        client.change(source, (0, 0), (0, 0), "x\n")
        client.lenses(source)

    asked = {"codeLens": lambda line: client.lenses(source), "inlayHint of 50 lines": lambda line: client.hints(source, line, line + 50),
             "inlayHint": lambda line: client.hints(source), "hover": hover, "codeLens after a key": typed}
    def ran():
        """Seconds that the thread which answers was running."""
        with open(f"/proc/{client.process.pid}/schedstat") as stat:
            return int(stat.read().split()[0]) / 1e9

    today = datetime.date.today().isoformat()
    log = os.path.join(ROOT, f"bench/log/{today}-editor.tsv")
    new = not os.path.exists(log)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    with open(log, "a") as out:
        if new:
            out.write("commit\truns\tlines\tlenses\treading (s)\trequest\tmedian (ms)\tlongest (ms)\tprocessor, median (ms)\tlongest (ms)\n")
        for name, ask in asked.items():
            times, own = [], []
            for line in dice.sample(places, 30):
                start, before = time.monotonic(), ran()
                ask(line)
                times.append(1000 * (time.monotonic() - start))
                own.append(1000 * (ran() - before))
            row = f"{commit}\t{runs}\t{len(lines)}\t{len(lenses)}\t{reading:.1f}\t{name}"
            row += "".join(f"\t{x:.1f}" for t in (times, own) for x in (statistics.median(t), max(t)))
            print(row)
            out.write(row + "\n")
    client.end()


if __name__ == "__main__":
    main()
