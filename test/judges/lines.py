#!/usr/bin/env python3
"""Judges lines and the arms of branches against Clang's source-based coverage.

    lines.py [-O LEVEL]... [PROGRAM]...     by default -O0 and -O2, and all programs of lines/

Each program is built twice: with quincunx, at each level, and with -fprofile-instr-generate -fcoverage-mapping. Both run the same
input. For every condition that coverage counts, the question `p(branch FILE:LINE) *= 1` must say its share of true outcomes, with the
same number of evaluations. By definition they may differ where

    merged      the compiler made one branch of a whole condition, or none (a select): other evaluations, or no branch
    switch      coverage has a condition per case
    negated     a part of `!(a || b)`: coverage has a, quincunx what is true of the whole

These are counted, and may be no more than two in three; a share that is the complement is always an error, and so is a branch of the
same evaluations and another share.

The executions of every line that annotate shows, of the program and of what it includes (*.part), are compared with coverage's. By
definition they may differ on lines of a macro, of several statements or conditions, and of braces that open a function or close something. Without optimisation the
others are equal; with it they are no higher (what the clean-up merged or removed is not counted at its line), and less than
one in ten is lower. Status 1 on any error."""
import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
build = os.environ.get("BUILD", os.path.join(root, "build/default"))
quincunx = os.path.join(build, "bin/quincunx")
llvm = os.environ.get("LLVM", "22")
config = os.path.join(build, "lib/quincunx/quincunx%s.cfg" % ("" if llvm == "22" else "-" + llvm))
argument = "999"


def call(*words, env=None, check=True):
    done = subprocess.run(words, capture_output=True, text=True, env=dict(os.environ, **(env or {})))
    if check and done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done


def coverage(compiler, source):
    """Per line and column of a condition: [true, false] of all copies."""
    call(compiler, "-O0", "-fprofile-instr-generate", "-fcoverage-mapping", source, "-o", "covered")
    call("./covered", argument, env={"LLVM_PROFILE_FILE": "covered.raw"})
    call(f"llvm-profdata-{llvm}", "merge", "covered.raw", "-o", "covered.data")
    exported = json.loads(call(f"llvm-cov-{llvm}", "export", "covered", "-instr-profile=covered.data").stdout)
    conditions = collections.defaultdict(lambda: [0, 0])
    for f in exported["data"][0]["functions"]:
        for b in f["branches"]:
            conditions[b[0], b[1]][0] += b[4]
            conditions[b[0], b[1]][1] += b[5]
    return conditions


def shown(path):
    """Per line: executions that annotate shows."""
    lines = {}
    for text in call(quincunx, "annotate", "c.qx", path).stdout.split("\n"):
        row = re.match(r"\s*([\d.e+]+)\s.*?\s(\d+)\| ", text[:60])
        if row:
            lines[int(row[2])] = float(row[1])
    return lines


def covered(path):
    """Per line: executions that coverage counts."""
    text = call(f"llvm-cov-{llvm}", "export", "-format=lcov", "covered", "-instr-profile=covered.data", "-sources", path).stdout
    return {int(line): int(n) for line, n in re.findall(r"^DA:(\d+),(\d+)", text, re.M)}


def byDefinition(text):
    """Do several regions stand on the line, or nothing that is executed?"""
    code = re.sub(r'"[^"]*"|\'[^\']*\'|//.*', "", text)
    return (code.strip(" }\t;") == "" or re.search(r"\b[A-Z]{3,}\(|#define|[?]|&&|\|\||\bfor\b|\bdo\b|\bcase\b", code) is not None
            or (code.rstrip().endswith("{") and not re.search(r"\b(if|while|else|switch)\b", code))
            or code.count(";") > 1 or ("{" in code and "}" in code))


def judgeLines(path, level):
    text, theirs, ours = open(path).read().split("\n"), covered(path), shown(path)
    tally, wrong = collections.Counter(), []
    for line, n in sorted(ours.items()):
        if byDefinition(text[line - 1]) or line not in theirs:
            tally["by definition"] += 1
        elif abs(n - theirs[line]) <= 1e-4 * n:
            tally["same"] += 1
        else:
            tally["lower" if n < theirs[line] else "higher"] += 1
            wrong.append(f"{os.path.basename(path)}:{line} {level}: executed {theirs[line]} times, shown {n:g}")
    if tally["higher"] == 0 and level != "-O0" and tally["lower"] * 10 < tally["same"]:
        wrong = []
    print(f"{os.path.basename(path)} {level}, lines: " + ", ".join(f"{n} {k}" for k, n in tally.most_common()))
    return wrong


def answers(source, line):
    """(evaluations, true) of each branch of a line, as whatif says them."""
    def ask(place):
        done = call(quincunx, "whatif", "c.qx", f"p(branch {place}) *= 1", check=False)
        return done.stdout + done.stderr
    name = os.path.basename(source)
    text = ask(f"{name}:{line}")
    texts = [ask(f"{name}:{line}:{c}") for c in re.findall(rf"{re.escape(name)}:{line}:(\d+)", text)] or [text]
    found = []
    for t in texts:
        said = re.search(r"true\s+in\s+([\d.e+-]+)\s+%\s+of\s+([\d.e+]+)\s+evaluations", t)
        if said:
            found.append((float(said[2]), float(said[1]) / 100))
    return found


def judge(source, level):
    compiler = ("clang++-" if source.endswith("pp") else "clang-") + llvm
    conditions = coverage(compiler, source)
    call(compiler, f"--config={config}", level, "-g", source, "-o", "counted")
    if os.path.exists("c.qx"):
        os.remove("c.qx")
    call(quincunx, "run", "-q", "-o", "c.qx", "--", "./counted", "{}", ":::", argument)
    text = open(source).read().split("\n")
    tally, wrong = collections.Counter(), []
    for line in sorted({l for l, _ in conditions}):
        said = answers(source, line)
        for column in sorted(c for l, c in conditions if l == line):
            yes, no = conditions[line, column]
            n = yes + no
            if n == 0:
                continue
            same = [p for m, p in said if abs(m - n) < 0.01 * n]
            if any(abs(p - yes / n) < 0.002 for p in same):
                tally["same"] += 1
            elif re.match(r"\s*(case|default)\b", text[line - 1]):
                tally["switch"] += 1
            elif any(abs(p - no / n) < 0.002 for p in same) and "!(" in text[line - 1]:
                tally["negated"] += 1
            elif not same or len([c for l, c in conditions if l == line]) > 1:
                tally["merged"] += 1
            else:
                wrong.append(f"{os.path.basename(source)}:{line}:{column} {level}: {yes} of {n} true, said {same}")
    if tally["same"] * 3 < sum(tally.values()):
        wrong.append(f"{source} {level}: too few conditions could be compared")
    print(f"{os.path.basename(source)} {level}: " + ", ".join(f"{n} {k}" for k, n in tally.most_common()))
    return wrong


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("-O", action="append", dest="levels", metavar="LEVEL")
    p.add_argument("programs", nargs="*")
    a = p.parse_args()
    programs = [os.path.abspath(s) for s in a.programs] or sorted(glob.glob(os.path.join(here, "lines/*.c*")))
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for source in programs:
            for level in a.levels or ["0", "2"]:
                wrong += judge(source, "-O" + level)
                parts = re.findall(r'#include "(\S+\.part)"', open(source).read())
                for part in [source] + [os.path.join(os.path.dirname(source), p) for p in sorted(set(parts))]:
                    wrong += judgeLines(part, "-O" + level)
    for text in wrong:
        print("error: " + text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
