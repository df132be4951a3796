#!/usr/bin/env python3
"""bytes.py REPORT.json: bytes of calls in bytes.c, as they stand in its source"""
import json
import sys

with open(sys.argv[1]) as f:
    rows = {row["name"]: row for row in json.load(f)["library"]}
size = 2 * 5000
copied = 2 * sum(100 * i % 300 for i in range(1000))
expected = {  # calls that are written, and bytes: where they come from, and how many
    "memset": (1, "argument", size),
    "memmove": (1, "argument", size // 2),
    "memcpy": (2000 + 7, "argument", copied + 7 * 1000),
    "write": (3, "result", 100 + 50),
    "read": (1, "result", 150),
    "fwrite": (1, "result", 800),
    "fread": (1, "result", 0),
    "strncmp": (2, "limit", 100),
}
wrong = [f"{name}: {found}, not {row}" for name, row in expected.items()
         for r in [rows.get(name, {"calls": {"mean": 0}, "bytes": None})]
         for found in [(r["calls"]["mean"], r.get("bytesFrom"), r["bytes"] and r["bytes"]["mean"])] if found != row]
limit = rows.get("memcmp", rows.get("bcmp"))
if not limit or (limit["bytesFrom"], limit["bytes"]["mean"]) != ("limit", 300):
    wrong.append(f"memcmp: {limit}")
if rows["fclose"]["bytes"] is not None:
    wrong.append("fclose has no bytes")
sys.exit("\n".join(wrong) if wrong else 0)
