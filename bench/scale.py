#!/usr/bin/env python3
"""Wall times of programs with threads on inputs that the calibration did not see, by `quincunx scale`.

    bench/scale.py [--inputs 60] [--threads 1,2] [--repeat 7] [--keep DIR] [--log FILE.tsv] [NAMES...]

Each program is built plain and with record=counts,calls,strands, run over inputs with each number of threads, and timed as
often as said. Prices are fitted to every other input; the errors are those of the inputs between them, with the processors
that the plain program had. Beside them stand what simpler rules give from the same prices: all work shared evenly (T1/P),
the larger of that and the span (what greedy schedules cannot beat), and Amdahl's law with the serial part that fits times
of P = 1 and 2 of the other inputs best, in the median. Numbers of threads above the processors are not timed. The machine
should do nothing else; the load before and after each program, and what was stolen from it, are in the log.
Of the programs of the first list none is unseen: pbzip2 and fasttree (corpus/) were looked at while this was made, first figures of pbzip2 and xz showed
that threads slow each other down, and zstd was read for `critical`. Those of examples/threads/ were written when all that was done. How they do is told by the other inputs that are judged."""
import argparse
import json
import os
import random
import statistics
import struct
import subprocess
import sys
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
binary = os.path.join(os.environ.get("BUILD", os.path.join(root, "build/default")), "bin")
quincunx = os.path.join(binary, "quincunx")
# Script that builds it, command behind the program ({} is the input), and the inputs it takes.
programs = {
    "pbzip2": ("corpus/pbzip2.sh", ["-k", "-c", "-q", "-b1", "-p{threads}", "{}"], "bytes"),
    "xz": ("bench/parallel/xz.sh", ["-k", "-c", "-2", "-T", "{threads}", "--block-size=200000", "{}"], "bytes"),
    "zstd": ("bench/parallel/zstd.sh", ["-q", "-c", "-9", "-B512K", "-T{threads}", "{}"], "bytes"),
    "fasttree": ("corpus/fasttree.sh", ["-quiet", "-nopr", "{}"], "alignments"),
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


def texts(n, rng, words=[]):
    if not words:
        words += ["".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(2, 9))) for _ in range(3000)]
    out, size = [], 0
    while size < n:
        out.append(words[min(int(rng.expovariate(1 / 300)), 2999)])
        size += len(out[-1]) + 1
    return " ".join(out).encode()[:n]


def records(n, rng):
    x, out = 0, []
    for _ in range(n // 16 + 1):
        x += rng.randint(0, 50)
        out.append(struct.pack("<IIff", x, rng.randint(0, 20), rng.random(), 1))
    return b"".join(out)[:n]


def bytes_of(number, rng):
    n = int(150_000 * 20 ** rng.random())
    return [texts, records, lambda n, r: texts(n // 2, r) + r.randbytes(n // 4) + records(n // 4, r)][number % 3](n, rng)


def alignment_of(number, rng, taxa=(20, 70), sites=(100, 300)):
    taxa, sites = rng.randint(*taxa), rng.randint(*sites)
    rows = [[rng.choice("ACGT") for _ in range(sites)]]
    while len(rows) < taxa:
        row = list(rng.choice(rows))
        for _ in range(rng.randint(1, max(2, sites // 12))):
            row[rng.randrange(sites)] = rng.choice("ACGT")
        rows.append(row)
    return "".join(f">t{i}\n{''.join(row)}\n" for i, row in enumerate(rows)).encode()


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
    inputs = []
    for i in range(count):
        inputs.append(os.path.join(folder, name, f"input-{i:03d}"))
        with open(inputs[-1], "wb") as f:
            f.write((bytes_of if programs[name][2] == "bytes" else alignment_of)(i, rng))
    return inputs


def judge(name, folder, o):
    command = sized[name][0] if name in sized else programs[name][1]
    plain, counted = build(name, folder, "plain", ["--plain"]), build(name, folder, "strands", [])
    inputs = inputs_of(name, folder, o.inputs)
    halves = [inputs[0::2], inputs[1::2]]
    corpora = [os.path.join(folder, name, part + ".qx") for part in ("fit", "test")]
    load, steal = os.getloadavg()[0], stolen()
    for corpus, half in zip(corpora, halves):
        if os.path.exists(corpus):
            continue
        for program, words in ((counted, []), (plain, ["--timed", "--repeat", str(o.repeat)])):
            subprocess.run([quincunx, "run", "-q", "-o", corpus, "--threads", o.threads, "--label", "{/} {threads}", *words, "--", program,
                            *command, ":::", *half], check=True, stdout=subprocess.DEVNULL)
    machine = os.path.join(folder, name, "fit.machine")
    subprocess.run([quincunx, "calibrate", "-o", machine, corpora[0]], check=True, capture_output=True)
    told = json.loads(subprocess.run([quincunx, "scale", "--json", "--machine", machine, "--processors", str(os.cpu_count()), corpora[1]],
                                     capture_output=True, text=True, check=True).stdout)
    fitted = subprocess.run([quincunx, "scale", "--json", corpora[0]], capture_output=True, text=True)
    unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[told["unit"]]
    serial = {}
    if fitted.returncode == 0:
        for r in json.loads(fitted.stdout)["runs"]:
            serial.setdefault(r["label"].rsplit(" ", 1)[0], {})[r["threads"]] = r["clock"]
    share = amdahl([t for t in serial.values() if 1 in t and 2 in t])
    rows = []
    for p in sorted({r["threads"] for r in told["runs"] if r["clock"] and r["threads"] <= os.cpu_count()}):
        runs = [r for r in told["runs"] if r["threads"] == p and r["clock"]]
        ours = errors([r["predictedForClock"] / r["clock"] - 1 for r in runs])
        shared = errors([r["alone"] * unit / p / r["clock"] - 1 for r in runs])
        law = errors([r["alone"] * unit * (share + (1 - share) / p) / r["clock"] - 1 for r in runs])
        rows.append([name, p, len(runs), *(f"{x:.4f}" for x in ours + shared + law), f"{load:.1f}", f"{os.getloadavg()[0]:.1f}", stolen() - steal])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=60)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--keep")
    parser.add_argument("--log", default=os.path.join(root, "bench/log", time.strftime("%Y-%m-%d") + "-scale.tsv"))
    parser.add_argument("names", nargs="*", default=[*programs, *sized])
    o = parser.parse_args()
    columns = ["program", "threads", "inputs"] + [f"{who}-{what}" for who in ("scale", "T1/P", "amdahl") for what in ("bias", "median", "p90")]
    columns += ["load-before", "load-after", "stolen-ticks"]
    folder = o.keep or tempfile.mkdtemp(prefix="quincunx-scale-")
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
