#!/usr/bin/env python3
"""Independent checks of a corpus, from what `quincunx corpus dump` prints. Shares no code with lib/.

    judge.py counts   [--quincunx PROGRAM] CORPUS.qx    (built with record=blocks)
        Derives the count of every block from the edge counters by conservation of flow and compares it
        with the block's own counter: equal, or within the interval where frames never returned.
    judge.py identity [--quincunx PROGRAM] [--machine NAME]... CORPUS.qx
        Prices every run, recomputes mean, sd, skewness, kurtosis and percentiles with exact fractions and
        compares them with `quincunx report --headers --json`: 1e-12 relative (skewness, kurtosis: 1e-9 absolute).
        Costs of functions go to those of the source that the lines of their blocks are in.
        Counts calls of functions that no map has, where block counts are no intervals, and compares these, too.
    judge.py blocks   [--quincunx PROGRAM] CORPUS.qx
        Prints run, function, block and its counter, for comparing two corpora (threads, builds).

CORPUS.qx may also be a file with a dump's text (.dump), for `counts` and `blocks`. The last line says what was
compared; status 1 when something is wrong. It judges no prediction: how good percentiles are is not its
question. Definitions: include/quincunx/model/FlowSolver.h and include/quincunx/map/Map.h.
"""
import json
import math
import os
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Function:
    """One function of a map, and how to solve its flow."""

    def __init__(self, name, first, count, flags):
        self.name, self.first, self.count = name, first, count
        self.exact, self.guarded = "exact" in flags, "guarded" in flags
        self.blocks = []  # (flags, {class: count}, counter or None)
        self.scopes = []  # (parent, name, file, line)
        self.files = []   # paths
        self.lines = []   # per block: scope of each line
        self.edges = []   # (from or None, to or None, kind, counter or None)
        self.calls = []   # (block, callee)
        self.plan = None

    def prepare(self):
        """Roots a spanning forest of the unmeasured edges; each block but a root determines one edge.
        A root has an equation left over: what it misses are the frames lost in its tree."""
        if self.plan:
            return self.plan
        n = len(self.blocks)
        outside = n
        inward, outward = [[] for _ in range(n)], [[] for _ in range(n)]
        near = [[] for _ in range(n + 1)]
        problem = None
        for e, (a, b, kind, counter) in enumerate(self.edges):
            if a != b or a is None:
                if a is not None:
                    outward[a].append(e)
                if b is not None:
                    inward[b].append(e)
            if counter is None:
                a2, b2 = outside if a is None else a, outside if b is None else b
                if a2 == b2:
                    problem = f"edge {e} is a loop without a counter"
                    continue
                near[a2].append((e, b2))
                near[b2].append((e, a2))
        parent = [None] * (n + 1)  # (edge, block) towards the root
        seen = [False] * (n + 1)
        trees = []  # (root, blocks in order from the root)
        for start in [outside] + list(range(n)):
            if seen[start]:
                continue
            seen[start] = True
            order, i = [start], 0
            while i < len(order):
                v = order[i]
                i += 1
                for e, w in near[v]:
                    if seen[w]:
                        if not (parent[v] and parent[v][0] == e) and not (parent[w] and parent[w][0] == e):
                            problem = f"edges without counters close a cycle at block {v}"
                        continue
                    seen[w] = True
                    parent[w] = (e, v)
                    order.append(w)
            trees.append((start, order))
        self.plan = (inward, outward, parent, trees, problem)
        return self.plan

    def solve(self, counters):
        """(flow per edge with all losses at the roots, [frames missing at each root], problem)"""
        inward, outward, parent, trees, problem = self.prepare()
        flow = [counters.get(self.first + c, 0) if c is not None else 0 for (_, _, _, c) in self.edges]

        def net(v):
            return sum(flow[e] for e in inward[v]) - sum(flow[e] for e in outward[v])

        missing = []
        outside = len(self.blocks)
        for start, order in trees:
            for v in reversed(order[1:]):
                e = parent[v][0]
                flow[e] = net(v) if self.edges[e][0] == v else -net(v)
            missing.append(0 if start == outside else net(start))
        return flow, missing, problem

    def head(self, e):
        """The block at whose start an edge arrives; extra arrivals (setjmp, fork) come back in its middle."""
        return None if self.edges[e][2] == "again" else self.edges[e][1]

    def arrivals(self, flow):
        counts = [0] * len(self.blocks)
        for e in range(len(self.edges)):
            b = self.head(e)
            if b is not None:
                counts[b] += flow[e]
        return counts

    def reach(self, tree):
        """For each block of the tree where a frame can be lost: {block: change of its count} when one
        frame is lost there instead of at the root."""
        parent = self.plan[2]
        for b in self.plan[3][tree][1]:
            if b == len(self.blocks) or "may-cut" not in self.blocks[b][0]:
                continue
            change = defaultdict(int)
            v = b
            while parent[v]:
                e, up = parent[v]
                leaves = self.edges[e][0] == v
                head = self.head(e)
                if head is not None:
                    change[head] += -1 if leaves else 1
                v = up
            yield b, change

    def block_counts(self, counters, inherited):
        """([(low, high)] per block, problem)"""
        flow, missing, problem = self.solve(counters)
        counts = [(c, c) for c in self.arrivals(flow)]
        if problem:
            return counts, problem
        before = self.solve(inherited)[1] if inherited else [0] * len(missing)
        for tree, lost in enumerate(missing):
            carried = max(0, before[tree])
            if lost == 0 and carried == 0:
                continue
            if not self.guarded or self.exact:
                problem = f"conservation broken by {lost} at block {self.plan[3][tree][0]}"
                continue
            if lost < 0 and lost + carried < 0:
                problem = f"{-lost} frames came from nowhere"
                continue
            extremes, places = {}, 0
            for _, change in self.reach(tree):
                places += 1
                for b, d in change.items():
                    lo, hi, k = extremes.get(b, (d, d, 0))
                    extremes[b] = (min(lo, d), max(hi, d), k + 1)
            if places == 0:
                problem = f"{lost} frames lost where no call may end them"
                continue
            for b, (lo, hi, k) in extremes.items():
                if k < places:
                    lo, hi = min(lo, 0), max(hi, 0)
                low = counts[b][0] + (lost + carried) * lo - carried * hi
                high = counts[b][0] + (lost + carried) * hi - carried * lo
                counts[b] = (max(0, low), high)
        return counts, problem

    def entered(self, counters):
        flow = self.solve(counters)[0]
        return sum(flow[e] for e, edge in enumerate(self.edges) if edge[2] == "entry")

    def cost(self, weights, counters, inherited):
        """(low, middle, high) of the function's cost in a run"""
        flow, missing, _ = self.solve(counters)
        base = sum(w * c for w, c in zip(weights, self.arrivals(flow)) if w)
        before = self.solve(inherited)[1] if inherited else [0] * len(missing)
        low = high = base
        uncertain = False
        if self.guarded and not self.exact:
            for tree, lost in enumerate(missing):
                carried = max(0, before[tree])
                if lost == 0 and carried == 0:
                    continue
                reach = [sum(weights[b] * d for b, d in change.items()) for _, change in self.reach(tree)]
                if not reach:
                    continue
                uncertain = True
                lo, hi = min(reach), max(reach)
                low += max(0, lost + carried) * lo - carried * hi
                high += max(0, lost + carried) * hi - carried * lo
        low = max(0, low)
        high = max(low, high)
        return (low, Fraction(low + high, 2) if uncertain else base, high)


class Map:
    def __init__(self, path):
        self.path, self.functions = path, []


class Run:
    def __init__(self, identity, label, outcome):
        self.identity, self.label, self.outcome = identity, label, outcome
        self.counts = defaultdict(dict)     # map: {counter: value}
        self.inherited = defaultdict(dict)


class Corpus:
    def __init__(self, lines):
        self.maps, self.runs = {}, {}
        number = lambda s: None if s == "-" else int(s)
        for line in lines:
            f = line.rstrip("\n").split("\t")
            kind = f[0]
            if kind == "count":
                self.runs[f[1]].counts[f[2]][int(f[3])] = int(f[4])
            elif kind == "edge":
                self.maps[f[1]].functions[int(f[2])].edges.append((number(f[4]), number(f[5]), f[6], number(f[7])))
            elif kind == "block":
                mix = dict((k, int(v)) for k, v in (c.split(":") for c in f[5].split(","))) if f[5] != "-" else {}
                self.maps[f[1]].functions[int(f[2])].blocks.append((f[4], mix, number(f[7])))
                self.maps[f[1]].functions[int(f[2])].lines.append([int(l.split(":")[2]) for l in f[6].split(",")] if f[6] != "-" else [])
            elif kind == "file":
                self.maps[f[1]].functions[int(f[2])].files.append(f[4])
            elif kind == "scope":
                self.maps[f[1]].functions[int(f[2])].scopes.append((number(f[4]), f[5], number(f[6]), int(f[7])))
            elif kind == "call":
                if f[5] != "-":
                    self.maps[f[1]].functions[int(f[2])].calls.append((int(f[4]), f[5]))
            elif kind == "inherited":
                self.runs[f[1]].inherited[f[2]][int(f[3])] = int(f[4])
            elif kind == "function":
                self.maps[f[1]].functions.append(Function(f[3], int(f[4]), int(f[5]), f[6]))
            elif kind == "map":
                self.maps[f[1]] = Map(f[2])
            elif kind == "run":
                self.runs[f[1]] = Run(f[1], f[2], f[3])
            elif kind == "image":
                self.runs[f[1]].counts[f[2]]  # loaded, though nothing of it may have run


def read(path, quincunx):
    if path.endswith(".dump"):
        with open(path) as f:
            return Corpus(f)
    p = subprocess.Popen([quincunx, "corpus", "dump", path], stdout=subprocess.PIPE, text=True, errors="replace")
    corpus = Corpus(p.stdout)
    if p.wait() != 0:
        sys.exit(1)
    return corpus


def touched(m, counters):
    """Functions of which a counter is not zero, with their counters."""
    if not hasattr(m, "owner"):
        m.owner = {}
        for i, f in enumerate(m.functions):
            for c in range(f.first, f.first + f.count):
                m.owner[c] = i
    own = defaultdict(dict)
    for c, v in counters.items():
        own[m.owner.get(c)][c] = v
    return own


def sources(m):
    """Per function and block: {function of the source: share of the block}. A function of the source is the number of
    one that was compiled, or (name, path, line) of one that was inlined everywhere."""
    def key(f, scope):
        parent, name, file, line = f.scopes[scope]
        return name, "" if file is None else f.files[file], line

    compiled = {}
    for i, f in enumerate(m.functions):
        if f.scopes[0][3] != 0:
            compiled.setdefault(key(f, 0), i)
    shares = []
    for i, f in enumerate(m.functions):
        of = []
        for scope in range(len(f.scopes)):
            while scope != 0 and f.scopes[scope][3] == 0:  # a file in the middle of a body
                scope = f.scopes[scope][0]
            of.append(i if scope == 0 else compiled.get(key(f, scope), key(f, scope)))
        blocks = []
        for scopes in f.lines:
            share = defaultdict(int)
            for scope in scopes or [0]:
                share[of[scope]] += Fraction(1, len(scopes) or 1)
            blocks.append(share)
        shares.append(blocks)
    return shares


def judge_counts(corpus, _):
    compared = exact = interval = wrong = without = 0
    shown = 0

    def complain(text):
        nonlocal shown
        shown += 1
        if shown <= 20:
            print(text)

    for run in corpus.runs.values():
        for hash_, counters in run.counts.items():
            if hash_ not in corpus.maps:
                wrong += 1
                complain(f"WRONG run {run.label}: no map {hash_}")
                continue
            m = corpus.maps[hash_]
            inherited = touched(m, run.inherited.get(hash_, {}))
            for index, own in touched(m, counters).items():
                if index is None:
                    wrong += 1
                    complain(f"WRONG run {run.label}: a counter of no function in {m.path}")
                    continue
                f = m.functions[index]
                counts, problem = f.block_counts(own, inherited.get(index))
                if problem and run.outcome == "finished":
                    wrong += 1
                    complain(f"WRONG run {run.label} {f.name}: {problem}")
                    continue
                for b, ((low, high), (_, _, counter)) in enumerate(zip(counts, f.blocks)):
                    if counter is None:
                        without += 1
                        continue
                    compared += 1
                    truth = own.get(f.first + counter, 0)
                    if low == high == truth:
                        exact += 1
                    elif low != high and low <= truth <= high:
                        interval += 1
                    else:
                        wrong += 1
                        said = f"{low}" if low == high else f"{low}..{high}"
                        complain(f"WRONG run {run.label} {f.name} block {b}: derived {said}, counted {truth}")
    functions = sum(len(m.functions) for m in corpus.maps.values())
    print(f"counts: {len(corpus.runs)} runs, {functions} functions, {compared} blocks compared, {exact} exact, "
          f"{interval} in their interval, {wrong} wrong" + (f", {without} blocks without a counter" if without else ""))
    return 0 if wrong == 0 and compared > 0 else 1


def print_blocks(corpus, _):
    for run in sorted(corpus.runs.values(), key=lambda r: (r.label, r.identity)):
        for hash_ in sorted(run.counts):
            m = corpus.maps[hash_]
            for index, own in sorted(touched(m, run.counts[hash_]).items()):
                f = m.functions[index]
                counts, _ = f.block_counts(own, None)
                for b, (low, high) in enumerate(counts):
                    print(run.label, f.name, b, low, high, sep="\t")
    return 0


def machine_costs(name):
    costs = {}
    with open(os.path.join(root, "machines", name + ".machine")) as f:
        for line in f:
            w = line.split("#")[0].split()
            if len(w) == 2 and w[0] not in ("name", "unit"):
                costs[w[0]] = Fraction(w[1])
    return {k: int(v) if v.denominator == 1 else v for k, v in costs.items()}


def moments(values):
    """mean, sd, skewness, kurtosis of equally likely values, the sums exact."""
    d = len(values)
    mean = Fraction(sum(values), 1) / d
    power = [sum((Fraction(v) - mean) ** k for v in values) / d for k in (2, 3, 4)]
    if power[0] == 0:
        return float(mean), 0.0, 0.0, 3.0
    # exact ratios, so that no digit is lost before the square root
    skew2 = power[1] ** 2 / power[0] ** 3
    return (float(mean), root_of(power[0]), math.copysign(root_of(skew2), power[1]),
            float(power[2] / power[0] ** 2))


def root_of(x):
    """Square root of a fraction, right to the last digits also where a double cannot hold x."""
    shift = max(0, 200 - (x.numerator.bit_length() - x.denominator.bit_length())) // 2 * 2
    return float(Fraction(math.isqrt((x.numerator << shift) // x.denominator), 1 << (shift // 2)))


def relative(a, b):
    return 0.0 if a == b else abs(a - b) / max(abs(a), abs(b))


def library_calls(corpus, runs):
    """{callee: {run: calls}} of what no map has; a callee with an interval in any run is None"""
    counted = {f.name for m in corpus.maps.values() for f in m.functions}
    calls = defaultdict(dict)
    for run in runs:
        for h, counters in run.counts.items():
            m = corpus.maps[h]
            mine, inherited = touched(m, counters), touched(m, run.inherited.get(h, {}))
            for index in (set(mine) | set(inherited)) - {None}:
                f = m.functions[index]
                called = [c for c in f.calls if c[1] not in counted]
                blocks = f.block_counts(mine.get(index, {}), inherited.get(index))[0] if called else []
                for block, callee in called:
                    low, high = blocks[block]
                    if low != high:
                        calls[callee] = None
                    elif calls[callee] is not None:
                        calls[callee][run.identity] = calls[callee].get(run.identity, 0) + low
    return calls


def judge_identity(corpus, options):
    wrong = checks = 0
    worst = {"relative": 0.0, "shape": 0.0}

    def check(what, mine, theirs, kind="relative"):
        nonlocal wrong, checks
        checks += 1
        if theirs is None:
            wrong += 1
            print(f"WRONG {what}: computed {mine!r}, the report has nothing")
            return
        error = relative(mine, theirs) if kind == "relative" else abs(mine - theirs)
        worst[kind] = max(worst[kind], error)
        if not error <= (1e-12 if kind == "relative" else 1e-9):
            wrong += 1
            if wrong <= 20:
                print(f"WRONG {what}: computed {mine!r}, reported {theirs!r}")

    uncertain = 0
    shares = {h: sources(m) for h, m in corpus.maps.items()}
    for name in options["machine"] or ["unit", "x86-64"]:
        costs = machine_costs(name)
        p = subprocess.run([options["quincunx"], "report", "--headers", "--json", "--top", "0", "--machine", name,
                            options["corpus"]], capture_output=True, text=True)
        if p.returncode != 0:
            print("WRONG report failed:", p.stderr.strip())
            return 1
        report = json.loads(p.stdout)
        weights = {h: [[sum(n * costs.get(c, 0) for c, n in mix.items()) for _, mix, _ in f.blocks]
                       for f in m.functions] for h, m in corpus.maps.items()}
        totals, function_costs, function_calls = {}, defaultdict(dict), defaultdict(dict)
        open_runs = 0
        for run in corpus.runs.values():
            if run.outcome == "crashed" or (run.outcome == "finished" and not run.counts):
                continue
            open_runs += run.outcome != "finished"
            total, spread = 0, False
            for h, counters in run.counts.items():
                inherited = touched(corpus.maps[h], run.inherited.get(h, {}))
                mine = touched(corpus.maps[h], counters)
                for index in set(mine) | set(inherited):
                    f = corpus.maps[h].functions[index]
                    low, middle, high = f.cost(weights[h][index], mine.get(index, {}), inherited.get(index))
                    spread = spread or low != high
                    total += middle
                    function_calls[h, index][run.identity] = f.entered(mine.get(index, {}))
                    parts = {index: middle}
                    if low == high and middle > 0:
                        arrivals = f.arrivals(f.solve(mine.get(index, {}))[0])
                        for b, share in enumerate(shares[h][index]):
                            for source, part in share.items():
                                if source != index:
                                    cost = part * weights[h][index][b] * arrivals[b]
                                    parts[source] = parts.get(source, 0) + cost
                                    parts[index] -= cost
                    for source, cost in parts.items():
                        if cost != 0 or source == index:
                            own = function_costs[h, source]
                            own[run.identity] = own.get(run.identity, 0) + cost
            uncertain += spread
            totals[run.identity] = total
        d = len(totals)
        check(f"{name} number of runs", d, report["runs"]["used"])
        for r in report["perRun"]:
            check(f"{name} cost of run {r['label']}", float(totals[r["identity"]]), r["cost"])
        program = report["program"]
        figures = zip(("mean", "sd", "skewness", "kurtosis"), moments(list(totals.values())))
        for key, mine in figures:
            check(f"{name} {key}", mine, program[key], "shape" if key in ("skewness", "kurtosis") else "relative")
        finished = sorted(totals[r.identity] for r in corpus.runs.values()
                          if r.identity in totals and r.outcome == "finished")
        for key, p in (("p50", Fraction(1, 2)), ("p90", Fraction(9, 10)), ("p99", Fraction(99, 100)),
                       ("p99.9", Fraction(999, 1000))):
            rank = -(-p * d // 1)
            if rank <= len(finished):
                check(f"{name} {key}", float(finished[int(rank) - 1]), program[key]["value"])
            elif program[key]["value"] is not None or not program[key].get("open"):
                wrong += 1
                print(f"WRONG {name} {key}: it lies among the runs that were stopped, reported {program[key]}")
        # functions: a name may stand for several (static ones), so sets of figures are compared
        mine, theirs = defaultdict(list), defaultdict(list)
        maps = [i["map"] for i in report["images"]]
        for (h, index), values in function_costs.items():
            calls = function_calls[h, index]
            figure = moments(list(values.values()) + [0] * (d - len(values)))[:2]
            mine[h, corpus.maps[h].functions[index].name if isinstance(index, int) else index[0]].append(
                figure + moments(list(calls.values()) + [0] * (d - len(calls)))[:1])
        for f in report["functions"]:
            theirs[maps[f["image"]], f["name"]].append((f["cost"]["mean"], f["cost"]["sd"], f["calls"]["mean"]))
        for key in mine:  # what ran must be in the report, and only that
            if len(theirs[key]) < len(mine[key]):
                wrong += 1
                print(f"WRONG {name} {key[1]}: it ran, and the report leaves it out")
        for key, figures in theirs.items():
            if len(mine[key]) < len(figures):
                wrong += 1
                print(f"WRONG {name} {key[1]}: the report has figures of what never ran")
                continue
            for a, b in zip(sorted(mine[key], reverse=True), sorted(figures, reverse=True)):
                for what, x, y in zip(("mean cost", "sd of cost", "mean calls"), a, b):
                    check(f"{name} {key[1]} {what}", x, y)
        theirs = {f["name"]: f["calls"] for f in report["library"]}
        for callee, values in library_calls(corpus, [r for r in corpus.runs.values() if r.identity in totals]).items():
            if values is None:
                continue
            if (callee in theirs) != any(v > 0 for v in values.values()):
                wrong += 1
                print(f"WRONG {name} {callee}: it was {'not ' * (callee in theirs)}called")
            elif callee in theirs:
                figures = moments(list(values.values()) + [0] * (d - len(values)))
                for what, x in zip(("mean", "sd"), figures):
                    check(f"{name} {what} of calls of {callee}", x, theirs[callee][what])
    print(f"identity: {len(corpus.runs)} runs, {checks} figures compared, {wrong} wrong, "
          f"largest error {worst['relative']:.1e} relative, {worst['shape']:.1e} in skewness and kurtosis"
          + (f", {uncertain} run costs are intervals" if uncertain else ""))
    return 0 if wrong == 0 and corpus.runs else 1


def main(arguments):
    verbs = {"counts": judge_counts, "identity": judge_identity, "blocks": print_blocks}
    options = {"quincunx": os.path.join(root, "build/default/bin/quincunx"), "machine": [], "corpus": None}
    if not arguments or arguments[0] not in verbs:
        print(__doc__, file=sys.stderr)
        return 2
    rest = arguments[1:]
    while rest:
        word = rest.pop(0)
        if word in ("--quincunx", "--machine") and rest:
            if word == "--machine":
                options["machine"].append(rest.pop(0))
            else:
                options["quincunx"] = rest.pop(0)
        elif options["corpus"] is None and not word.startswith("--"):
            options["corpus"] = word
        else:
            print(__doc__, file=sys.stderr)
            return 2
    if options["corpus"] is None:
        print(__doc__, file=sys.stderr)
        return 2
    return verbs[arguments[0]](read(options["corpus"], options["quincunx"]), options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
