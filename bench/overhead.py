#!/usr/bin/env python3
"""What counting costs when programs run: each program of corpus/, plain and in every variant of prices.py.

    bench/overhead.py [--variants pgo,counts,...] [--against BUILD] [--rounds 15] [--inputs 10] [--probes 4] [--log FILE.tsv] [NAME...]

Instructions decide. They are user-mode instructions of whole processes, recording included: by `perf stat` where it is
granted, else by valgrind's callgrind ("Collected"), which is exact and slow, on the first `probes` inputs. Time is
cycles by `perf stat` where granted, else user plus system CPU time, over `inputs` inputs, repeated within a round until
a round of the plain program takes a tenth of a second. Rounds are paired and interleaved, see prices.py. Records go to
a scratch folder; --coverage adds to that of the run before, as it always does, the others replace it.

--against BUILD: what a counter costs that others have not, as ratios of counts to counts by another build.

Appends a line for each program and variant, and geometric means, to bench/log/DATE-overhead.tsv. A variant that is not
built, or ends otherwise than the plain program, is an empty line and status 1. Timing never passes or fails anything,
and a machine that does other things meanwhile widens the intervals; programs that spin in threads (fasttree) differ
from run to run by themselves."""
import math
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import prices


def build(name, o):
    """The programs that could be built, and the cases as (file on standard input, arguments)."""
    built, inputs = {}, None
    for variant, flags in o.flags.items():
        try:
            built[variant], inputs = prices.corpus(name, "bench-" + variant, flags, o.llvm, "build", "inputs")
        except subprocess.CalledProcessError as e:
            last = (e.stderr or "").strip().splitlines()[-1:]
            print(f"{name:12} {variant:9}FAIL: not built: {' '.join(last)}", flush=True)
    if not built:
        return built, []
    os.chdir(inputs)
    with open("cases.tsv") as f:
        cases = [line.rstrip("\n").split("\t")[1:3] for line in f]
    return built, [("/dev/null" if stdin == "-" else stdin, shlex.split(arguments)) for stdin, arguments in cases]


def environment(scratch):
    """Every process writes a file of its own: ext4 makes a rename over an older one wait for the disk."""
    at = lambda name: os.path.join(scratch, name)
    os.makedirs(at("records"))
    env = {k: v for k, v in os.environ.items() if not k.startswith(("QUINCUNX_", "LLVM_PROFILE", "GCOV_"))}
    env.update(LC_ALL="C", TZ="UTC", OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive", GCOV_PREFIX=at("gcov"),
               QUINCUNX_OUT=at("records/"), LLVM_PROFILE_FILE=at("records/%p.profraw"))
    return env


def instructions(command, stdin, env, scratch, perf):
    if perf:
        return prices.perf_counted(command, env, scratch, stdin)[0]
    out = os.path.join(scratch, "callgrind.txt")
    callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={out}"]
    prices.run(callgrind + command, env, stdin)
    with open(out) as f:
        found = re.search(r"Collected : (\d+)", f.read())
    if not found:
        raise ValueError(f"callgrind counted nothing of {command[0]}")
    return int(found.group(1))


def measure(name, o, perf):
    """A row for each variant that could be measured."""
    built, cases = build(name, o)
    with tempfile.TemporaryDirectory() as scratch:
        env = environment(scratch)

        def each(v, cases, how):
            return [how([built[v]] + arguments, stdin) for stdin, arguments in cases]

        def spent(command, stdin):
            if perf:
                return prices.perf_counted(command, env, scratch, stdin)[1] / 1e6
            used = prices.run(command, env, stdin)
            return (used.user + used.system) * 1e3

        probes, chosen = cases[:o.probes], cases[:o.inputs]
        ends = {v: each(v, chosen, lambda command, stdin: prices.run(command, env, stdin).status) for v in built}
        good = [v for v in built if ends[v] == ends.get("plain")]
        if not good:
            return []
        counted = {v: sum(each(v, probes, lambda *c: instructions(*c, env, scratch, perf))) / 1e6 for v in good}
        began = time.monotonic()
        each("plain", chosen, spent)
        repeat = max(1, min(50, math.ceil(0.1 / max(1e-4, time.monotonic() - began))))
        rounds = prices.paired(good, o.rounds, lambda v: sum(each(v, chosen, spent)), repeat)
    rounds = [{v: sum(times) / repeat for v, times in r.items()} for r in rounds]
    return [{"program": name, "variant": v, "M instructions": counted[v], **prices.ratios("instructions", counted, v),
             "time": statistics.median(r[v] for r in rounds), **prices.intervals("time", rounds, v), "repeats": repeat}
            for v in good]


def main():
    parser = prices.options(__doc__, prices.programs(), 15)
    parser.add_argument("--inputs", type=int, default=10, help="of each program, for time")
    parser.add_argument("--probes", type=int, default=4, help="inputs of each program, for instructions")
    o = prices.parse(parser, prices.programs())
    perf = prices.granted()
    counter, clock = ("perf stat", "M cycles by perf stat") if perf else ("callgrind", "ms of user + system CPU time")
    log = prices.Log(o, "overhead", "What counting costs when programs run (bench/overhead.py): ratios of instructions, "
                     "and of time as median and 90 % interval of paired rounds.",
                     f"M instructions by {counter} over {o.probes} inputs, time in {clock} over {o.inputs} inputs, "
                     f"{o.rounds} rounds",
                     ["program", "variant", "M instructions", *prices.ratio_columns("instructions"), "time",
                      *prices.interval_columns("time"), "repeats"])
    for name in o.names:
        try:
            rows = measure(name, o, perf)
        except (OSError, ValueError, subprocess.CalledProcessError) as e:
            print(f"{name:12} FAIL: {e}", flush=True)
            rows = []
        for row in rows:
            log.put(row)
        for v in o.flags.keys() - {row["variant"] for row in rows}:
            log.put({"program": name, "variant": v})
    return 1 if log.end() else 0


if __name__ == "__main__":
    sys.exit(main())
