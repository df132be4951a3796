"""Judges the figures of jumps_lost.cpp, in JSON on its standard input."""
import json
import sys

functions = {f["name"]: f for f in json.load(sys.stdin)["functions"]}
mean = {name: f["mean"] for name, f in functions.items()}


def check(name, calls, cut, holds):
    f = functions[name]
    assert (f["calls"], f["cut"]) == (calls, cut) and holds(f), (name, f)


check("toThrower", 20, 0, lambda f: mean["thrower"] < f["mean"] < mean["thrower"] + 20)
check("toJumper", 30, 0, lambda f: mean["jumper"] < f["mean"] < mean["jumper"] + 20)
check("toSort", 5, 5, lambda f: f["max"] is None)
check("toRaise", 7, 0, lambda f: f["mean"] < 20)
check("toSystem", 7, 0, lambda f: f["mean"] < 20)
