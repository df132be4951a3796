#!/usr/bin/env python3
"""Judges lines and the arms of branches against Clang's source-based coverage.

    lines.py [-O LEVEL]... [PROGRAM]...     by default -O0 and -O2, and all programs of lines/
    lines.py [-O LEVEL]... --corpus NAME... [--runs N]    lines of programs of corpus/, built at -O0, too
    lines.py [-O LEVEL]... --generated FIRST..LAST        lines of random programs of these seeds (branchy_programs.py)

Each program is built twice: with quincunx, at each level, and with -fprofile-instr-generate -fcoverage-mapping. Both run the same
input. For every condition that coverage counts, the question `p(branch FILE:LINE) *= 1` must say its share of true outcomes, with the
same number of evaluations. By definition they may differ where

    merged      the compiler made one branch of a whole condition, or none (a select): other evaluations, or no branch
    switch      coverage has a condition per case
    negated     a part of `!(a || b)`: coverage has a, quincunx what is true of the whole

These are counted, and may be no more than two in three; a share that is the complement is always an error, and so is a branch of the
same evaluations and another share.

The executions of every line that annotate shows, of the program and of what it includes (*.part), are compared with coverage's. By
definition they may differ on lines of a macro, of several statements or conditions, of braces that open a function or close something, and
behind calls that did not return, which coverage takes for executed (and so does not -O0, which is asked then).
The others are equal, or said not to be known (>=, ?) and not below what is said. A line that
-O0 shows is shown at every level, but for a jump alone on its line (`break;`), to which Clang gives no place at other levels where scopes end with it. Programs
of corpus/ are run twice with coverage: lines that differ do not repeat, and are left out. In a corpus less than 0.5 % of the executed lines may be
wrong. Random programs are compared with -O0 (which coverage judges in the other programs), as most of their lines hold parts of conditions. Status 1 on any error."""
import argparse
import collections
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

import branchy_programs

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


def shown(corpus, paths):
    """Per file and line: executions in all runs that annotate knows, and whether these are all."""
    found = json.loads(call(quincunx, "annotate", "--json", corpus, *paths, check=False).stdout)
    runs = found["runs"]["used"]
    return {f["file"]: {l["line"]: (l["mean"] * runs, l["allKnown"]) for l in f["lines"]} for f in found["files"]}


def covered(program="covered", data="covered.data"):
    """Per file and line: executions that coverage counts."""
    files = {}
    for text in call(f"llvm-cov-{llvm}", "export", "-format=lcov", program, f"-instr-profile={data}").stdout.split("SF:")[1:]:
        files[text.split("\n")[0]] = {int(l): int(n) for l, n in re.findall(r"^DA:(\d+),(\d+)", text, re.M)}
    return files


def byDefinition(text):
    """Do several regions stand on the line, or nothing that is executed?"""
    code = re.sub(r'"[^"]*"|\'[^\']*\'|//.*', "", text)
    return (code.strip(" }\t;") == "" or re.search(r"\b[A-Z]{3,}\(|#define|[?]|&&|\|\||\bfor\b|\bdo\b|\bcase\b", code) is not None
            or (code.rstrip().endswith("{") and not re.search(r"\b(if|while|else|switch)\b", code))
            or code.count(";") > 1 or ("{" in code and "}" in code))


def isJump(text):
    """Is a jump all that stands on the line?"""
    return re.fullmatch(r"\s*((case\b.*|default\s*|\w+\s*):)?\s*(break|continue|goto \w+|return( \w+)?)\s*;\s*(/[/*].*)?", text) is not None


nothing = (None, True)


def compare(path, theirs, ours, plain, tally):
    """Tallies the lines of a file that were executed or shown so; returns those that are wrong. `plain`: as -O0 shows it. A count of
    theirs that is None does not repeat."""
    text, wrong = open(path, errors="replace").read().split("\n"), []
    for line, n in sorted(theirs.items()):
        m, known = ours.get(line, nothing)
        if n is None:
            tally["does not repeat"] += 1
            continue
        same = lambda x: x is not None and abs(x - n) <= 1e-4 * n + 0.01
        reference = plain.get(line, nothing)[0]
        if n == 0 and not m:
            continue
        if m is None:
            kind = "without code" if reference is None else "jump without place" if isJump(text[line - 1]) else "missing"
        elif not known:
            kind = "not known" if m == 0 else "at least" if m <= n * 1.0001 else "too high"
        elif same(m):
            kind = "same"
        elif reference is not None and abs(reference - m) <= 1e-4 * m + 0.01:
            kind = "as -O0"  # also where -O0 itself is judged: see below
        else:
            kind = "lower" if m < n else "higher"
        if kind in ("as -O0", "lower", "higher", "too high") and byDefinition(text[line - 1]):
            kind = "by definition"
        tally[kind] += 1
        if kind in ("missing", "lower", "higher", "too high"):
            wrong.append(f"{os.path.basename(path)}:{line}: executed {n} times, shown {'nothing' if m is None else f'{m:g}'}")
    return wrong


def said(name, level, tally):
    print(f"{name} {level}, lines: " + ", ".join(f"{n} {k}" for k, n in tally.most_common()))


def judgeLines(path, level, plain):
    """`plain` is filled at -O0, the first level."""
    ours = shown("c.qx", [path])[path]
    if level == "-O0":
        plain[path] = ours
    tally = collections.Counter()
    wrong = compare(path, covered()[path], ours, plain.get(path, {}) if level != "-O0" else {}, tally)
    said(os.path.basename(path), level, tally)
    return [f"{level} {w}" for w in wrong]


class Corpus:
    """A program of corpus/, its builds and runs."""

    def __init__(self, name, runs):
        self.name, self.runs = name, str(runs)
        self.sh("inputs")

    def sh(self, step, tag="plain", **env):
        script = os.path.join(root, "corpus", self.name + ".sh")
        return call("sh", script, step, env=dict(env, QC_WORK=os.getcwd(), TAG=tag, N=self.runs)).stdout

    def build(self, tag, flags, **env):
        """Program and inputs."""
        self.sh("build", tag, CFLAGS=flags, **env)
        program, inputs = self.sh("path", tag).strip().split("\t")
        return program, inputs

    def covered(self):
        flags = "-fprofile-instr-generate -fcoverage-mapping"
        program, inputs = self.build("covered", "-O0 -g " + flags, LDFLAGS=flags)
        first, again = (self.ranCovered(program, inputs) for _ in range(2))
        return {path: {line: n if again[path].get(line) == n else None for line, n in lines.items()} for path, lines in first.items()}

    def ranCovered(self, program, inputs):
        profiles = []
        for row in open(os.path.join(inputs, "cases.tsv")):
            case, stdin, words, _ = row.rstrip("\n").split("\t")
            profiles.append(os.path.abspath(f"{self.name}-{case}.raw"))
            with open(os.path.join(inputs, stdin) if stdin != "-" else os.devnull, "rb") as f:
                subprocess.run([program] + shlex.split(words), cwd=inputs, stdin=f, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=dict(os.environ, LC_ALL="C", TZ="UTC", OMP_NUM_THREADS="2", LLVM_PROFILE_FILE=profiles[-1]))
        call(f"llvm-profdata-{llvm}", "merge", *profiles, "-o", "corpus.data")
        folder = os.path.dirname(program)
        return {os.path.relpath(path, folder): lines for path, lines in covered(program, "corpus.data").items()
                if path.startswith(os.path.dirname(folder) + os.sep)}

    def shown(self, level, paths):
        flags = f"--config={config} -fplugin-arg-quincunx-record=counts"
        program, inputs = self.build("counted" + level, level + " -g", CC=f"clang-{llvm} {flags}", CXX=f"clang++-{llvm} {flags}")
        recorded, folder = program + ".qx", os.path.dirname(program)
        subprocess.run([quincunx, "run", "-q", "--machine", "none", "-o", recorded, "--cases", "cases.tsv", "--", program], cwd=inputs, check=True,
                       env=dict(os.environ, LC_ALL="C", TZ="UTC", OMP_NUM_THREADS="2"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        found = shown(recorded, [os.path.normpath(os.path.join(folder, p)) for p in paths])
        return folder, {os.path.relpath(path, folder): lines for path, lines in found.items()}


def judgeCorpus(name, levels, runs):
    corpus, wrong = Corpus(name, runs), []
    theirs = corpus.covered()
    _, plain = corpus.shown("-O0", sorted(theirs))
    for level in levels:
        folder, ours = corpus.shown(level, sorted(theirs))
        tally, lines = collections.Counter(), []
        for path, counts in sorted(theirs.items()):
            lines += compare(os.path.join(folder, path), counts, ours.get(path, {}), plain.get(path, {}), tally)
        said(name, level, tally)
        executed = sum(1 for f in theirs.values() for n in f.values() if n or n is None)
        print(f"{name} {level}: {len(lines)} of {executed} executed lines wrong, {len(lines) / executed:.2%}")
        if len(lines) > 0.005 * executed:
            wrong += [f"{name} {level} {text}" for text in lines]
    return wrong


def judgeGenerated(seed, levels):
    name, wrong, counts = f"branchy{seed}.c", [], {}
    with open(name, "w") as f:
        f.write(branchy_programs.Program(seed).text())
    text = open(name).read().split("\n")
    for level in ["-O0"] + [l for l in levels if l != "-O0"]:
        corpus = f"{seed}{level}.qx"
        call(f"clang-{llvm}", f"--config={config}", "-fplugin-arg-quincunx-record=counts", level, "-g1", "-w", name, "-o", "counted")
        call(quincunx, "run", "-q", "--machine", "none", "--repeat", "1", "-o", corpus, "--", "./counted")
        counts[level] = {l: m for lines in shown(corpus, [name]).values() for l, m in lines.items()}
        tally = collections.Counter()
        for line, (n, _) in counts["-O0"].items():
            m, known = counts[level].get(line, nothing)
            code = text[line - 1].strip()
            if code == "}":
                continue
            if m is None:
                kind = "jump without place" if isJump(code) else "wrong"
            else:
                kind = "same" if known and m == n else "not known" if not known and m <= n else "wrong"
            tally[kind] += 1
            if kind == "wrong":
                wrong.append(f"{name}:{line} {level}: executed {n:g} times, shown {'nothing' if m is None else f'{m:g}'}: {code}")
        said(name, level, tally)
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
    call(quincunx, "run", "-q", "--machine", "none", "-o", "c.qx", "--", "./counted", "{}", ":::", argument)
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
    p.add_argument("--corpus", action="append", default=[], metavar="NAME")
    p.add_argument("--runs", type=int, default=12)
    p.add_argument("--generated", metavar="FIRST..LAST")
    p.add_argument("programs", nargs="*")
    a = p.parse_args()
    programs = [os.path.abspath(s) for s in a.programs]
    if not programs and not a.corpus and not a.generated:
        programs = sorted(glob.glob(os.path.join(here, "lines/*.c*")))
    levels = ["-O" + level for level in a.levels or ["0", "2"]]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in a.corpus:
            wrong += judgeCorpus(name, levels, a.runs)
        first, last = map(int, (a.generated or "1..0").split(".."))
        for seed in range(first, last + 1):
            wrong += judgeGenerated(seed, levels)
        for source in programs:
            plain = {}
            for level in levels:
                wrong += judge(source, level)
                parts = re.findall(r'#include "(\S+\.part)"', open(source).read())
                for part in [source] + [os.path.join(os.path.dirname(source), p) for p in sorted(set(parts))]:
                    wrong += judgeLines(part, level, plain)
    for text in wrong:
        print("error: " + text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
