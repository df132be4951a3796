#!/usr/bin/env python3
"""What counting costs: each corpus program built plainly at -O2, with -fprofile-generate, and with the flag.

    bench/overhead.py [--build FOLDER] [--rounds 15] [--inputs 10] [--probes 4] [--log FILE.tsv] [NAME...]

Instructions decide. They are user-mode instructions of whole processes, recording included: by `perf stat` where it is
granted, else by valgrind's callgrind ("Collected"), which is exact and slow, on the first `probes` inputs. Time is cycles by
`perf stat` where granted, else user plus system CPU time, over `inputs` inputs, repeated within a round until a round of the
plain program takes a tenth of a second. Rounds are paired and interleaved: each round runs all three, in rotating
order; the figure is the median of the rounds' ratios with a distribution-free interval of at least 90 % (order
statistics). Both recording programs write to a scratch folder.

Appends lines to bench/log/DATE-overhead.tsv. Timing never passes or fails anything, and a machine that does other things
meanwhile widens the intervals; programs that spin in threads (fasttree) differ from run to run by themselves."""
import datetime
import math
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
all_names = "ncompress bzip2 minigzip pcre2grep jq cjpeg lame minisat pugixml fasttree pbzip2 mujs qconvex".split()
variants = ("plain", "pgo", "counts")


def shell(command, **more):
    return subprocess.run(command, check=True, text=True, capture_output=True, **more).stdout


def granted():
    try:
        r = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u,cycles:u", "true"], capture_output=True, text=True)
        return r.returncode == 0 and "instructions" in r.stderr and "<not" not in r.stderr
    except OSError:
        return False


def build(name, llvm, config):
    """The three programs and the input folder."""
    programs = {}
    for variant, flag in (("plain", ""), ("pgo", "-fprofile-generate"), ("counts", f"--config={config}")):
        env = dict(os.environ, TAG="bench-" + variant, CC=f"clang-{llvm} {flag}", CXX=f"clang++-{llvm} {flag}", N="200", SEED="1",
                   QUINCUNX_OUT="", LLVM_PROFILE_FILE="/dev/null")
        script = os.path.join(root, "corpus", name + ".sh")
        shell(["sh", script, "build"], env=env)
        shell(["sh", script, "inputs"], env=env)
        programs[variant], inputs = shell(["sh", script, "path"], env=env).rstrip("\n").split("\t")
    with open(os.path.join(inputs, "cases.tsv")) as f:
        cases = [line.rstrip("\n").split("\t")[:3] for line in f]
    return programs, inputs, [(stdin, shlex.split(arguments)) for _, stdin, arguments in cases]


def environment(scratch):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("QUINCUNX_", "LLVM_PROFILE"))}
    env.update(LC_ALL="C", TZ="UTC", OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive",
               QUINCUNX_OUT=os.path.join(scratch, "record.qxraw"), LLVM_PROFILE_FILE=os.path.join(scratch, "record.profraw"))
    return env


def run(command, folder, stdin, env):
    """CPU seconds of one run."""
    actions = [(os.POSIX_SPAWN_OPEN, 0, os.path.join(folder, stdin) if stdin != "-" else "/dev/null", os.O_RDONLY, 0),
               (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)]
    pid = os.posix_spawnp(command[0], command, env, file_actions=actions)
    _, _, used = os.wait4(pid, 0)
    return used.ru_utime + used.ru_stime


def counted(program, case, folder, env, scratch, perf):
    """(instructions, cycles or None) of one run."""
    stdin, arguments = case
    out = os.path.join(scratch, "counter.txt")
    if perf:
        run(["perf", "stat", "-x,", "-e", "instructions:u,cycles:u", "-o", out, "--", program] + arguments, folder, stdin, env)
        with open(out) as f:
            values = {l.split(",")[2].split(":")[0]: int(l.split(",")[0]) for l in f if l[:1].isdigit()}
        return values["instructions"], values["cycles"]
    run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={out}", program] + arguments, folder, stdin, env)
    with open(out) as f:
        found = re.search(r"Collected : (\d+)", f.read())
    return int(found.group(1)), None


def interval(ratios):
    """Median, and order statistics that hold it with at least 90 %."""
    v, n = sorted(ratios), len(ratios)
    below, low = 0.0, 0  # P(fewer than `low` + 1 of n lie below the median)
    while below + math.comb(n, low) / 2 ** n <= 0.05:
        below += math.comb(n, low) / 2 ** n
        low += 1
    if low == 0:
        return statistics.median(v), v[0], v[-1]
    return statistics.median(v), v[low - 1], v[n - low]


def measure(name, options, perf):
    programs, folder, cases = build(name, options["llvm"], options["config"])
    os.chdir(folder)
    row = {"program": name}
    with tempfile.TemporaryDirectory() as scratch:
        env = environment(scratch)
        sums = {v: 0 for v in variants}
        for case in cases[:options["probes"]]:
            for v in variants:
                sums[v] += counted(programs[v], case, folder, env, scratch, perf)[0]
        for v in variants:
            row["instructions_" + v] = sums[v]
        chosen = cases[:options["inputs"]]

        def once(v):
            if perf:
                return sum(counted(programs[v], c, folder, env, scratch, True)[1] for c in chosen)
            return sum(run([programs[v]] + c[1], folder, c[0], env) for c in chosen)

        began = time.monotonic()
        once("plain")
        repeat = max(1, min(50, math.ceil(0.1 / max(1e-4, time.monotonic() - began))))
        rounds = []
        for r in range(options["rounds"]):
            order = variants[r % 3:] + variants[:r % 3]
            spent = {v: 0 for v in variants}
            for _ in range(repeat):
                for v in order:
                    spent[v] += once(v)
            rounds.append(spent)
        row["inputs"], row["repeat"], row["rounds"] = len(chosen), repeat, len(rounds)
        row["time_plain"] = statistics.median(r["plain"] for r in rounds)
        for a, b in (("counts", "plain"), ("pgo", "plain"), ("counts", "pgo")):
            row[f"{a}/{b}"] = row["instructions_" + a] / row["instructions_" + b]
            row[f"time {a}/{b}"] = interval([r[a] / r[b] for r in rounds])
    return row


def main(arguments):
    options = {"build": os.path.join(root, "build/default"), "rounds": 15, "inputs": 10, "probes": 4, "log": None, "llvm": "22"}
    names = []
    while arguments:
        word = arguments.pop(0)
        if word.startswith("--") and word[2:] in options and arguments:
            value = arguments.pop(0)
            options[word[2:]] = int(value) if isinstance(options[word[2:]], int) else value
        elif word in all_names:
            names.append(word)
        else:
            print(__doc__, file=sys.stderr)
            return 2
    options["config"] = os.path.join(os.path.abspath(options["build"]), "lib/quincunx", "quincunx.cfg" if options["llvm"] == "22" else f"quincunx-{options['llvm']}.cfg")
    perf = granted()
    day = datetime.date.today().isoformat()
    log = os.path.abspath(options["log"]) if options["log"] else os.path.join(root, "bench/log", f"{day}-overhead.tsv")
    os.makedirs(os.path.dirname(log), exist_ok=True)
    try:
        commit = shell(["git", "-C", root, "rev-parse", "--short", "HEAD"]).strip()
        if shell(["git", "-C", root, "status", "--porcelain", "-uno"]).strip():
            commit += "+"
    except (OSError, subprocess.CalledProcessError):
        commit = "unknown"
    with open("/proc/cpuinfo") as f:
        cpu = next((l.split(":", 1)[1].strip() for l in f if l.startswith("model name")), "unknown")
    compiler = shell([f"clang-{options['llvm']}", "--version"]).splitlines()[0]
    new = not os.path.exists(log)
    rows = []
    with open(log, "a") as out:
        def put(*fields):
            out.write("\t".join(str(f) for f in fields) + "\n")
            out.flush()
        if new:
            out.write("# What counting costs (bench/overhead.py). counts: built with the flag; pgo: -fprofile-generate; plain: -O2. Ratios of\n"
                      "# instructions, and of time as median [90 % interval] of paired rounds. A + after the commit: files were changed.\n")
        out.write(f"# {datetime.datetime.now().isoformat(timespec='seconds')} commit {commit}, {cpu}, {os.cpu_count()} processors, {compiler}\n"
                  f"# instructions by {'perf stat' if perf else 'callgrind'} over {options['probes']} inputs, time is "
                  f"{'cycles by perf stat' if perf else 'user + system CPU time'} over {options['inputs']} inputs, {options['rounds']} rounds\n")
        put("commit", "program", "M instructions plain", "pgo", "counts", "counts/plain", "pgo/plain", "counts/pgo",
            "time counts/plain", "time pgo/plain", "time counts/pgo", "ms plain" if not perf else "M cycles plain", "repeats")
        for name in names or all_names:
            began = time.monotonic()
            try:
                r = measure(name, options, perf)
            except subprocess.CalledProcessError as e:
                print(f"{name:10} FAIL {' '.join(map(str, e.cmd))}: {(e.stderr or '').strip().splitlines()[-1:]}", flush=True)
                continue
            rows.append(r)
            times = ["%.3f [%.3f %.3f]" % r[f"time {p}"] for p in ("counts/plain", "pgo/plain", "counts/pgo")]
            ratios = ["%.4f" % r[p] for p in ("counts/plain", "pgo/plain", "counts/pgo")]
            put(commit, name, *("%.3f" % (r["instructions_" + v] / 1e6) for v in variants), *ratios, *times,
                "%.1f" % (r["time_plain"] / r["repeat"] * (1e3 if not perf else 1e-6)), r["repeat"])
            print(f"{name:10} instructions: counts {ratios[0]} pgo {ratios[1]} counts/pgo {ratios[2]}   time: counts {times[0]} pgo {times[1]} "
                  f"counts/pgo {times[2]}   ({time.monotonic() - began:.0f} s)", flush=True)
        if len(rows) > 1:
            mean = lambda key: "%.4f" % statistics.geometric_mean([r[key] for r in rows])
            middle = lambda key: "%.3f" % statistics.geometric_mean([r["time " + key][0] for r in rows])
            ratios = [mean(p) for p in ("counts/plain", "pgo/plain", "counts/pgo")]
            times = [middle(p) for p in ("counts/plain", "pgo/plain", "counts/pgo")]
            put(commit, f"geometric mean of {len(rows)}", "", "", "", *ratios, *times, "", "")
            print(f"{'mean':10} instructions: counts {ratios[0]} pgo {ratios[1]} counts/pgo {ratios[2]}   time: counts {times[0]} pgo {times[1]} "
                  f"counts/pgo {times[2]}")
    print(f"bench: {len(rows)} programs, log in {os.path.relpath(log, root)}")
    return 0 if len(rows) == len(names or all_names) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
