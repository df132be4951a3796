#!/usr/bin/env python3
"""Runs the tests of test/passes (and other folders): every line `// RUN: COMMAND` (or `; RUN:`, `# RUN:`) of a file is a
shell command that must succeed. A small part of LLVM's lit, which Debian's Python does not come with.

    run.py [--build FOLDER] [--llvm 22] [-v] [FILE-or-FOLDER...]

Substitutions: %clang %clangxx (with the flag: --config), %plainclang %plainclangxx, %cfg, %opt (with the pass plugin), %printer
(opt with the printer's), %quincunx, %judge, %blocks
(record=calls,runs,blocks, and ALSO of the environment, another tier), FileCheck, not, %s the file, %S its folder, %t a scratch path of its own, %T a scratch folder of its own,
%{llvm}. `record PROGRAM` runs it once, with its output in PROGRAM.out, its records in PROGRAM.raw and
its corpus in PROGRAM.qx; `judged PROGRAM [--exact]` asks both judges of derived counts. A trailing backslash joins lines. `REQUIRES: llvm-22` or `UNSUPPORTED: llvm-19` choose versions; `XFAIL` is not
known. It prints a line per test and a count; status 1 when one failed."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
suffixes = (".c", ".cpp", ".cc", ".ll", ".test")
mark = re.compile(r"^\s*(?://|;|#)\s*(RUN|REQUIRES|UNSUPPORTED):\s*(.*?)\s*$")


def substitutions(build, llvm):
    suffix = "" if llvm == "22" else f"-{llvm}"
    config = os.path.join(build, f"lib/quincunx/quincunx{suffix}.cfg")
    tools = f"/usr/lib/llvm-{llvm}/bin"
    also = "," + os.environ["ALSO"] if os.environ.get("ALSO") else ""
    tool = lambda name: os.path.join(tools, name) if os.path.exists(os.path.join(tools, name)) else f"{name}-{llvm}"
    return config, [  # longer names first
        (r"%plainclangxx\b", f"clang++-{llvm}"),
        (r"%plainclang\b", f"clang-{llvm}"),
        (r"%clangxx\b", f"clang++-{llvm} --config={config}"),
        (r"%clang\b", f"clang-{llvm} --config={config}"),
        (r"%cfg\b", config),
        (r"%opt\b", f"{tool('opt')} -load-pass-plugin={build}/lib/quincunx/quincunx-pass{suffix}.so"),
        (r"%printer\b", f"{tool('opt')} -load-pass-plugin={build}/lib/quincunx/quincunx-print{suffix}.so"),
        (r"%quincunx\b", os.path.join(build, "bin/quincunx")),
        (r"%blocks\b", "-fplugin-arg-quincunx-record=calls,runs,blocks" + also),
        (r"%judge\b", f"{sys.executable} {root}/test/judges/judge.py"),
        (r"%\{llvm\}", llvm),
        (r"(?<![\w/.-])FileCheck\b", tool("FileCheck")),
        (r"(?<![\w/.-])not(?= )", tool("not")),
    ]


def read(path):
    commands, skip, llvm = [], None, read.llvm
    with open(path, encoding="utf-8", errors="replace") as f:
        joined = ""
        for line in f:
            m = mark.match(line)
            if not m:
                continue
            if m.group(1) == "RUN":
                joined += m.group(2)
                if joined.endswith("\\"):
                    joined = joined[:-1] + " "
                else:
                    commands.append(joined)
                    joined = ""
            else:
                words = re.split(r"[\s,]+", m.group(2))
                if m.group(1) == "REQUIRES" and any(w.startswith("llvm-") and w != f"llvm-{llvm}" for w in words):
                    skip = m.group(2)
                if m.group(1) == "UNSUPPORTED" and f"llvm-{llvm}" in words:
                    skip = "not " + m.group(2)
    return commands, skip


functions = f"""set -e
record() {{
  rm -rf "$1.raw" "$1.qx"; mkdir "$1.raw"
  QUINCUNX_OUT="$1.raw/" "$1" >"$1.out"
  "$QX" corpus add "$1.qx" "$1".raw/*.qxraw
}}
judged() {{
  "$COUNTS" ${{2:-}} "$1".raw/*.qxraw
  {sys.executable} {root}/test/judges/judge.py counts --quincunx "$QX" "$1.qx"
}}
"""


def run(path, commands, table, folder):
    os.makedirs(folder)
    own = [(r"%S\b", os.path.dirname(path)), (r"%s\b", path), (r"%T\b", folder),
           (r"%t\b", os.path.join(folder, "t"))]
    script = functions
    for c in commands:
        for pattern, text in table + own:
            c = re.sub(pattern, lambda _: text, c)
        script += f"set -o pipefail; {c}\n"
    env = {k: v for k, v in os.environ.items() if not k.startswith("QUINCUNX_")} | {"QUINCUNX_MACHINE": "none"} | run.tools
    try:
        p = subprocess.run(["bash", "-xc", script], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=300)
        return p.returncode == 0, p.stdout
    except subprocess.TimeoutExpired as e:
        return False, str(e)


def main(arguments):
    build, llvm, verbose, paths = None, "22", False, []
    while arguments:
        word = arguments.pop(0)
        if word == "--build":
            build = os.path.abspath(arguments.pop(0))
        elif word == "--llvm":
            llvm = arguments.pop(0)
        elif word == "-v":
            verbose = True
        elif word.startswith("-"):
            print(__doc__, file=sys.stderr)
            return 2
        else:
            paths.append(os.path.abspath(word))
    build = build or os.path.join(root, "build", "default" if llvm == "22" else f"llvm-{llvm}")
    read.llvm = llvm
    config, table = substitutions(build, llvm)
    run.tools = {"QX": os.path.join(build, "bin/quincunx"), "COUNTS": os.path.join(build, "bin/counts_judge")}
    if not os.path.exists(config):
        print(f"run.py: error: no {config}, build the project first", file=sys.stderr)
        return 2
    files = []
    for path in paths or [os.path.dirname(os.path.abspath(__file__))]:
        if os.path.isfile(path):
            files.append(path)
        for folder, _, names in os.walk(path):
            files += [os.path.join(folder, n) for n in names if n.endswith(suffixes)]
    passed = failed = skipped = 0
    scratch = tempfile.mkdtemp(prefix="quincunx-passes-")
    try:
        for i, path in enumerate(sorted(files)):
            commands, skip = read(path)
            name = os.path.relpath(path, root)
            if not commands:
                continue
            if skip:
                skipped += 1
                print(f"skip {name} ({skip})")
                continue
            start = time.monotonic()
            good, text = run(path, commands, table, os.path.join(scratch, str(i)))
            passed, failed = passed + good, failed + (not good)
            print(f"{'ok  ' if good else 'FAIL'} {name} ({time.monotonic() - start:.1f} s)", flush=True)
            if not good or verbose:
                print("\n".join("    " + l for l in text.splitlines()[-40:]))
    finally:
        shutil.rmtree(scratch)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or passed == 0 else 0  # nothing that ran proves nothing


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
