#!/usr/bin/env python3
"""Changes of what threads do that `quincunx whatif` predicts, and that are then made.

    bench/changed_threads.py [--threads N,...] [--sizes N,...] [--sleep | --clock | --judge] [NAME...]

Seven programs (bench/threads/) and 34 changes: locks that are not there or that are split, threads, teams and tasks that do more or
less, loops of one thread that a team shares. Each program is recorded, asked, built again with the change, and recorded with it. In counts the truth is what `quincunx scale`
says of the changed program: columns are the error of the time after the change, in the median and the largest, over inputs and
numbers of threads, how many truths lie between what the answer says for jobs and locks as they come and as they came, and, for scale,
what the change does. --sleep: the truth is a replay of the changed program, by threads that sleep (least of three repetitions).
--clock: the truth is the wall time of the changed program with two threads (least of five), told from counts and times of the other
one; sizes are such that runs take 50 ms to a second.
Programs were written for this, and nothing was fitted to them. --judge takes fewer runs, and fails where
half of the changes are off by more than 2 % (a single one may be, by more: who takes which job and lock is chance whenever a program
is recorded, also the changed one), or fewer than 90 % of the truths lie inside.
"""
import argparse
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, root + "/bench")
import accuracy  # noqa: E402

quincunx, config = accuracy.quincunx, accuracy.config
sources = root + "/bench/threads"
# What is asked, with places as the sources mark them, and what makes it so.
programs = {
    "queue.c": [(["lock(RESULT) = none"], ["RESULT"]), (["lock(RESULT) = own"], ["SPLIT"]),
                (["work(thread WORK) *= 0.5"], ["FACTOR_WORK=0.5"]), (["work(thread WORK) *= 3"], ["FACTOR_WORK=3"]),
                (["lock(RESULT) = none", "work(thread WORK) *= 0.5"], ["RESULT", "FACTOR_WORK=0.5"])],
    "teams.c": [(["lock(CRITICAL) = none"], ["CRITICAL"]), (["work(thread FIRST) *= 0.5"], ["FACTOR_FIRST=0.5"]),
                (["work(thread SECOND) *= 4"], ["FACTOR_SECOND=4"]),
                (["work(thread FIRST) *= 0.25", "work(thread SECOND) *= 0.5"], ["FACTOR_FIRST=0.25", "FACTOR_SECOND=0.5"]),
                (["lock(CRITICAL) = none", "work(thread FIRST) *= 2"], ["CRITICAL", "FACTOR_FIRST=2"])],
    "tasks.c": [(["lock(LEAF) = none"], ["LEAF"]),
                (["work(thread FIRST) *= 0.5", "work(thread THIRD) *= 0.5"], ["FACTOR_FIRST=0.5"]),
                (["work(thread SECOND) *= 0.5"], ["FACTOR_SECOND=0.5"]), (["work(thread SECOND) *= 5"], ["FACTOR_SECOND=5"]),
                (["lock(LEAF) = none", "work(thread SECOND) *= 2"], ["LEAF", "FACTOR_SECOND=2"])],
    "stages.cpp": [(["work(thread FIRST) *= 0.5"], ["FACTOR_FIRST=0.5"]), (["work(thread SECOND) *= 0.5"], ["FACTOR_SECOND=0.5"]),
                   (["work(thread THIRD) *= 3"], ["FACTOR_THIRD=3"]),
                   (["work(thread FIRST) *= 2", "work(thread THIRD) *= 2"], ["FACTOR_FIRST=2", "FACTOR_THIRD=2"]),
                   (["work(thread SECOND) *= 0.25"], ["FACTOR_SECOND=0.25"])],
    "tables.c": [(["lock(WRITE) = none"], ["WRITE"]), (["lock(READ) = none"], ["READ"]),
                 (["lock(WRITE) = none", "lock(READ) = none"], ["WRITE", "READ"]), (["lock(WRITE) = own"], ["SPLIT"]),
                 (["work(thread WORK) *= 0.5"], ["FACTOR_WORK=0.5"])],
    "fork_join.cpp": [(["lock(COUNT) = none"], ["COUNT"]), (["work(thread FIRST) *= 0.5"], ["FACTOR_FIRST=0.5"]),
                      (["work(thread SECOND) *= 0.5"], ["FACTOR_SECOND=0.5"]),
                      (["work(thread FIRST) *= 3"], ["FACTOR_FIRST=3"]),
                      (["lock(COUNT) = none", "work(thread SECOND) *= 0.5"], ["COUNT", "FACTOR_SECOND=0.5"])],
    "serial.c": [(["schedule(loop FIRST) = static", "threads = 8"], ["SHARE_FIRST=static"]),
                 (["schedule(loop FIRST) = dynamic,4", "threads = 8"], ["SHARE_FIRST=dynamic,4"]),
                 (["schedule(loop SECOND) = static,1", "threads = 8"], ["SHARE_SECOND=static,1"]),
                 (["schedule(loop FIRST) = guided", "schedule(loop SECOND) = static", "threads = 8"],
                  ["SHARE_FIRST=guided", "SHARE_SECOND=static"])],
}


def told(*words):
    return json.loads(subprocess.run([quincunx, *words], check=True, capture_output=True, text=True).stdout)


def marks(name):
    """Lines of a source, by their marks."""
    with open(f"{sources}/{name}") as f:
        return {m.group(1): i for i, line in enumerate(f, 1) if (m := re.search(r"// ([A-Z]+)$", line))}


def build(name, defines, program, words):
    compiler = "clang++-22" if name.endswith("pp") else "clang-22"
    standard = "-std=c++20" if name.endswith("pp") else "-std=gnu11"
    subprocess.run([compiler, *words, standard, "-O1", "-g", "-pthread", "-fopenmp",
                    *["-D" + (d if "=" in d else d + "=1") for d in defines], "-o", program, f"{sources}/{name}"], check=True)


def run_all(corpus, program, options, *words):
    subprocess.run([quincunx, "run", "-q", "-o", corpus, "--threads", options.threads, *words, "--", program, "{threads}", "{}", ":::",
                    *options.sizes.split(",")], check=True, stdout=subprocess.DEVNULL)
    return corpus


def record(name, defines, out, options):
    """A corpus of the program built so, with each number of threads."""
    program = f"{out}/{name.split('.')[0]}"
    loops = [f"-fplugin-arg-quincunx-loop={name}:{line}" for line in marks(name).values()] if name == "serial.c" and not defines else []
    build(name, defines, program, ["--config=" + config, "-fplugin-arg-quincunx-record=counts,calls,strands", *loops])
    return run_all(program + ".qx", program, options)


def clocked(name, defines, corpus, out, options):
    """Adds wall times of the plain program to the corpus."""
    build(name, defines, out + "/plain", ["-falign-functions=64", "-falign-loops=32", "-DTEAM=2"])  # the same code at other places takes 3 % longer
    return run_all(corpus, out + "/plain", options, "--timed", "--repeat", "5")


def walls(corpus):
    with sqlite3.connect(corpus) as database:
        return dict(database.execute("SELECT label, MIN(wall) FROM repetition JOIN timed ON timed = timed.id GROUP BY label"))


def meant(change, name):
    """With FILE:LINE in place of a mark."""
    lines = marks(name)
    return re.sub(r"\b[A-Z]+\b", lambda m: f"{name}:{lines[m.group(0)]}", change, count=1)


def slept(corpus, label, out):
    """How many times as long as is said a replay of the run takes, a count being a nanosecond."""
    with open(root + "/machines/x86-64.machine") as f, open(out + "/ns.machine", "w") as ns:
        ns.write(re.sub(r"(?m)^unit .*", "unit ns", f.read()))
    with open(out + "/replay.c", "w") as f:
        subprocess.run([quincunx, "replay", "--machine", out + "/ns.machine", corpus, label], check=True, stdout=f)
    subprocess.run(["cc", "-O2", "-pthread", out + "/replay.c", "-o", out + "/replay"], check=True)
    with open(out + "/replay.c") as f:
        predicted = float(re.search(r"predicted = ([0-9.e+-]+)", f.read()).group(1))
    stretch = max(1, round(0.5 / predicted))
    said = [subprocess.run([out + "/replay", str(stretch)], check=True, capture_output=True, text=True).stdout for _ in range(3)]
    return min(float(re.match(r"took ([0-9.]+) s", text).group(1)) for text in said) / predicted


def judge(name, changes, defines, before, out, options):
    if options.clock:
        changes = [c.replace("threads = 8", "threads = 2") for c in changes]
        truths = walls(clocked(name, defines, out + "/clock.qx", out, options))
    else:
        after = record(name, defines, out, options)
        truths = {r["label"]: r["time"] for r in told("scale", "--unit", "counts", "--json", after)["runs"]}
    answer = told("whatif", *(["--processors", "2"] if options.clock else ["--unit", "counts"]), "--json", before, *[meant(c, name) for c in changes])
    within = {g["threads"]: g["within"] for g in answer["byThreads"] if options.clock}
    errors, inside, factors = [], 0, []
    for run in answer["runs"]:
        truth, said = truths[run["label"]], run["after"]
        if options.clock:
            truth /= {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[answer["unit"]]
        if options.sleep:
            truth *= slept(after, run["label"], out)
        span = [said[k] for k in ("time", "withJobsAsTaken", "inRecordedOrder")]
        errors.append(said["time"] / truth - 1)
        share = within.get(run["threads"]) or 0.02
        inside += min(span) * (1 - share) <= truth <= max(span) * (1 + share)
        factors.append(said["time"] / run["before"]["time"])
    sizes = sorted(abs(e) for e in errors)
    median = sizes[len(sizes) // 2]
    print(f"{name.split('.')[0]}\t{', '.join(changes)}\t{len(sizes)}\t{100 * median:.1f}\t{100 * sizes[-1]:.1f}\t"
          f"{inside} of {len(sizes)}\t{min(factors):.2f} to {max(factors):.2f}", flush=True)
    return median, inside, len(sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", default="2,8,48")
    parser.add_argument("--sizes", default="3,11")
    parser.add_argument("--sleep", action="store_true")
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--clock", action="store_true")
    options = parser.parse_args()
    if options.judge:
        options.threads, options.sizes = "2,8", "3"
    if options.clock:
        options.threads, options.sizes = "2", "1000,1500,2200,3300,5000,7000"
    print("program\tchanges\truns\tmedian error %\tlargest %\tinside\tthe change makes of the time")
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for name, cases in programs.items():
            if options.names and name.split(".")[0] not in options.names:
                continue
            os.makedirs(folder + "/before", exist_ok=True)
            before = record(name, [], folder + "/before", options)
            if options.clock:
                clocked(name, [], before, folder + "/before", options)
                subprocess.run([quincunx, "calibrate", before], check=True, stdout=subprocess.DEVNULL)
            for i, (changes, defines) in enumerate(cases):
                out = f"{folder}/{name}{i}"
                os.makedirs(out)
                results.append(judge(name, changes, defines, before, out, options))
    inside, all_runs = sum(r[1] for r in results), sum(r[2] for r in results)
    medians = sorted(r[0] for r in results)
    print(f"# {len(results)} changes: median error {100 * medians[len(medians) // 2]:.1f} %, worst {100 * medians[-1]:.1f} %, "
          f"{inside} of {all_runs} truths inside")
    isGood = medians[len(medians) // 2] <= 0.02 and inside >= 0.9 * all_runs
    return 1 if options.judge and not isGood else 0


if __name__ == "__main__":
    sys.exit(main())
