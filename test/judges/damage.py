#!/usr/bin/env python3
"""Bits that flip and files that are cut: what is told of a damaged corpus, raw record or live file is refused, or what it was.

    damage.py [--flips N] [--seed S]

Makes a corpus of a C++ program with everything recorded, requests and timings among it, a raw record, and the live
file of a process that was killed. Of each, N times one random bit is flipped and N / 4 times the file is cut at a random place.
Of a corpus everything is read (`corpus dump`): status 1 and one line, or the same bytes as of the good one. When it is refused,
`corpus check` ends with 1, and `corpus salvage` makes a corpus of which every run is as it was, and says how many are lost.
Records are added to an empty corpus: refused in one line, or the same dump but for the run's names. A live file has no checksum (its
process was killed while it changed): its run must say that it was cut short. Prints a line per kind of file; status 1 when one is wrong."""
import argparse
import collections
import concurrent.futures
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

program = r"""
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <unistd.h>
__attribute__((noinline)) int tick(int x) { return x % 3 == 1 ? x * 2 : x + 1; }
__attribute__((noinline, annotate("quincunx::request"))) int serve(int n) {
  int x = 0;
  std::map<int, std::string> seen;
  for (int i = 0; i < n; ++i) {
    x = tick(x) & 255;
    seen[x] += 'a';
  }
  return x + int(seen.size());
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0, x = 0;
  for (int i = 0; i < 4; ++i)
    x += serve(n + i);
  printf("%d\n", x);
  if (argc > 2) { /* until it is killed */
    fflush(stdout);
    pause();
  }
}
"""


class Damage:
    def __init__(self, build, folder):
        self.folder, self.tool = folder, os.path.join(build, "bin/quincunx")
        self.config = os.path.join(build, "lib/quincunx/quincunx.cfg")
        self.counts = collections.defaultdict(collections.Counter)
        self.wrong = []

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def call(self, *words, **more):
        return subprocess.run([self.tool, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20, check=False, **more)

    def make(self):
        with open(self.path("p.cpp"), "w") as f:
            f.write(program)
        everything = "-fplugin-arg-quincunx-record=calls,runs"
        for flags, out in (([f"--config={self.config}", everything], "p"), ([], "plain")):
            done = subprocess.run(["clang++-22", *flags, "-O1", "-g", "-o", out, "p.cpp"], cwd=self.folder,
                                  stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode:
                raise SystemExit("damage.py: error: " + done.stderr)
        runs = [str(n) for n in range(0, 90, 3)]
        assert self.call("run", "-q", "--machine", "none", "-o", "good.qx", "--", "./p", "{}", ":::", *runs).returncode == 0
        assert self.call("run", "-q", "-o", "good.qx", "--timed", "--repeat", "2", "--", "./plain", "{}", ":::", *runs[:6]).returncode == 0
        self.record("r.qxraw", ["./p", "50"])
        self.record("l.live.qxraw", ["./p", "50", "wait"])
        self.good = self.dump("good.qx")
        self.records = {name: self.added(name, self.path(name)) for name in ("r.qxraw", "l.live.qxraw")}
        assert self.good and all(self.records.values())

    def record(self, name, command):
        os.mkdir(self.path("raw"))
        process = subprocess.Popen(command, cwd=self.folder, env=dict(os.environ, QUINCUNX_OUT="raw/", QUINCUNX_RUN="one"),
                                   stdout=subprocess.PIPE)
        process.stdout.readline()
        if len(command) > 2:
            process.kill()
        process.wait()
        file, = glob.glob(self.path("raw", "*"))
        os.rename(file, self.path(name))
        os.rmdir(self.path("raw"))

    def dump(self, corpus):
        """All of a corpus; None when it was refused in one line."""
        r = self.call("corpus", "dump", corpus)
        if r.returncode == 1 and r.stderr.count(b"\n") == 1:
            return None
        if r.returncode != 0:
            raise RuntimeError(f"status {r.returncode}: {r.stderr[:200]}")
        return r.stdout

    def added(self, name, path):
        """The dump of a corpus to which a record was added; None when it was refused."""
        corpus = path + ".qx"
        r = self.call("corpus", "add", corpus, path)
        try:
            if r.returncode == 1 and r.stderr.count(b"\n") <= 2:
                return None
            if r.returncode != 0:
                raise RuntimeError(f"status {r.returncode}: {r.stderr[:200]}")
            return self.dump(corpus)
        finally:
            for rest in glob.glob(corpus + "*"):
                os.remove(rest)

    def judge_corpus(self, path):
        got = self.dump(path)
        check = self.call("corpus", "check", path)
        if got is not None:
            return "as it was" if got == self.good else "ANOTHER FIGURE"
        if check.returncode != 1:
            return f"CHECK ENDS WITH {check.returncode}"
        rest = path + ".rest"
        try:
            r = self.call("corpus", "salvage", path, "-o", rest)
            if r.returncode == 1 and r.stderr.count(b"\n") == 1:
                return "refused, nothing left"
            if r.returncode != 0:
                return f"SALVAGE ENDS WITH {r.returncode}"
            return self.compare_rest(rest, r.stdout.decode())
        finally:
            for file in glob.glob(rest + "*"):
                os.remove(file)

    def compare_rest(self, rest, said):
        told = re.search(r"(\d+) runs? can be read, (\d+) cannot", said)
        if not told:
            return "SALVAGE FINDS NO DAMAGE"
        kept, lost = map(int, told.groups())
        kinds = ("run", "argument", "image", "count") if "lost: map" in said else ()  # what else is shown needs the map
        whole, part = runs_of(self.good, kinds), runs_of(self.dump(rest) or b"", kinds)
        for name, lines in part.items():
            # without the map recorders are shown as counts, too
            if not lines or not set(whole.get(name, ["none"])) <= set(lines) or not kinds and lines != whole[name]:
                return "SALVAGE CHANGES A RUN"
        if kinds and part and self.call("report", rest).returncode == 0:
            return "A REPORT WITHOUT ITS MAP"
        if len(part) != kept or (kept + lost != len(whole) and "perhaps more" not in said):
            return "SALVAGE MISCOUNTS"
        return "refused, all runs kept" if kept == len(whole) else "refused, some runs kept"

    def judge_record(self, name, path):
        got, good = self.added(name, path), self.records[name]
        if got is None:
            return "refused"
        if got == good:
            return "as it was"
        if name.startswith("l"):
            return "cut short, as the good one" if b"\tcut-short\t" in got else "ANOTHER FIGURE"
        return "ANOTHER FIGURE"

    def one(self, name, number, seed):
        r = random.Random(f"{name} {number} {seed}")
        with open(self.path(name), "rb") as f:
            data = bytearray(f.read())
        if number % 5 == 4:
            at = r.randrange(len(data))
            how, data = f"cut at {at}", data[:at]
        else:
            bit = r.randrange(len(data) * 8)
            how = f"bit {bit}"
            data[bit // 8] ^= 1 << bit % 8
        path = self.path(f"{number}.{name}")
        with open(path, "wb") as f:
            f.write(data)
        try:
            verdict = self.judge_corpus(path) if name.endswith(".qx") else self.judge_record(name, path)
        except subprocess.TimeoutExpired:
            verdict = "HANGS"
        except RuntimeError as e:
            verdict = f"ENDS BADLY: {e}"
        os.remove(path)
        return name, how, verdict

    def work(self, flips, seed):
        jobs = [(name, i, seed) for name in ("good.qx", "r.qxraw", "l.live.qxraw") for i in range(flips * 5 // 4)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, how, verdict in pool.map(lambda job: self.one(*job), jobs):
                self.counts[name][verdict] += 1
                if verdict[:2].isupper():
                    self.wrong.append(f"{name}, {how}: {verdict}")


def runs_of(dump, kinds):
    """identity: the lines of a run that begin with one of `kinds`, all when there are none."""
    lines = collections.defaultdict(list)
    for line in dump.decode(errors="replace").splitlines():
        w = line.split("\t")
        if w[0] == "run" or len(w) > 1 and w[1] in lines:
            lines[w[1]] += [line] if w[0] in kinds or not kinds else []
    return lines


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--flips", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    o = options.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with tempfile.TemporaryDirectory() as folder:
        damage = Damage(os.environ.get("BUILD", os.path.join(root, "build/default")), folder)
        damage.make()
        damage.work(o.flips, o.seed)
    for name, verdicts in damage.counts.items():
        print(f"{name}: {sum(verdicts.values())} damaged, " + ", ".join(f"{n} {v}" for v, n in verdicts.most_common()))
    for line in damage.wrong:
        print("wrong:", line)
    return 1 if damage.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
