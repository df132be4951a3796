#!/usr/bin/env python3
"""Judges the instructions that a map has for inline assembly.

    assembly.py --quincunx TOOL --objdump TOOL CORPUS OBJECT

A function NAME of the program holds one assembly between labels begin_NAME and end_NAME; without_NAME is the same function with
an empty one. What the blocks of the first have more than those of the second must be as many instructions as the disassembler finds
between the labels in OBJECT, a build of the same source without quincunx. Prints how many were compared, and one line per failure;
status 1 when there is one."""
import argparse
import collections
import re
import subprocess
import sys

options = argparse.ArgumentParser()
options.add_argument("--quincunx", required=True)
options.add_argument("--objdump", required=True)
options.add_argument("corpus")
options.add_argument("object")
options = options.parse_args()
prefixes = {"lock", "rep", "repe", "repz", "repne", "repnz", "data16", "xacquire", "xrelease"}


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def disassembled():
    """Instructions by label, from its begin to its end."""
    labels = {}
    for line in lines_of(options.objdump, "-t", options.object):
        symbol = re.match(r"([0-9a-f]+) .*\.text\s+[0-9a-f]+ (begin|end)_(\w+)$", line)
        if symbol:
            labels.setdefault(symbol.group(3), {})[symbol.group(2)] = int(symbol.group(1), 16)
    code, section = [], ""
    for line in lines_of(options.objdump, "-d", "--no-show-raw-insn", options.object):
        section = line.split()[-1].rstrip(":") if line.startswith("Disassembly") else section
        instruction = re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(\S*)", line)
        if section == ".text" and instruction and (instruction.group(2) not in prefixes or instruction.group(3)):
            code.append(int(instruction.group(1), 16))
    return {name: sum(at["begin"] <= i < at["end"] for i in code) for name, at in labels.items()}


def mapped():
    """Instructions of all blocks, by function."""
    names, sums = {}, collections.Counter()
    for fields in (line.split("\t") for line in lines_of(options.quincunx, "corpus", "dump", options.corpus)):
        if fields[0] == "function":
            names[fields[1], fields[2]] = fields[3]
        elif fields[0] == "block" and fields[5] != "-":
            mix = dict(c.split(":") for c in fields[5].split(","))
            sums[names[fields[1], fields[2]]] += sum(int(n) for kind, n in mix.items() if kind != "construct")
    return sums


truth, seen = disassembled(), mapped()
wrong = 0
for name, n in sorted(truth.items()):
    found = seen[name] - seen["without_" + name]
    if found != n:
        wrong += 1
        print(f"{name}: {found} instructions, but {n} are in the object file")
print(f"assembly: {len(truth)} compared, {wrong} wrong")
sys.exit(1 if wrong or not truth else 0)
