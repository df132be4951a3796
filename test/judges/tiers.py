"""What csmith.py, torture.py and cxx_programs.py share: programs, each without the flag and with it in all tiers, at some levels. What is
demanded at a level: with the flag (record=counts; counts,calls,runs; blocks,predictor) a program prints and returns what it
does without; derived counts equal the counters of all blocks; what is counted is the same whatever else is recorded.

Left out are programs that without the flag do not compile, do not end well (status 0) within PATIENCE, at -O0 or at the level:
what the optimiser makes of a loop without end says nothing. With the flag none is. It does not judge what calls,
runs and predictor record, and knows nothing of where programs come from.

Options of all three: [N] [--from I], N programs, from the I-th on; [--levels L,...] of O0 O1 O2 O3 Os full thin (link-time
optimisation with lld), each program at the next of them in turn, or at each with [--all-levels]. Environment: LLVM, BUILD, JOBS as
in common.sh; CFG is another config file (faults.sh)."""
import argparse
import collections
import concurrent.futures
import contextlib
import io
import os
import resource
import signal
import subprocess
import sys
import tempfile
import typing

import judge
import runs

LEVELS = {level: ["-" + level] for level in ("O0", "O1", "O2", "O3", "Os")} | {
    kind: ["-O2", "-flto=" + kind, "-fuse-ld=lld"] for kind in ("full", "thin")}
TIERS = ("counts", "counts,calls,runs", "blocks,predictor")
PATIENCE = 1  # seconds of a processor that a program without the flag may take

here = os.path.dirname(os.path.abspath(__file__))
llvm = os.environ.get("LLVM", "22")
build = os.environ.get("BUILD", os.path.join(judge.root, "build", "default" if llvm == "22" else "llvm-" + llvm))
config = os.environ.get("CFG", os.path.join(build, "lib/quincunx", "quincunx.cfg" if llvm == "22" else f"quincunx-{llvm}.cfg"))
quincunx = os.path.join(build, "bin/quincunx")


class Program(typing.NamedTuple):
    name: str
    words: list  # how it is compiled
    same: bool = True  # is what it does the same whatever is recorded? Frames of coroutines are allocated, or part of their callers'


class Wrong(Exception):
    """With the flag something is not what it is without."""


class LeftOut(Exception):
    """Why a program says nothing."""


def command(what, *words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    if done.returncode != 0:
        raise Wrong(f"{what}: status {done.returncode}\n{done.stdout[-600:]}")
    return done.stdout


def executed(seconds, out=""):
    """Status and output of ./p, None when it takes longer; records go to `out`. Seconds are those of a processor, whatever else is
    running, and ten times as many for what waits."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("QUINCUNX_")} | {"QUINCUNX_OUT": out}
    try:
        done = subprocess.run("./p", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
                              timeout=10 * seconds, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else (done.returncode, done.stdout)


def without(words, level):
    """Status and output without the flag."""
    try:
        command("plain", *words, *LEVELS[level], "-o", "p")
    except Wrong:
        raise LeftOut("does not compile") from None
    seen = executed(PATIENCE)
    if seen is None:
        raise LeftOut(f"takes more than {PATIENCE} s")
    if seen[0] != 0:
        raise LeftOut("fails")
    return seen


def recorded(words, level, tier, wanted):
    """The dump of a run whose status and output are as wanted."""
    command(f"record={tier}", *words, *LEVELS[level], "--config=" + config, "-fplugin-arg-quincunx-record=" + tier, "-o", "p")
    folder = f"{level} {tier}/"
    os.mkdir(folder)
    seen = executed(100 * PATIENCE, folder)
    if seen is None:
        raise Wrong(f"record={tier}: does not end")
    if seen != wanted:
        raise Wrong(f"record={tier}: {seen}, without the flag {wanted}")
    command("corpus add", quincunx, "corpus", "add", folder + "c.qx", *(folder + f for f in os.listdir(folder)))
    with open(folder + "c.dump", "w") as f:
        f.write(command("corpus dump", quincunx, "corpus", "dump", folder + "c.qx"))
    return f.name


def said(verb, *arguments):
    """The last line of a judge that is content."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        status = verb(*arguments)
    if status != 0:
        raise Wrong(text.getvalue()[-600:])
    return text.getvalue().splitlines()[-1]


def verdict(program, level):
    """(verdict, text) of a program at a level."""
    try:
        wanted = without(program.words, level)
        few, all, blocks = (recorded(program.words, level, tier, wanted) for tier in TIERS)
        equal = said(runs.same, few, all) + "; " if program.same else ""
        return "ok", equal + said(judge.judge_counts, judge.read(blocks, quincunx), None)
    except LeftOut as e:
        return "skip", str(e)
    except Wrong as e:
        return "FAIL", str(e)


def verdicts(write, which, levels):
    """[(name, level, verdict, text)] of a Program, which `write` makes in an empty folder."""
    with tempfile.TemporaryDirectory(prefix="quincunx-tiers-") as folder:
        os.chdir(folder)
        program = Program(which, [])
        try:
            program = write(which)
            without(program.words, "O0")
            return [(program.name, level, *verdict(program, level)) for level in levels]
        except LeftOut as e:
            return [(program.name, level, "skip", str(e)) for level in levels]
        except Wrong as e:  # it was not even written
            return [(program.name, level, "FAIL", str(e)) for level in levels]
        finally:
            os.chdir("/")


def options_of(text, **defaults):
    options = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("n", metavar="N", type=int, **defaults)
    options.add_argument("--from", metavar="I", dest="first", type=int, default=1)
    options.add_argument("--levels", type=lambda text: text.split(","), default=["O0", "O1", "O2", "O3", "Os"])
    options.add_argument("--all-levels", action="store_true")
    options = options.parse_args()
    if wrong := [level for level in options.levels if level not in LEVELS]:
        sys.exit(f"{os.path.basename(sys.argv[0])}: error: no level '{wrong[0]}' (there are {', '.join(LEVELS)})")
    for needed in (config, quincunx):
        if not os.path.exists(needed):
            sys.exit(f"{os.path.basename(sys.argv[0])}: error: no {needed}, build the project first")
    return options


def judged(write, options, end=None):
    """Judges programs number options.first, ... until options.n were not left out at all levels, or `end` is reached; 0 when all
    are right."""
    name = os.path.basename(sys.argv[0])
    count, judged_programs, at, pending = collections.Counter(), 0, options.first, {}
    with concurrent.futures.ProcessPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        while True:
            while (end is None or at < end) and judged_programs + len(pending) < options.n:
                levels = options.levels if options.all_levels else [options.levels[at % len(options.levels)]]
                pending[pool.submit(verdicts, write, at, levels)] = at
                at += 1
            if not pending:
                break
            for done in concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED).done:
                del pending[done]
                seen = done.result()
                judged_programs += any(v != "skip" for _, _, v, _ in seen)
                for program, level, v, text in seen:
                    count[v] += 1
                    count[text] += v == "skip"
                    print(f"{v:4} {level:4} {program}: {text}", flush=True)
    reasons = ", ".join(f"{n} {r}" for r, n in sorted(count.items()) if n and r not in ("ok", "FAIL", "skip"))
    print(f"{name}: {options.first} to {at - 1}, clang {llvm}, {','.join(options.levels)}{'' if options.all_levels else ' in turn'}: "
          f"{judged_programs} programs; {count['ok']} passed, {count['FAIL']} failed, {count['skip']} left out"
          + (f" ({reasons})" if reasons else ""))
    return count["FAIL"] != 0 or count["ok"] == 0
