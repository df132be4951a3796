#!/usr/bin/env python3
"""What counting costs when programs are compiled: single files at -O2, plain and in every variant of prices.py.

    bench/compile.py [--variants pgo,counts,...] [--rounds 5] [--log FILE.tsv] [FILE...]

User CPU time of one compiler process decides; wall time stands beside it, and instructions by `perf stat` where that
is granted. Rounds are paired and interleaved, see prices.py. Sizes are bytes: of the object file, which holds the map
as well, and of what `size` calls text, data and bss. Files are those of corpus/ (two C files with very large functions,
one of them a dispatch by computed goto, a small one, a C++ file) and `branches`, generated: 500 branches in a loop.

Appends a line for each file and variant, and geometric means, to bench/log/DATE-compile.tsv. A file that does not
compile is an empty line and status 1; no time passes or fails anything. It does not link."""
import os
import statistics
import sys
import tempfile

import prices

# label: (program of corpus/, file below its work folder, options); programs are built plainly to lay out their sources
tag = "bench-plain"
files = {
    "sqlite3.c": ("sqlite3", "amalgamation/sqlite3.c", "-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION"),
    "lvm.c": ("lua", f"{tag}/lua5.4/src/lvm.c", "-DLUA_COMPAT_5_3 -DLUA_USE_POSIX"),
    "lstrlib.c": ("lua", f"{tag}/lua5.4/src/lstrlib.c", "-DLUA_COMPAT_5_3 -DLUA_USE_POSIX"),
    "pugixml.cpp": ("pugixml", f"{tag}/pugixml/src/pugixml.cpp", ""),
    "branches": (None, "branches.c", ""),
}


def branches(path, n=500):
    """A loop with n branches that no clean-up turns into selects: each guards a word of its own."""
    with open(path, "w") as f:
        f.write(f"unsigned words[{n}];\nvoid branches(unsigned x, unsigned rounds) {{\n  while (rounds--) {{\n"
                "    x = x * 1664525u + 1013904223u;\n")
        f.writelines(f"    if ((x >> {i % 28}) % {3 + i % 11} == {i % 3}) words[{i}] += x;\n" for i in range(n))
        f.write("  }\n}\n")


def source(label, scratch, llvm):
    """(path, options); builds the program of the corpus where its sources are not laid out yet."""
    program, place, options = files[label]
    if program is None:
        path = os.path.join(scratch, place)
        branches(path)
        return path, []
    work = os.path.dirname(os.path.dirname(prices.corpus(program, tag, "", llvm)[0]))
    path = os.path.join(work, place)
    if not os.path.exists(path):
        prices.corpus(program, tag, "", llvm, "build")
    return path, options.split()


def sizes(object_file):
    parts = prices.shell(["size", object_file]).splitlines()[1].split()
    return {"object": os.path.getsize(object_file), **dict(zip(("text", "data", "bss"), map(int, parts)))}


def measure(label, o, perf):
    """A row for each variant that compiles."""
    with tempfile.TemporaryDirectory() as scratch:
        path, options = source(label, scratch, o.llvm)
        compiler = ("clang++-" if path.endswith("pp") else "clang-") + o.llvm
        env = dict(os.environ)
        objects = {v: os.path.join(scratch, v + ".o") for v in o.flags}

        def command(v):
            return [compiler, "-O2", "-w", "-fno-crash-diagnostics", *o.flags[v].split(), *options, "-c", "-o",
                    objects[v], path]

        prices.run(command("plain"), env)  # brings the files into memory
        rounds = prices.paired(o.flags, o.rounds, lambda v: prices.run(command(v), env))
        good = [v for v in o.flags if all(r[v][0].status == 0 for r in rounds)]
        if "plain" not in good:
            return []
        size = {v: sizes(objects[v]) for v in good}
        counted = {v: prices.perf_counted(command(v), env, scratch)[0] / 1e6 for v in good} if perf else {}
    user, wall = ([{v: getattr(r[v][0], what) for v in good} for r in rounds] for what in ("user", "wall"))
    whole = {v: size[v]["object"] for v in good}
    middle = lambda times, v: statistics.median(r[v] for r in times)
    return [{"file": label, "variant": v, "user s": middle(user, v), **prices.intervals("user", user, v),
             "wall s": middle(wall, v), **prices.intervals("wall", wall, v),
             **({"M instructions": counted[v], **prices.ratios("instructions", counted, v)} if counted else {}),
             **size[v], **prices.ratios("object", whole, v)} for v in good]


def main():
    o = prices.parse(prices.options(__doc__, files, 5), files)
    perf = prices.granted()
    log = prices.Log(o, "compile", "What counting costs when programs are compiled (bench/compile.py): seconds of one "
                     "compiler process, ratios as median and 90 % interval of paired rounds, sizes in bytes.",
                     f"{o.rounds} rounds; instructions {'by perf stat' if perf else 'are not granted'}",
                     ["file", "variant", "user s", *prices.interval_columns("user"), "wall s",
                      *prices.interval_columns("wall"), "M instructions", *prices.ratio_columns("instructions"),
                      "object", *prices.ratio_columns("object"), "text", "data", "bss"])
    for label in o.names:
        rows = measure(label, o, perf)
        for row in rows:
            log.put(row)
        for v in o.flags.keys() - {row["variant"] for row in rows}:
            log.put({"file": label, "variant": v})
    return 1 if log.end() else 0


if __name__ == "__main__":
    sys.exit(main())
