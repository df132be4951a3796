"""Judges the figures of jumps_images.cpp, in JSON on its standard input."""
import json
import sys

functions = {f["name"]: f for f in json.load(sys.stdin)["functions"]}
least = functions["counted"]["p50"]["value"]
for name, calls in ("library", 20), ("program", 20), ("thereAndBack", 10), ("toAndFro", 10):
    f = functions[name]
    assert (f["calls"], f["cut"]) == (calls, 0) and f["mean"] > least, (name, f)
assert functions["closes"]["calls"] == 1
