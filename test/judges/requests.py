#!/usr/bin/env python3
"""Judges the requests of a run of requests.c, from `quincunx corpus dump` on standard input.

    requests.py [--ended N] [--begun N] [--killed] [--threads N] < DUMP

Request `id` (a feature of it) calls tick id * 7919 % 13 times and tock id % 5 times, and `handle` once. For every request that was
kept: these counts, from the counters of blocks, nothing of what is done outside of requests, and its features. When none was left out
the sums over all requests equal those over the sample, counter by counter; else the sums of entries are those of the formulas. The
numbers in the sample are uniform (chi-square, 15 degrees of freedom, 0.1 %). It shares no code with the project.

    requests.py --table < DUMP     prints for each marked function how many requests began and ended, and the calls of tick in each"""
import argparse
import collections
import sys

options = argparse.ArgumentParser()
options.add_argument("--ended", type=int)
options.add_argument("--begun", type=int)
options.add_argument("--killed", action="store_true")
options.add_argument("--threads", type=int)
options.add_argument("--table", action="store_true")
options = options.parse_args()
failures = 0


def check(what, seen, wanted):
    global failures
    if seen != wanted:
        failures += 1
        if failures <= 10:
            print(f"{what}: {seen}, but should be {wanted}")


functions, entry = {}, {}  # (map, function) -> name, first counter; (map, counter) -> name of the function whose entry it counts
marked, features, run_features = [], collections.defaultdict(dict), {}
counts, sums, walls = collections.defaultdict(collections.Counter), {}, {}
all, in_order = collections.defaultdict(dict), collections.defaultdict(list)  # the same by number of the function
for f in (line.rstrip("\n").split("\t") for line in sys.stdin):
    if f[0] == "function":
        functions[f[1], f[2]] = f[3], int(f[4])
    elif f[0] == "block" and f[3] == "0":
        name, first = functions[f[1], f[2]]
        entry[f[1], first + int(f[7])] = name
    elif f[0] == "marked":
        marked.append(f)
    elif f[0] == "feature":
        run_features[f[2]] = float(f[3])
    elif f[0] == "request":
        walls[int(f[3])] = float(f[4])
        in_order[f[2]].append(int(f[3]))
    elif f[0] == "request-feature":
        features[int(f[3])][f[4]] = float(f[5])
    elif f[0] == "request-count":
        counts[int(f[3])][f[4], int(f[5])] = all[f[2], int(f[3])][f[4], int(f[5])] = int(f[6])
    elif f[0] == "request-sum":
        sums[f[3], int(f[4])] = int(f[5]), int(f[6])

if options.table:
    for m in sorted(marked, key=lambda m: m[5]):
        in_each = [str(sum(v for place, v in all[m[2], n].items() if entry.get(place) == "tick")) for n in in_order[m[2]]]
        print(m[5], m[6], m[7], ",".join(in_each) or "-")
    sys.exit(0)
check("marked functions", [m[5] for m in marked], ["handle"])
if failures:
    sys.exit(1)
begun, ended, knows_sums = int(marked[0][6]), int(marked[0][7]), marked[0][8] == "sums"
kept = sorted(walls)
ticks, tocks = (lambda i: i * 7919 % 13), (lambda i: i % 5)
check("sums are known", knows_sums, not options.killed)
if options.ended is not None:
    check("requests that ended", ended, options.ended)
if options.begun is not None:
    check("requests that began", begun, options.begun)
if options.threads is not None:
    check("feature of the run", run_features.get("threads"), options.threads)
slack = 16 if options.killed else 0  # of each thread one may have died before it was written
if not min(ended, 1024) - slack <= len(kept) <= min(ended, 1024):
    check("requests kept", len(kept), min(ended, 1024))
check("numbers are below those that ended", [n for n in kept if n >= ended], [])
seen = set()
for n in kept:
    id = int(features[n].get("id", -1))
    seen.add(id)
    check(f"features of request {n}", features[n], {"id": id, "ticks": ticks(id)})
    calls = collections.Counter()
    for place, value in counts[n].items():
        if place in entry:
            calls[entry[place]] += value
    wanted = {"handle": 1, "tick": ticks(id), "tock": tocks(id)}
    check(f"calls in request {n} (id {id})", dict(calls), {k: v for k, v in wanted.items() if v})
    check(f"wall time of request {n} is sane", 0 < walls[n] < 60, True)
check("requests that are there twice", len(kept) - len(seen), 0)
if knows_sums and ended == len(kept):
    sample = collections.defaultdict(lambda: (0, 0))
    for request in counts.values():
        for place, x in request.items():
            sample[place] = sample[place][0] + x, sample[place][1] + x * x
    check("sums are those of the sample", sums, dict(sample))
if knows_sums:
    for name, of in ("tick", ticks), ("tock", tocks), ("handle", lambda i: 1):
        is_entry = [v for place, v in sums.items() if entry.get(place) == name]
        each = [of(i) for i in range(ended)]  # ids are 0, 1, ...
        check(f"sums of {name}", is_entry, [(sum(each), sum(x * x for x in each))])
if ended > 4096:
    bins = collections.Counter(n * 16 // ended for n in kept)
    expected = len(kept) / 16
    chi = sum((bins[b] - expected) ** 2 / expected for b in range(16))
    check(f"numbers are uniform (chi-square {chi:.1f} < 37.7)", chi < 37.7, True)
print(f"{ended} of {begun} requests ended, {len(kept)} kept, {failures} wrong")
sys.exit(failures != 0 or not kept)
