#!/usr/bin/env python3
"""What functions cost by themselves is one number, in `quincunx report` and in `quincunx model`, also where calls did not return.

    same_means.py [--quincunx PROGRAM] CORPUS.qx

Status 1 when a mean differs by more than rounding, a mean of report is an interval, or no function lost a frame: then nothing was judged."""
import argparse
import json
import subprocess
import sys

p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("--quincunx", default="quincunx")
p.add_argument("corpus")
a = p.parse_args()


def asked(*words):
    return subprocess.run([a.quincunx, *words, a.corpus], check=True, capture_output=True, text=True).stdout


report, model = json.loads(asked("report", "--json")), json.loads(asked("model", "--json"))
modelled = {(f["name"], f["image"]): f["exclusive"][0] * f["calls"] for f in model["functions"]}
wrong = []
for f in report["functions"]:
    mean, (low, high) = f["cost"]["mean"], f["cost"]["meanCounts"]
    other = modelled.pop((f["name"], f["image"]), 0)
    if abs(other - mean) > 1e-9 * max(1, mean):
        wrong.append(f"{f['name']}: report {mean}, model {other}")
    if high - low > 1e-9 * max(1, mean):
        wrong.append(f"{f['name']}: report is not sure of {mean}, {low} .. {high}")
wrong += [f"{name}: only model has it" for (name, _), cost in modelled.items() if cost > 0]
dump = [line.split("\t") for line in asked("corpus", "dump").splitlines()]
lost = sum(f[0] == "edge" and f[6] == "cut" for f in dump)
for line in wrong:
    print("WRONG", line)
print(f"means: {len(report['functions'])} functions, {lost} places where calls may not return, {len(wrong)} wrong")
sys.exit(bool(wrong) or lost == 0)
