#!/usr/bin/env python3
"""Whom calls through pointers call, as counts and types tell, against callgrind.

    bench/pointers.py [--inputs N] [--keep DIR] [NAME...]

For programs of corpus/: 200 inputs are counted, and N of them (6), evenly over what they cost but for the dearest fifth, are done again by the same program under callgrind. calls: those through pointers, by
callgrind. misplaced: of them, those that are told to be of another caller or callee. worst: the pair of which most is wrong, told and true.
In programs marked * the method was not looked at while it was made. Appends a table to bench/log/DATE-pointers.tsv. Needs pointer_calls of a build configured with -DQUINCUNX_BENCH=ON (build/no-llvm)."""
import argparse
import collections
import datetime
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("functions_bench", os.path.join(here, "functions.py"))
functions = importlib.util.module_from_spec(spec)
spec.loader.exec_module(functions)
bench = functions.bench
shaped = ("cjpeg", "lua", "jq", "mujs", "pugixml")
programs = (*shaped, "pcre2grep", "lame", "minigzip", "bzip2", "sqlite3")


def called(path):
    """(caller, callee): calls, of what callgrind wrote."""
    names, calls, caller, callee = {}, collections.Counter(), None, None
    with open(path, encoding="utf-8") as f:
        for line in f:
            if m := re.match(r"(c?fn)=\((\d+)\)(?: (.*))?$", line.rstrip("\n")):
                if m[3]:
                    names[m[2]] = re.sub(r"'\d+$", "", m[3])
                if m[1] == "fn":
                    caller = names[m[2]]
                else:
                    callee = names[m[2]]
            elif m := re.match(r"calls=(\d+)", line):
                calls[caller, callee] += int(m[1])
    return calls


def judge(name, folder, inputs):
    program = functions.Program(name, folder, 1)
    program.once("counted", program.count_all)
    counts = bench.report(program.corpus, "--machine", functions.instructions(folder))
    cheaper = sorted(counts, key=counts.get)[:len(counts) * 4 // 5]
    labels = bench.spread(counts, cheaper, inputs)
    counted, where = program.build("counted", program.flags("counted"))
    plain, out = program.path("stripped"), program.path("callgrind")
    subprocess.run(["strip", "--strip-debug", "-o", plain, counted], check=True)  # valgrind reads no DWARF 5
    truth = collections.Counter()
    for label, case in program.cases(where).items():
        if label in labels:
            line = f"valgrind --tool=callgrind --demangle=no --callgrind-out-file={out} {functions.command(plain, case)}"
            subprocess.run(["sh", "-c", line], cwd=where, env=dict(os.environ, QUINCUNX_OUT="", LC_ALL="C", TZ="UTC"))
            truth += called(out)
    told, named = {}, {}
    tool = os.path.join(bench.root, "build/no-llvm/bench/pointer_calls")
    for line in bench.sh(tool, program.corpus, *labels).splitlines():
        caller, callee, calls, by_name = line.split("\t")
        told[caller, callee], named[caller, callee] = float(calls) - float(by_name), float(by_name)
    known = {f for pair in told for f in pair}
    targets = {callee for (_, callee), calls in told.items() if calls > 0.5}
    true = {pair: max(0, calls - named.get(pair, 0)) for pair, calls in truth.items() if pair[0] in known and pair[1] in targets}
    wrong = {pair: abs(told.get(pair, 0) - true.get(pair, 0)) for pair in told.keys() | true.keys()}
    worst = max(wrong, key=wrong.get)
    return {"program": name + ("" if name in shaped else "*"), "calls": f"{sum(true.values()):.0f}", "told": f"{sum(told.values()):.0f}",
            "misplaced": f"{50 * sum(wrong.values()) / max(1, sum(true.values())):.1f} %",
            "worst": f"{worst[0]} > {worst[1]}: {told.get(worst, 0):.0f} / {true.get(worst, 0):.0f}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--inputs", type=int, default=6)
    parser.add_argument("--keep", help="folder for corpora; what is there is not measured again")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="quincunx-pointers-")
    os.makedirs(folder, exist_ok=True)
    rows = []
    for name in options.names or programs:
        rows.append(judge(name, folder, options.inputs))
        print("  ".join(f"{title} {value}" for title, value in rows[-1].items()), flush=True)
    now = datetime.datetime.now()
    commit = bench.sh("git", "-C", bench.root, "describe", "--always", "--dirty").strip()
    with open(os.path.join(bench.root, "bench/log", now.strftime("%Y-%m-%d-pointers.tsv")), "a", encoding="utf-8") as log:
        log.write(f"# {now:%Y-%m-%dT%H:%M} commit {commit}, {options.inputs} inputs each; * was not looked at while the method was made\n")
        log.write("\t".join(rows[0]) + "\n")
        for row in rows:
            log.write("\t".join(row.values()) + "\n")
    if not options.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
