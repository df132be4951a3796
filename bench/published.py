#!/usr/bin/env python3
"""Appends the comparison with the published methods to bench/log/DATE-published.tsv.

    bench/published.py [--build FOLDER] [--log FILE.tsv]

Runs published_table of a build configured with -DQUINCUNX_BENCH=ON (default build/no-llvm). Errors do not depend on the
machine; times do, and never pass or fail anything."""
import datetime
import os
import subprocess
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def shell(command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def main(arguments):
    day = datetime.date.today().isoformat()
    options = {"build": os.path.join(root, "build/no-llvm"), "log": os.path.join(root, "bench/log", f"{day}-published.tsv")}
    while arguments:
        word = arguments.pop(0)
        if not (word.startswith("--") and word[2:] in options and arguments):
            print(__doc__, file=sys.stderr)
            return 2
        options[word[2:]] = arguments.pop(0)
    try:
        commit = shell(["git", "-C", root, "rev-parse", "--short", "HEAD"]).strip()
        if shell(["git", "-C", root, "status", "--porcelain", "-uno"]).strip():
            commit += "+"
    except (OSError, subprocess.CalledProcessError):
        commit = "unknown"
    with open("/proc/cpuinfo") as f:
        cpu = next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), "unknown")
    table = shell([os.path.join(options["build"], "bench/published_table")])
    os.makedirs(os.path.dirname(os.path.abspath(options["log"])), exist_ok=True)
    with open(options["log"], "a") as out:
        out.write(f"# commit {commit}, {datetime.datetime.now().isoformat(timespec='seconds')}, {cpu}; exact moments of the "
                  "last of N, errors of each method in per cent, median time of one evaluation\n" + table)
    print(f"{options['log']}: {len(table.splitlines()) - 1} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
