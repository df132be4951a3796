"""What the price lists of bench/ share (overhead.py, compile.py): which builds are compared, how they are compared
fairly, and the log.

Time on a machine that does other things drifts, so builds are never timed one after the other: every round runs all of
them, interleaved and in rotating order, and what counts is the ratio within a round. The figure is the median of the
rounds' ratios with a distribution-free interval (order statistics, no assumption but that rounds are alike).

It measures nothing by itself, and passes or fails nothing on a time."""
import argparse
import collections
import datetime
import math
import os
import statistics
import subprocess
import time

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What is added to the compiler's command line, {config} is the flag's file; and what ratios are to.
record = "--config={config} -fplugin-arg-quincunx-record="
variants = {
    "plain": "",
    "pgo": "-fprofile-generate",
    "instr": "-fprofile-instr-generate",
    "coverage": "--coverage",
    "counts": record + "counts",
    "calls": record + "counts,calls",
    "all": record + "counts,calls,runs",
}
bases = ["plain", "pgo"]

Used = collections.namedtuple("Used", "user system wall status")


def programs():
    """The programs of corpus/, in the order of its list."""
    with open(os.path.join(root, "corpus/expected.tsv")) as f:
        return list(dict.fromkeys(line.split("\t")[0] for line in f))


def options(description, known, rounds):
    """The parser of what all price lists take; `known` are the names they can be asked for."""
    p = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", metavar="NAME", help="of " + " ".join(known) + " (all)")
    p.add_argument("--build", default=os.path.join(root, "build/default"), help="build folder of the project")
    p.add_argument("--llvm", default="22", choices=("22", "19"))
    p.add_argument("--against", metavar="BUILD", help="another build of the project, to whose counts ratios are as well")
    p.add_argument("--rounds", type=int, default=rounds)
    p.add_argument("--variants", default=",".join(variants), help="which to run besides plain (%(default)s)")
    p.add_argument("--log", help="append to this file instead of bench/log/DATE-*.tsv")
    return p


def parse(p, known):
    """The options with names checked; .flags are the variants to run and what each adds to the command line."""
    o = p.parse_args()
    wanted = o.variants.split(",")
    for word, words in [(n, known) for n in o.names] + [(v, variants) for v in wanted]:
        if word not in words:
            p.error(f"no '{word}', there are: {' '.join(words)}")
    if o.rounds < 1:
        p.error("--rounds must be at least 1")
    file = "quincunx.cfg" if o.llvm == "22" else f"quincunx-{o.llvm}.cfg"

    def config(build):
        path = os.path.join(os.path.abspath(build), "lib/quincunx", file)
        if not os.path.exists(path):
            p.error(f"no {path}, build the project first")
        return path

    o.flags = {v: f.format(config=config(o.build)) for v, f in variants.items() if v == "plain" or v in wanted}
    if o.against:
        variants["against"] = variants["counts"]
        bases.append("against")
        o.flags["against"] = variants["counts"].format(config=config(o.against))
    o.names = o.names or list(known)
    return o


def shell(command, **more):
    return subprocess.run(command, check=True, text=True, capture_output=True, **more).stdout


def corpus(name, tag, flags, llvm, *steps):
    """Runs steps of corpus/NAME.sh for the build `tag` with these flags; (program, input folder)."""
    env = dict(os.environ, TAG=tag, CC=f"clang-{llvm} {flags}", CXX=f"clang++-{llvm} {flags}", N="200", SEED="1",
               QUINCUNX_OUT="", LLVM_PROFILE_FILE="/dev/null")
    script = os.path.join(root, "corpus", name + ".sh")
    for step in steps:
        shell(["sh", script, step], env=env)
    return shell(["sh", script, "path"], env=env).rstrip("\n").split("\t")


def granted():
    """Whether perf stat may count instructions and cycles here."""
    try:
        r = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u,cycles:u", "true"], capture_output=True,
                           text=True)
        return r.returncode == 0 and "instructions" in r.stderr and "<not" not in r.stderr
    except OSError:
        return False


def run(command, env, stdin="/dev/null"):
    """Runs a command, its output thrown away: seconds of processor and wall time, and the wait status."""
    actions = [(os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0)]
    actions += [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)]
    began = time.monotonic()
    pid = os.posix_spawnp(command[0], command, env, file_actions=actions)
    _, status, used = os.wait4(pid, 0)
    return Used(used.ru_utime, used.ru_stime, time.monotonic() - began, status)


def perf_counted(command, env, scratch, stdin="/dev/null"):
    """User-mode (instructions, cycles) by perf stat."""
    out = os.path.join(scratch, "perf.csv")
    run(["perf", "stat", "-x,", "-e", "instructions:u,cycles:u", "-o", out, "--"] + command, env, stdin)
    with open(out) as f:
        values = {line.split(",")[2].split(":")[0]: int(line.split(",")[0]) for line in f if line[:1].isdigit()}
    return values["instructions"], values["cycles"]


def paired(names, rounds, once, repeat=1):
    """`rounds` rounds, each a dictionary: for every name the `repeat` results of once(name)."""
    names, result = list(names), []
    for r in range(rounds):
        k = r % len(names)
        got = {name: [] for name in names}
        for _ in range(repeat):
            for name in names[k:] + names[:k]:
                got[name].append(once(name))
        result.append(got)
    return result


def interval(ratios):
    """Median, and the order statistics that hold it with at least 90 % (the extremes where there are fewer than 5)."""
    v, n = sorted(ratios), len(ratios)
    below, low = 0.0, 0  # P(fewer than `low` + 1 of n lie below the median)
    while below + math.comb(n, low) / 2 ** n <= 0.05:
        below += math.comb(n, low) / 2 ** n
        low += 1
    return statistics.median(v), v[max(low, 1) - 1], v[n - max(low, 1)]


def interval_columns(what):
    return [f"{what}/{b}{end}" for b in bases for end in ("", " low", " high")]


def intervals(what, rounds, variant):
    """Cells of interval_columns: the rounds' ratios of a variant to the bases that were run."""
    row = {}
    for b in bases:
        if b in rounds[0]:
            names = [f"{what}/{b}{end}" for end in ("", " low", " high")]
            row.update(zip(names, interval([r[variant] / r[b] for r in rounds])))
    return row


def ratio_columns(what):
    return [f"{what}/{b}" for b in bases]


def ratios(what, values, variant):
    """Cells of ratio_columns."""
    return {f"{what}/{b}": values[variant] / values[b] for b in bases if values.get(b)}


def is_ratio(column):
    return "/" in column and not column.endswith((" low", " high"))


class Log:
    """A tidy table in bench/log: comments that say what, when, where and how; the columns; one line for each subject
    and variant. It is written line by line, so that what was measured stays when the rest fails."""

    def __init__(self, o, kind, about, method, columns):
        self.path = os.path.abspath(o.log or os.path.join(root, f"bench/log/{datetime.date.today()}-{kind}.tsv"))
        self.columns, self.rows = ["commit", *columns], []
        self.commit = commit()
        self.file = open(self.path, "a")
        with open("/proc/cpuinfo") as f:
            cpu = next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), "unknown")
        compiler = shell([f"clang-{o.llvm}", "--version"]).splitlines()[0]
        self.note(about + " A + after the commit: files were changed.")
        self.note("-O2 and " + "; ".join(f"{v}: {variants[v].format(config='FLAG')}" for v in o.flags if variants[v]))
        self.note(f"{now()} commit {self.commit}, {cpu}, {os.cpu_count()} processors, {compiler}")
        self.note(method)
        self.load("start")
        self.line(self.columns)

    def line(self, cells):
        self.file.write("\t".join(cells) + "\n")
        self.file.flush()

    def note(self, text):
        self.line(["# " + text])

    def load(self, when):
        self.note(f"load average at the {when}, {now()}: " + " ".join(f"{x:.2f}" for x in os.getloadavg()))

    def put(self, row):
        """Writes and prints a row: a dictionary by column; what is missing stays empty."""
        row = {"commit": self.commit, **row}
        text = {c: f"{row[c]:.4f}" if isinstance(row[c], float) else str(row[c]) for c in row}
        self.line([text.get(c, "") for c in self.columns])
        subject, variant, *rest = self.columns[1:]
        shown = [f"{c} {text[c]}" for c in rest if c in text and is_ratio(c)]
        print(f"{text[subject]:12} {text[variant]:9}" + "  ".join(shown or ["FAIL"]), flush=True)
        self.rows.append(row)

    def end(self):
        """Geometric means of all ratios, and the load. Returns how many rows have no figure."""
        subject, measured = self.columns[1], [r for r in self.rows if len(r) > 3]
        failed = len(self.rows) - len(measured)
        for v in dict.fromkeys(r["variant"] for r in measured):
            mine = [r for r in measured if r["variant"] == v]
            row = {subject: f"mean of {len(mine)}", "variant": v}
            for c in self.columns:
                values = [r[c] for r in mine if c in r]
                if is_ratio(c) and values:
                    row[c] = statistics.geometric_mean(values)
            if len(mine) > 1:
                self.put(row)
        self.load("end")
        print(f"bench: {len(measured)} measured, {failed} failed, log in {os.path.relpath(self.path, root)}")
        return failed


def now():
    return datetime.datetime.now().isoformat(timespec="seconds")


def commit():
    """The commit, with a + when files were changed."""
    try:
        changed = shell(["git", "-C", root, "status", "--porcelain", "-uno"]).strip()
        return shell(["git", "-C", root, "rev-parse", "--short", "HEAD"]).strip() + ("+" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
