"""Reads a dump of a corpus; prints each function that has branches of indices, and how many."""
import sys

names, found = {}, {}
for fields in (line.rstrip("\n").split("\t") for line in sys.stdin):
    if fields[0] == "function":
        names[fields[2]] = fields[3]
    elif fields[0] == "branch" and "of-index" in fields[-1].split(","):
        found[fields[2]] = found.get(fields[2], 0) + 1
for function, number in found.items():
    print(names[function], number)
