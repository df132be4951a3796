#!/usr/bin/env python3
"""Wall times of programs with threads on inputs that the calibration did not see, by `quincunx scale`.

    bench/scale.py [--inputs 60] [--threads 1,2] [--repeat 7] [--keep DIR] [--log FILE.tsv] [NAMES...]

Each program is built plain and with record=counts,calls,strands, and every input run with each number of threads. Every
other input is timed as often as said, and sampled, from which prices are learnt; those between them are told by `scale`, and
timed into a corpus of their own, which says the errors. Beside them stand what simpler rules give from the same prices: all
work shared evenly (T1/P), and Amdahl's law with the serial part that fits times of P = 1 and 2 of the timed inputs best, in
the median. Numbers of threads above the processors are not timed. The machine should do nothing else; the load before and
after each program, and what was stolen from it, are in the log.
Which of the programs are unseen is said in docs/27-parallel.md."""
import argparse
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
binary = os.path.join(os.environ.get("BUILD", os.path.join(root, "build/default")), "bin")
sys.path.insert(0, os.path.join(root, "bench/parallel"))
import inputs  # noqa: E402
quincunx = os.path.join(binary, "quincunx")
# Script that builds it, command behind the program ({} is the input, {source} the folder of its source), and how inputs are made.
programs = {
    "pbzip2": ("corpus/pbzip2.sh", ["-k", "-c", "-q", "-b1", "-p{threads}", "{}"], inputs.files),
    "xz": ("bench/parallel/xz.sh", ["-k", "-c", "-2", "-T", "{threads}", "--block-size=200000", "{}"], inputs.files),
    "zstd": ("bench/parallel/zstd.sh", ["-q", "-c", "-9", "-B512K", "-T{threads}", "{}"], inputs.files),
    "fasttree": ("corpus/fasttree.sh", ["-quiet", "-nopr", "{}"], inputs.alignments),
    "7zip": ("bench/parallel/7zip.sh", ["a", "-tbzip2", "-mx=7", "-mmt={threads}", "-so", "-bd", "x", "{}"], inputs.files),
    "graphicsmagick": ("bench/parallel/graphicsmagick.sh",
                       ["convert", "-limit", "threads", "{threads}", "PPM:{}", "-blur", "0x2", "-rotate", "3", "NULL:x"], inputs.image),
    "hmmer": ("bench/parallel/hmmer.sh", ["--max", "--cpu", "{threads}", "--noali", "-o", "/dev/null", "{source}/tutorial/fn3.hmm", "{}"],
              inputs.proteins(150, (80, 900), 0.6)),
    "mafft": ("bench/parallel/mafft.sh", "-q 0 -E 2 -V -1.53 -s 0.0 -W 6 -O -C {threads} -b 62 -g 0 -f -1.53 -Q 100 -h 0 -F -X 0.1 -i {}".split(),
              inputs.proteins(12, (100, 400), 0.3)),
    "minimap2": ("bench/parallel/minimap2.sh", ["-x", "ava-ont", "-t", "{threads}", "{}", "{}"], inputs.long_reads),
    "skewer": ("bench/parallel/skewer.sh", ["-1", "-t", "{threads}", "{}"], inputs.short_reads),
    "x264": ("bench/parallel/x264.sh", ["--demuxer", "raw", "--input-res", "176x144", "--fps", "25", "--threads", "{threads}", "-o", "/dev/null", "--quiet",
                                        "--no-progress", "{}"], inputs.video),
    "lbzip2": ("bench/parallel/lbzip2.sh", ["-1", "-n", "{threads}", "-kc", "{}"], inputs.files),
    "tachyon": ("bench/parallel/tachyon.sh", ["{}", "-numthreads", "{threads}", "-o", "/dev/null", "-nosave"], inputs.scene),
    "fasttext": ("bench/parallel/fasttext.sh", ["supervised", "-input", "{}", "-output", "{}-{threads}", "-thread", "{threads}", "-dim", "10",
                                                "-bucket", "20000", "-wordNgrams", "2", "-verbose", "0"], inputs.labelled),
}
# Of examples/threads/, which take a seed and sizes: the input is a size between these two, times the third, and the seed.
sized = {
    "ep": (["{}", "64", "{}"], 40000, 500000, 1),
    "apsp": (["{}", "{}", "256"], 200, 1000, 1),
    "psrs": (["{}", "16", "{}"], 20000, 400000, 1),
    "wator": (["{}", "16", "{}"], 20, 400, 1),
    "sssp": (["{}", "{}", "{threads}"], 200, 1000, 1),
    "pipeline": (["{}", "10", "{}", "{threads}"], 5000, 60000, 24),
    "farm": (["{}", "{threads}", "{}"], 400, 4000, 1),
    "divide": (["{}", "{}", "6"], 200000, 6000000, 1),
    "matmul": (["{}", "{}"], 200, 1100, 1),
    "gauss": (["{}", "{}"], 300, 1500, 1),
    "adi": (["{}", "{}"], 1000, 5000, 1),
}


def build(name, folder, tag, words):
    flags = subprocess.run([quincunx, "flags", *words], capture_output=True, text=True, check=True).stdout.strip()
    if tag == "strands":
        flags += " -fplugin-arg-quincunx-record=counts,calls,strands"
    if name in sized:
        path = os.path.join(folder, name, tag)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        subprocess.run(["clang-22", *flags.split(), "-std=c11", "-O2", "-g", "-fopenmp", "-DNOT_PROFILED=__attribute__((unused))", "-o", path,
                        os.path.join(root, "examples/threads", name + ".c"), "-lm"], check=True)
        return path
    env = dict(os.environ, TAG=tag, QC_WORK=folder, CC=f"clang-22 {flags}", CXX=f"clang++-22 {flags}", CFLAGS="-O2 -g",
               CXXFLAGS="-O2 -g")
    subprocess.run([os.path.join(root, programs[name][0]), "build"], env=env, check=True, capture_output=True)
    return os.path.join(folder, name, tag, "prog")


def stolen():
    with open("/proc/stat") as f:
        return int(f.readline().split()[8])


def amdahl(times):
    """The serial share for which T(P) = T(1) (s + (1 - s) / P) is right in the median of the inputs."""
    return statistics.median(2 * t[2] / t[1] - 1 for t in times) if times else 1


def errors(values):
    sizes = sorted(abs(v) for v in values)
    return [statistics.median(values), statistics.median(sizes), sizes[max(0, -(-9 * len(sizes) // 10) - 1)]]


def inputs_of(name, folder, count):
    """A file for each input, or a number."""
    rng = random.Random(name)
    if name in sized:
        _, least, most, times = sized[name]
        return [str(n * times) for n in rng.sample(range(least, most + 1), min(count, most - least + 1))]
    made = []
    for i in range(count):
        made.append(os.path.join(folder, name, f"input-{i:03d}"))
        with open(made[-1], "wb") as f:
            f.write(programs[name][2](i, rng))
    return made


def work_by_threads(counted, command, inputs, folder):
    """By how much the counts of an input differ with 1, 2, 8 and 64 threads, at most."""
    corpus = os.path.join(folder, "work.qx")
    if not os.path.exists(corpus):
        subprocess.run([quincunx, "run", "-q", "-o", corpus, "--machine", "none", "--threads", "1,2,8,64", "--label", "{/}", "--", counted, *command,
                        ":::", *inputs], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    answer = subprocess.run([quincunx, "critical", "--json", corpus], check=True, capture_output=True, text=True)
    works = {}
    for r in json.loads(answer.stdout)["runs"]:
        works.setdefault(r["label"].rsplit(" ", 1)[0], []).append(r["work"])
    return max(max(w) / min(w) - 1 for w in works.values())


def judge(name, folder, o):
    source = os.path.join(folder, name, "src-" + name)
    command = sized[name][0] if name in sized else [w.replace("{source}", source) for w in programs[name][1]]
    plain, counted = build(name, folder, "plain", ["--plain"]), build(name, folder, "strands", [])
    made = inputs_of(name, folder, o.inputs)
    told, clocks = (os.path.join(folder, name, part + ".qx") for part in ("told", "clocks"))
    load, steal = os.getloadavg()[0], stolen()
    timed = ["--timed", "--repeat", str(o.repeat)]
    runs = {told: [(counted, [], made), (plain, [*timed, "--samples", str(o.samples)], made[0::2])],
            clocks: [(plain, timed, made[1::2])]}
    for corpus in runs:
        for program, words, of in [] if os.path.exists(corpus) else runs[corpus]:
            subprocess.run([quincunx, "run", "-q", "-o", corpus, "--threads", o.threads, "--label", "{/}", *words, "--", program,
                            *command, ":::", *of], check=True, stdout=subprocess.DEVNULL, cwd=os.path.join(folder, name)) # some leave files
    subprocess.run([quincunx, "calibrate", told], check=True, capture_output=True)
    answer = subprocess.run([quincunx, "scale", "--json", "--processors", str(os.cpu_count()), told], capture_output=True, text=True)
    if answer.returncode != 0:
        return [[name, "", "", answer.stderr.strip()]]
    said = json.loads(answer.stdout)
    ours = {r["label"]: r for r in said["runs"]}
    nineOfTen = {g["threads"]: g["clock"]["within"] for g in said["byThreads"] if g["clock"]}
    unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[said["unit"]]
    with sqlite3.connect(clocks) as database:
        theirs = dict(database.execute("SELECT label, MIN(wall) FROM repetition JOIN timed ON timed = timed.id GROUP BY label"))
    serial = {}
    for r in ours.values():
        if r["clock"]:
            serial.setdefault(r["label"].rsplit(" ", 1)[0], {})[r["threads"]] = r["clock"]
    work = f"{work_by_threads(counted, command, made[:3], os.path.join(folder, name)):.5f}"
    share = amdahl([t for t in serial.values() if 1 in t and 2 in t])
    rows = []
    for p in sorted({r["threads"] for r in ours.values() if r["threads"] <= os.cpu_count()}):
        of = [(ours[label], clock) for label, clock in theirs.items() if label in ours and ours[label]["threads"] == p]
        rules = [errors([tell(r) * unit / clock - 1 for r, clock in of])
                  for tell in (lambda r: r["time"], lambda r: r["alone"] / p, lambda r: r["alone"] * (share + (1 - share) / p))]
        inside = sum(abs(r["time"] * unit / clock - 1) <= nineOfTen[p] for r, clock in of)
        rows.append([name, p, len(of), *(f"{x:.4f}" for x in sum(rules, [])), inside, work, f"{load:.1f}", f"{os.getloadavg()[0]:.1f}", stolen() - steal])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=60)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--samples", type=int, default=4000)
    parser.add_argument("--keep")
    parser.add_argument("--log", default=os.path.join(root, "bench/log", time.strftime("%Y-%m-%d") + "-scale.tsv"))
    parser.add_argument("names", nargs="*", default=[*programs, *sized])
    o = parser.parse_args()
    columns = ["program", "threads", "inputs"] + [f"{who}-{what}" for who in ("scale", "T1/P", "amdahl") for what in ("bias", "median", "p90")]
    columns += ["within", "work-by-threads", "load-before", "load-after", "stolen-ticks"]
    folder = os.path.abspath(o.keep or tempfile.mkdtemp(prefix="quincunx-scale-"))
    os.makedirs(folder, exist_ok=True)
    for name in o.names:
        for row in judge(name, folder, o):
            print("\t".join(map(str, row)), flush=True)
            isNew = not os.path.exists(o.log)
            with open(o.log, "a") as f:
                if isNew:
                    f.write("# Errors of wall times (bench/scale.py), relative to the least of the repetitions, inputs held out.\n")
                    f.write("\t".join(columns) + "\n")
                f.write("\t".join(map(str, row)) + "\n")


if __name__ == "__main__":
    main()
