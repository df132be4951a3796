#!/usr/bin/env python3
"""Whether effects in time lie where `quincunx compare` says.

    bench/compare_time.py [--inputs N] [--rounds N] [--keep FOLDER] [NAME...]

Changes of four programs of corpus/ that a clock can see. The build before is recorded, timed, sampled and calibrated
(`quincunx profile`), each build after is only recorded; what `compare` predicts of the mean, of p50 and of p90, with their intervals of
90 %, is held against the processor times of both plain programs: all builds of a program in turns, `rounds` times, the least of each
input. Such a truth has noise, too: that of its halves (even and odd rounds), which is added to the interval. No time of a build after is
in the prediction. Sizes of errors (lib/estimate/compare/PriceErrors.cpp) were taken from ncompress and bzip2; minigzip and mujs
were looked at afterwards, and the loop in ncompress was proposed by somebody else then. Appends a line per change to bench/log.
"""
import argparse
import datetime
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

import compare

compare.programs["mujs"] = ("mujs", "", "jsarray.c jsboolean.c jsbuiltin.c jscompile.c jsdate.c jsdtoa.c jsdump.c jserror.c jsfunction.c jsgc.c "
                            "jsintern.c jslex.c jsmath.c jsnumber.c jsobject.c json.c jsparse.c jsproperty.c jsregexp.c jsrepr.c jsrun.c "
                            "jsstate.c jsstring.c jsvalue.c main.c regexp.c utf.c -lm")
work = compare.work
table = [  # program, kind, file, what stands there, what stands there then
    ("ncompress", "constant", "compress42.c", "#define CHECK_GAP 10000", "#define CHECK_GAP 1000"),
    ("ncompress", "branch", "compress42.c", "\t\t\t\t\trlop += i;\n", "\t\t\t\t\trlop += i; " + work + "\n"),
    ("ncompress", "work", "compress42.c", "\t\tclear_htab();\n\n\t\twhile", "\t\tclear_htab();\n\t\tclear_htab();\n\t\tclear_htab();\n\n\t\twhile"),
    ("ncompress", "loop", "compress42.c", "\t\t\t\t\trlop += i;\n", "\t\t\t\t\trlop += i; { static volatile long more; for (int spun = 0; spun < 100; ++spun) more += spun; }\n"),
    ("bzip2", "constant", "bzlib_private.h", "#define BZ_N_ITERS  4", "#define BZ_N_ITERS  9"),
    ("bzip2", "constant", "blocksort.c", "#define MAIN_QSORT_SMALL_THRESH 20", "#define MAIN_QSORT_SMALL_THRESH 80"),
    ("bzip2", "branch", "compress.c", "         zPend++;\n      } else {", "         zPend++; " + work + "\n      } else {"),
    ("bzip2", "inlined", "blocksort.c", "__inline__\nBool mainGtU", "__attribute__((always_inline)) __inline__\nBool mainGtU"),
    ("bzip2", "not inlined", "blocksort.c", "static \n__inline__\nUChar mmed3", "static \n__attribute__((noinline))\nUChar mmed3"),
    ("bzip2", "work", "huffman.c", "      for (i = 1; i <= alphaSize; i++) {\n", "      for (i = 1; i <= alphaSize; i++) { " + work + work + work + "\n"),
    ("minigzip", "constant", "deflate.c", "/* 6 */ {8,   16, 128, 128, deflate_slow},", "/* 6 */ {8,   16, 128, 512, deflate_slow},"),
    ("minigzip", "constant", "deflate.c", "/* 6 */ {8,   16, 128, 128, deflate_slow},", "/* 6 */ {8,   16, 16, 16, deflate_slow},"),
    ("minigzip", "branch", "deflate.c", "        match = s->window + cur_match;\n", "        match = s->window + cur_match; " + work + "\n"),
    ("minigzip", "work", "deflate.c", "            scan_end1  = scan[best_len - 1];\n", "            scan_end1  = scan[best_len - 1]; " + work + work + "\n"),
    ("mujs", "constant", "jsi.h", "#define JS_GCFACTOR 5.0", "#define JS_GCFACTOR 1.5"),
    ("mujs", "work", "jsrun.c", "\t\topcode = *pc++;\n", "\t\topcode = *pc++; " + work + "\n"),
    ("mujs", "inlined", "jsrun.c", "static js_Value *stackidx", "__attribute__((always_inline)) static inline js_Value *stackidx"),
    ("mujs", "allocation", "jsproperty.c", "static js_Property *lookup(js_Property *node, const char *name)\n{", "static js_Property *lookup(js_Property *node, const char *name)\n{ " + compare.allocation),
]
timer = r"""#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
extern char **environ;
/* Lines: program, standard input, arguments, between tabs. Prints the processor time of each line in each round, microseconds. */
int main(int argc, char **argv) {
  static char line[1 << 16];
  char *words[64], **lines[4096];
  int n = 0, rounds = atoi(argv[1]), builds = argc > 2 ? atoi(argv[2]) : 1;
  while (fgets(line, sizeof line, stdin)) {
    int w = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *p = strdup(line), *t; (t = strsep(&p, "\t"));)
      words[w++] = t;
    words[w] = NULL;
    lines[n] = malloc(sizeof words);
    memcpy(lines[n++], words, sizeof words);
  }
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < n; i += builds)
      for (int b = 0; b < builds; ++b) {
        const int at = i + (b + r) % builds;
        char **w = lines[at], *args[64] = {w[0]};
        for (int k = 2; w[k]; ++k)
          args[k - 1] = w[k];
        posix_spawn_file_actions_t a;
        posix_spawn_file_actions_init(&a);
        posix_spawn_file_actions_addopen(&a, 0, strcmp(w[1], "-") ? w[1] : "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&a, 1, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&a, 2, "/dev/null", O_WRONLY, 0);
        pid_t pid;
        struct rusage u;
        int status;
        if (posix_spawn(&pid, w[0], &a, NULL, args, environ) != 0 || wait4(pid, &status, 0, &u) != pid)
          return 1;
        posix_spawn_file_actions_destroy(&a);
        printf("%d\t%d\t%ld\n", r, at, u.ru_utime.tv_sec * 1000000L + u.ru_utime.tv_usec + u.ru_stime.tv_sec * 1000000L + u.ru_stime.tv_usec);
      }
}
"""


def plain(program, tag):
    """The plain program of the sources that `tag` was built of."""
    folder = os.path.join(program.scratch, program.name + "-" + tag)
    command = shlex.split(f"clang-22 -O2 -gline-tables-only -w {program.flags}")
    subprocess.run([*command, "-o", "plain", *program.files.split()], cwd=folder, check=True)
    return os.path.join(folder, "plain")


def times(scratch, program, builds, rounds):
    """Processor times by build and input, of all rounds: [build][input][round]."""
    tool = os.path.join(scratch, "timer")
    if not os.path.exists(tool):
        with open(tool + ".c", "w") as f:
            f.write(timer)
        subprocess.run(["clang-22", "-O2", "-w", "-o", tool, tool + ".c"], check=True)
    with open(program.cases) as f:
        cases = [line.rstrip("\n").split("\t") for line in f]
    lines = ["\t".join([build, case[1], *shlex.split(case[2])]) for case in cases for build in builds]
    said = subprocess.run([tool, str(rounds), str(len(builds))], input="\n".join(lines) + "\n", text=True, check=True,
                          stdout=subprocess.PIPE, cwd=os.path.dirname(program.cases)).stdout
    out = [[[0] * rounds for _ in cases] for _ in builds]
    for line in said.splitlines():
        r, at, us = map(int, line.split("\t"))
        out[at % len(builds)][at // len(builds)][r] = us
    return out


def statistic(name, values):
    values = sorted(values)
    if name == "mean":
        return statistics.mean(values)
    return values[min(len(values) - 1, int(len(values) * int(name[1:]) / 100 + 0.999999) - 1)]


def measured(name, before, after, rounds):
    """The relative change, and its standard error by halves of the rounds."""
    def change(chosen):
        least = lambda of: [min(times[r] for r in chosen) for times in of]
        return statistic(name, least(after)) / statistic(name, least(before)) - 1
    halves = [change(range(k, rounds, 2)) for k in (0, 1)]
    return change(range(rounds)), abs(halves[0] - halves[1]) / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs (all)")
    parser.add_argument("--keep", help="folder to work in, and to keep")
    o = parser.parse_args()
    scratch = o.keep or tempfile.mkdtemp(prefix="quincunx-compare-time.")
    os.makedirs(scratch, exist_ok=True)
    rows, inside = [], []
    for name in o.names or compare.programs:
        program = compare.Program(name, scratch, o.inputs)
        changes = [c for c in table if c[0] == name]
        tags = ["one"] + [f"c{i:02}" for i in range(len(changes))]
        counted = [program.build(tag, change and change[2:]) for tag, change in zip(tags, [None, *changes])]
        plains = [plain(program, tag) for tag in tags]
        corpora = [os.path.join(scratch, f"{name}-{tag}.qx") for tag in tags]
        subprocess.run([compare.quincunx, "profile", "-q", "-o", corpora[0], "--plain", plains[0], "--cases", program.cases, "--", counted[0]],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for corpus, build in zip(corpora[1:], counted[1:]):
            compare.record(corpus, "--cases", program.cases, "--", build)
        clock = times(scratch, program, plains, o.rounds)
        for i, (_, kind, file, _, _) in enumerate(changes):
            said = subprocess.run([compare.quincunx, "compare", "--json", "--unit", "time", corpora[0], corpora[i + 1]], text=True,
                                  stdout=subprocess.PIPE).stdout
            answer = json.loads(said)
            for figure in ("mean", "p50", "p90"):
                f = answer["program"][figure]
                truth, error = measured(figure, clock[0], clock[i + 1], o.rounds)
                low, high = (x if isinstance(x, (int, float)) else sign * 1e9 for x, sign in zip(f["interval"], (-1, 1)))
                within = low - 1.645 * error <= truth <= high + 1.645 * error
                if max(-low, high) < 1e6:  # one that is open holds everything
                    inside.append(within)
                rows.append(f"{name}\t{kind}\t{file}\t{figure}\t{100 * f['change']:+.2f}\t{100 * low:+.2f} .. {100 * high:+.2f}\t"
                            f"{100 * truth:+.2f}\t{100 * error:.2f}\t{'inside' if within else 'OUTSIDE'}\t{answer['verdict']}")
                print(rows[-1], flush=True)
    summary = f"# {sum(inside)} of {len(inside)} effects inside ({100 * sum(inside) / len(inside):.0f} %)"
    print(summary)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=compare.root, text=True, stdout=subprocess.PIPE).stdout.strip()
    with open(os.path.join(compare.root, "bench/log", f"{datetime.date.today()}-compare-time.tsv"), "a") as log:
        log.write(f"# commit {commit}, {o.inputs} inputs, {o.rounds} rounds; changes in per cent\n"
                  "program\tchange\tfile\tfigure\tpredicted\tinterval\tmeasured\tits error\t\tverdict\n" + "\n".join(rows) + "\n" + summary + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
