#!/usr/bin/env python3
"""What a corpus is worth to the optimiser: programs built with `quincunx export sampleprof`, beside plain ones and IR-PGO.

    bench/sampleprof.py [--rounds N] [--keep DIR] [NAME...]

For every single-threaded program of corpus/, with the 200 inputs of bench/time.py, all of which make the profiles and are timed (in sample, as all
profiles are): `sample`, with -fprofile-sample-use of the corpus (of a build with discriminators); `tail`, of its runs near p99 (--for p99); `ir`, with -fprofile-generate over the same inputs and
-fprofile-use. Builds take turns within an input, and inputs within a round; the time of an input is the least processor time of N rounds (5).

sample, tail, ir: time of all inputs together over that of the plain program; p99: the same of the input that is third of 200 from above. Last line: geometric means,
and the share of the gain of `ir` that `sample` has: ln(sample) / ln(ir). Appends to bench/log/DATE-sampleprof.tsv, each program when it is done."""
import argparse
import datetime
import importlib.util
import math
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("time_bench", os.path.join(here, "time.py"))
bench = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bench)

profiles = ("sample", "tail", "ir")
columns = ("program", "plain, ms", *profiles, "p99, ms", *(f"{p} p99" for p in profiles))


def processor_time(program, standard_input, words, folder, env):
    """Of one run, seconds."""
    with open(standard_input if standard_input != "-" else os.devnull, "rb") as given:
        child = subprocess.Popen([program, *words], cwd=folder, env=env, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    return usage.ru_utime + usage.ru_stime


class Program(bench.Program):
    def cases(self, inputs):
        """Standard input and arguments of each."""
        with open(os.path.join(inputs, "cases.tsv"), encoding="utf-8") as f:
            rows = [line.rstrip("\n").split("\t") for line in f]
        return [(os.path.join(inputs, row[1]) if row[1] != "-" else "-", shlex.split(row[2])) for row in rows]

    def builds(self):
        """Name: program; the inputs."""
        self.begin(self.corpus)
        counted, inputs = self.build("sp-counted", [f"--config={bench.config}", "-g", "-fdebug-info-for-profiling"])
        self.count(self.corpus, counted, inputs, "-j", "2")
        sampled = {}
        for name, words in (("sample", []), ("tail", ["--for", "p99"])):
            profile = os.path.join(self.folder, f"{self.name}.{name}")
            with open(profile, "w", encoding="utf-8") as f:
                subprocess.run([bench.quincunx, "export", "sampleprof", *words, self.corpus], check=True, stdout=f)
            sampled[name] = self.build(f"sp-{name}", [f"-fprofile-sample-use={profile}"])[0]
        raw = os.path.join(self.folder, self.name + "-raw")
        generating, _ = self.build("sp-generate", ["-fprofile-generate"])
        for standard_input, words in self.cases(inputs):
            processor_time(generating, standard_input, words, inputs, dict(os.environ, LLVM_PROFILE_FILE=os.path.join(raw, "%m.profraw")))
        merged = os.path.join(self.folder, self.name + ".profdata")
        subprocess.run(["llvm-profdata-22", "merge", "-o", merged, *(os.path.join(raw, f) for f in os.listdir(raw))], check=True)
        return {"plain": self.build("sp-plain", [])[0], **sampled, "ir": self.build("sp-ir", [f"-fprofile-use={merged}"])[0]}, inputs

    def judge(self, rounds):
        programs, inputs = self.builds()
        cases = self.cases(inputs)
        least = {name: [math.inf] * len(cases) for name in programs}
        for _ in range(rounds):
            for i, (standard_input, words) in enumerate(cases):
                for name, program in programs.items():
                    least[name][i] = min(least[name][i], processor_time(program, standard_input, words, inputs, dict(os.environ, LC_ALL="C", TZ="UTC")))
        mean, p99 = ({name: of(times) for name, times in least.items()} for of in (sum, lambda times: sorted(times)[-3]))
        return {"program": self.name, "plain, ms": 1e3 * mean["plain"] / len(cases), "p99, ms": 1e3 * p99["plain"],
                **{p: mean[p] / mean["plain"] for p in profiles}, **{f"{p} p99": p99[p] / p99["plain"] for p in profiles}}


def text(row):
    return "\t".join(row[c] if isinstance(row[c], str) else f"{row[c]:.3f}" for c in columns)


def summary(rows):
    mean = {c: math.exp(sum(math.log(row[c]) for row in rows) / len(rows)) for c in columns if c.removesuffix(" p99") in profiles}
    share = math.log(mean["sample"]) / math.log(mean["ir"]) if mean["ir"] != 1 else math.nan
    return "geometric means: " + ", ".join(f"{c} {x:.3f}" for c, x in mean.items()) + f"; share of the gain of ir: {share:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", help="folder for corpora and profiles")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="quincunx-sampleprof-")
    os.makedirs(folder, exist_ok=True)
    now = datetime.datetime.now()
    commit = bench.sh("git", "-C", bench.root, "describe", "--always", "--dirty").strip()
    log = os.path.join(bench.root, "bench/log", now.strftime("%Y-%m-%d-sampleprof.tsv"))

    def write(line):
        with open(log, "a", encoding="utf-8") as f:
            f.write(line + "\n")

    write(f"# {now:%Y-%m-%dT%H:%M} commit {commit}, {bench.processor()}; {options.rounds} rounds; time over that of the plain program, in sample")
    write("\t".join(columns))
    rows = []
    for name in options.names or bench.scales:
        print(f"sampleprof: {name}: measuring", file=sys.stderr, flush=True)
        rows.append(Program(name, folder, options.rounds).judge(options.rounds))
        print(text(rows[-1]), flush=True)
        write(text(rows[-1]))
    print(summary(rows))
    write(f"# {summary(rows)}")
    if not options.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
