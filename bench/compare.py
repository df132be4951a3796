#!/usr/bin/env python3
"""Whether `quincunx compare` finds what a change did, and nothing where it did nothing.

    bench/compare.py [--inputs N] [--recordings N] [--keep FOLDER]

Changes: twenty edits of three programs of corpus/ (a constant made larger, work in a branch, a callee that is inlined or no
longer is, a new allocation, a comment, a rename), each built and run over the same inputs, twice each. One with an effect is
found when a function that it is in is listed; one without is right when nothing is listed. Paths of all builds have one length, as
programs that look at the name they were started by count it.
Equal sources: recordings of two builds of the same sources in different folders, of these programs and of one with a random
seed, each with each: no function may be listed, and no verdict be another than the same.

Appends a line per change and one per program to bench/log; the status is 1 when one is wrong.
"""
import argparse
import datetime
import glob
import itertools
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.environ.get("BUILD") or os.path.join(root, "build/default")
config = os.environ.get("CFG") or os.path.join(build, "lib/quincunx/quincunx.cfg")
quincunx = os.path.join(build, "bin/quincunx")
allocation = "{ void *volatile more = malloc(100); free(more); }"
work = "{ static volatile long more; more += 3; more ^= 5; }"

programs = {
    "ncompress": ("ncompress", "-DNOFUNCDEF -DUTIME_H -DLSTAT -DUSERMEM=800000 -D_GNU_SOURCE -include unistd.h -include string.h",
                  "compress42.c"),
    "bzip2": ("bzip2", "-D_FILE_OFFSET_BITS=64",
              "blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c bzip2.c"),
    "minigzip": ("zlib", "-DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1 -I.",
                 "adler32.c crc32.c deflate.c infback.c inffast.c inflate.c inftrees.c trees.c zutil.c compress.c uncompr.c gzclose.c "
                 "gzlib.c gzread.c gzwrite.c test/minigzip.c"),
}
# program, kind, file, what stands there, what stands there then, functions of which one is named (none: no effect)
changes = [
    ("ncompress", "comment", "compress42.c", "\t\tclear_htab();\n\n\t\twhile", "\t\tclear_htab();\n\n\t\t/* more */\n\n\t\twhile", ""),
    ("ncompress", "rename", "*.c", "prratio", "print_ratio", ""),
    ("ncompress", "constant", "compress42.c", "#define CHECK_GAP 10000", "#define CHECK_GAP 5000", "compress"),
    ("ncompress", "branch", "compress42.c", "\t\t\t\t\trlop += i;\n", "\t\t\t\t\trlop += i; " + work + "\n", "compress"),
    ("ncompress", "allocation", "compress42.c", "\t\tcheckpoint = CHECK_GAP;\n", "\t\tcheckpoint = CHECK_GAP; " + allocation + "\n", "compress"),
    ("bzip2", "comment", "compress.c", "   wr = 0;\n   zPend = 0;", "   /* more\n    */\n\n   wr = 0;\n   zPend = 0;", ""),
    ("bzip2", "comment", "blocksort.c", "UChar mmed3 (", "/* more */\n\nUChar mmed3 (", ""),
    ("bzip2", "rename", "*.[ch]", "BZ2_hbAssignCodes", "BZ2_giveCodes", ""),
    ("bzip2", "rename", "*.[ch]", "generateMTFValues", "moveToFront", ""),
    ("bzip2", "constant", "bzlib_private.h", "#define BZ_N_ITERS  4", "#define BZ_N_ITERS  5", "sendMTFValues"),
    ("bzip2", "constant", "blocksort.c", "#define MAIN_QSORT_SMALL_THRESH 20", "#define MAIN_QSORT_SMALL_THRESH 30", "mainQSort3 mainSimpleSort"),
    ("bzip2", "branch", "compress.c", "         zPend++;\n      } else {", "         zPend++; " + work + "\n      } else {", "generateMTFValues"),
    ("bzip2", "inlined", "blocksort.c", "__inline__\nBool mainGtU", "__attribute__((always_inline)) __inline__\nBool mainGtU", "mainGtU mainSimpleSort"),
    ("bzip2", "allocation", "blocksort.c", "void BZ2_blockSort ( EState* s )\n{", "void BZ2_blockSort ( EState* s )\n{ " + allocation, "BZ2_blockSort"),
    ("minigzip", "comment", "trees.c", "local void bi_flush(s)", "/* more */\n\n\nlocal void bi_flush(s)", ""),
    ("minigzip", "rename", "*.c", "fill_window", "refill_window", ""),
    ("minigzip", "constant", "deflate.c", "#  define TOO_FAR 4096", "#  define TOO_FAR 8192", "deflate_slow"),
    ("minigzip", "branch", "trees.c", "    } else if (s->bi_valid >= 8) {\n", "    } else if (s->bi_valid >= 8) { " + work + "\n", "bi_flush"),
    ("minigzip", "not inlined", "trees.c", "local unsigned bi_reverse(code, len)", "__attribute__((noinline)) local unsigned bi_reverse(code, len)", "bi_reverse gen_codes"),
    ("minigzip", "allocation", "deflate.c", "    do {\n        more = (unsigned)(s->window_size", "    " + allocation + "\n    do {\n        more = (unsigned)(s->window_size", "fill_window"),
]
noisy = """#include <stdlib.h>
#include <sys/random.h>
static volatile unsigned sink;
__attribute__((noinline)) static void probe(unsigned n) {
  unsigned seed;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
    abort();
  for (unsigned i = 0; i < n + seed % (n / 10 + 1); ++i)
    sink += i;
}
int main(int argc, char **argv) {
  unsigned n = 1000 * (unsigned)atoi(argv[1]);
  probe(n);
  for (unsigned i = 0; i < n; ++i)
    sink ^= i;
  return argc > 9;
}
"""


def shell(name, what, inputs):
    env = dict(os.environ, N=str(inputs))
    return subprocess.run(["sh", os.path.join(root, "corpus", name + ".sh"), what], env=env, check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


class Program:
    def __init__(self, name, scratch, inputs):
        self.name, self.scratch = name, scratch
        package, self.flags, self.files = programs[name]
        shell(name, "fetch", inputs)
        shell(name, "inputs", inputs)
        plain, folder = shell(name, "path", inputs).strip().split("\t")
        self.cases = os.path.join(folder, "cases.tsv")
        self.source = os.path.join(os.path.dirname(os.path.dirname(plain)), "src-" + package)

    def build(self, tag, edit=None):
        """The program, of a copy of the sources that `edit` (pattern of files, old, new) was made to."""
        folder = os.path.join(self.scratch, self.name + "-" + tag)
        shutil.copytree(self.source, folder)
        if edit:
            files, old, new = edit
            found = 0
            for path in glob.glob(os.path.join(folder, files)):
                with open(path, encoding="latin-1") as f:
                    text = f.read()
                found += text.count(old)
                with open(path, "w", encoding="latin-1") as f:
                    f.write(text.replace(old, new))
            assert found, f"{self.name}: {files} has no {old!r}"
        compiler = shlex.split(f"clang-22 --config={config} -O2 -g -w {self.flags}")
        subprocess.run([*compiler, "-o", "prog", *self.files.split()], cwd=folder, check=True, env=dict(os.environ, QUINCUNX_OUT=""))
        return os.path.join(folder, "prog")

    def record(self, program, tag):
        return record(os.path.join(self.scratch, f"{self.name}-{tag}.qx"), "--cases", self.cases, "--", program)


def record(corpus, *words):
    env = {k: v for k, v in os.environ.items() if not k.startswith("QUINCUNX_")} | {"QUINCUNX_MACHINE": "none"}
    subprocess.run([quincunx, "run", "--quiet", "-o", corpus, "--repeat", "2", *words], env=env, check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return corpus


def compare(before, after):
    done = subprocess.run([quincunx, "compare", "--json", before, after], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if not done.stdout:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def changed(program, before):
    """Makes the changes of a program; a line of the log and whether it is right, for each."""
    number = 0
    for name, kind, files, old, new, expected in changes:
        if name != program.name:
            continue
        number += 1
        after = program.record(program.build(f"{number:03}", (files, old, new)), f"change{number}")
        answer = compare(before, after)
        found = [f["shown"] for f in answer["functions"]]
        right = bool(set(found) & set(expected.split())) if expected else not found and answer["verdict"] == "same"
        mean = answer["program"]["mean"]["change"]
        yield f"{name}\t{kind}\t{expected or '-'}\t{' '.join(found) or '-'}\t{answer['verdict']}\t{100 * mean:+.3f}\t{'right' if right else 'WRONG'}", right


def equal(name, recordings, most):
    """Each recording with each; a line of the log, and whether none is called different."""
    pairs = list(itertools.combinations(recordings, 2))[:most]
    wrong = []
    for before, after in pairs:
        answer = compare(before, after)
        if answer["functions"] or answer["verdict"] != "same":
            wrong.append((before, after))
    for before, after in wrong:
        print("called different:", before, after, file=sys.stderr)
    return f"{name}\tequal sources\t-\t-\t{len(pairs)} comparisons\t{len(wrong)} different\t{'WRONG' if wrong else 'right'}", not wrong


def noisy_recordings(scratch, number):
    source = os.path.join(scratch, "noisy.c")
    with open(source, "w") as f:
        f.write(noisy)
    for i in range(number):
        program = os.path.join(scratch, f"noisy{i % 2}")
        subprocess.run(["clang-22", f"--config={config}", "-O1", "-g", "-o", program, source], check=True)
        yield record(os.path.join(scratch, f"noisy-{i}.qx"), "--", program, "{}", ":::", *map(str, range(1, 13)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=24)
    parser.add_argument("--recordings", type=int, default=8, help="of equal sources, of each program")
    parser.add_argument("--keep", help="folder to work in, and to keep")
    o = parser.parse_args()
    scratch = o.keep or tempfile.mkdtemp(prefix="quincunx-compare.")
    os.makedirs(scratch, exist_ok=True)
    rows = []
    for name in programs:
        program = Program(name, scratch, o.inputs)
        builds = [program.build("one"), program.build("two")]
        recordings = [program.record(builds[i % 2], f"equal{i}") for i in range(o.recordings)]
        for row in itertools.chain(changed(program, recordings[0]), [equal(name, recordings, 28)]):
            rows.append(row)
            print(row[0], flush=True)
    rows.append(equal("random seed", list(noisy_recordings(scratch, o.recordings)), 28))
    print(rows[-1][0])
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=root, text=True, stdout=subprocess.PIPE).stdout.strip()
    with open(os.path.join(root, "bench/log", f"{datetime.date.today()}-compare.tsv"), "a") as log:
        log.write(f"# commit {commit}, {o.inputs} inputs twice, {o.recordings} recordings of equal sources\n"
                  "program\tchange\tin\tfound\tverdict\tmean %\t\n" + "\n".join(r[0] for r in rows) + "\n")
    if not o.keep:
        shutil.rmtree(scratch)
    return 0 if all(right for _, right in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
