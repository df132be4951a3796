#!/usr/bin/env python3
"""No name of the library and of the tool is defined twice.

    test/judges/one_definition.py [ARCHIVE...]     by default those of $BUILD

A function that is inline in one file and has the name of another one elsewhere is replaced by that without a word from the
linker. So is whatever two objects define of which the linker needs one only. Compilers that read all files at once would tell
of types, too."""
import collections
import os
import subprocess
import sys

build = os.environ.get("BUILD", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/default"))
archives = sys.argv[1:] or [f"{build}/lib/libquincunx_lib.a", f"{build}/tools/quincunx/libquincunx_verbs.a"]
strong, weak = collections.defaultdict(set), collections.defaultdict(set)
for archive in archives:
    listed = subprocess.run(["nm", "-A", "--defined-only", archive], check=True, capture_output=True, text=True).stdout
    for line in listed.splitlines():
        place, kind, name = line.rsplit(" ", 2)
        if "8quincunx" in name and kind in "TDBRWV":
            (strong if kind in "TDBR" else weak)[name].add(place.rsplit(":", 1)[0])
twice = [name for name, places in strong.items() if len(places) > 1 or weak[name] - places]
for name in twice:
    shown = subprocess.run(["c++filt", name], check=True, capture_output=True, text=True).stdout.strip()
    print(f"{shown}: {', '.join(sorted(os.path.basename(p) for p in strong[name] | weak[name]))}")
print(f"one_definition: {len(strong)} names, {len(twice)} defined twice")
sys.exit(1 if twice or len(strong) < 100 else 0)
