#!/usr/bin/env python3
"""Judges record=runs: random programs that know their own run lengths and trips, and what quincunx recorded of them.

    runs.py write FOLDER SEED          program.c and program.cpp (the same seed gives the same programs), truth in program.*.json,
                                       world.cpp and world.h beside them
    runs.py compare FOLDER/program.c.json TRUTH.txt DUMP.txt
                                       TRUTH.txt: what the program built with -DTRUTH printed; DUMP.txt: `quincunx corpus dump`
    runs.py same DUMP.txt DUMP.txt     two builds of one program, of which one recorded more: flow and counters are equal

A program is random nested loops of every kind and branches that follow patterns (random, periodic, bursty, long runs), with
break, continue, return, goto, recursion, switch and, in C++, exceptions. With -DTRUTH its source counts, in plain C and with
its own bins, the outcomes of each branch per entry of its loop, and the iterations of each loop; a cleanup at the end of the
loop's scope sees every way out. Compared, bin by bin: runs that ended and that were cut off, of true and of false, first
outcomes, and trips. What is true may be false in the code (`!c`), so a branch may agree with its
mirror image. Runs that follow from a loop's trips have ranges, from 16 on, that may begin one later than bins do: of those it is
compared that they are as many, and how many of them lie below each bin, as far as the ranges say. Every branch of the source must
have exactly one recorder, or follow from trips, and nothing else may but what the optimiser made (line 0). The patterns come from
another file, so that no branch can be foreseen or merged."""
import json
import os
import random
import sys
from collections import Counter, defaultdict

HEADER = r"""#ifdef __cplusplus
#define QUIET noexcept
extern "C" {
#else
#define QUIET
#endif
int next(int pattern) QUIET;   /* an outcome */
int more(int pattern) QUIET;   /* an outcome; 0 when the program has run for long enough */
int pick(int pattern) QUIET;   /* 0 to 5 */
int trips(int pattern) QUIET;  /* 0 to 40 */
int deeper(int depth) QUIET;   /* depth > 0 */
void sink(int what) QUIET;
void maythrow(int pattern);
int program(void (*all)(void), int argc, char **argv);
extern unsigned long run_bins[512][4][112], trip_bins[512][112];
#ifdef TRUTH
struct live { int loop, first, n; long trips; long r[16]; };
void left(struct live *l) QUIET;
int outcome(struct live *l, int i, int c) QUIET;
#define LOOP(v, id, first, n) struct live v __attribute__((cleanup(left))) = {id, first, n, -1, {0}}
#define B(v, i, c) outcome(&v, i, (c) != 0)
#define T(v) (void)++v.trips
#else
#define LOOP(v, id, first, n)
#define B(v, i, c) (c)
#define T(v) (void)0
#endif
#ifdef __cplusplus
}
#endif
"""

WORLD = r"""#define TRUTH
#include "world.h"
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
unsigned long run_bins[512][4][112], trip_bins[512][112];
static thread_local unsigned long long seed = 88172645463325252ull;
static thread_local long fuel;
static thread_local struct { int value, left; } bursts[256];
static thread_local unsigned steps[256];
static unsigned rnd(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (unsigned)(seed >> 20);
}
static int burst(int p, unsigned most, unsigned least) {
  auto &b = bursts[p & 255];
  if (b.left-- <= 0)
    b.value = !b.value, b.left = (int)(least + rnd() % most);
  return b.value;
}
int next(int p) QUIET {
  unsigned s = steps[p & 255]++;
  switch (p % 7) {
  case 0: return rnd() % 2;
  case 1: return rnd() % 10 != 0;
  case 2: return (0x1d2u >> (s % 9)) & 1;
  case 3: return burst(p, 12, 1);
  case 4: return burst(p, 900, 10);
  case 5: return s % 2;
  default: return rnd() % 40 == 0;
  }
}
int more(int p) QUIET { return --fuel > 0 && (p % 3 == 0 ? rnd() % 30 != 0 : p % 3 == 1 ? rnd() % 3 != 0 : rnd() % 400 != 0); }
int pick(int p) QUIET { return (int)(rnd() % 6 + p - p); }
int trips(int p) QUIET { return fuel <= 0 ? 0 : p % 2 ? (int)(rnd() % 4) : (int)(rnd() % 41); }
int deeper(int depth) QUIET { return depth > 0 && --fuel > 0; }
void sink(int what) QUIET { static volatile int last; last = what; }
void maythrow(int p) { if (rnd() % (p % 2 ? 7u : 60u) == 0) throw p; }
/* bins: below 16 one each, then a quarter of a power of two, none above 2^28 */
static int bin(unsigned long n) {
  if (n < 16)
    return (int)n;
  unsigned long low = 16;
  for (int b = 16; b < 112; ++b) {
    unsigned long step = 1;
    while (step * 8 <= low)
      step *= 2;
    if (n < low + step || b == 111)
      return b;
    low += step;
  }
  return 111;
}
static void add(unsigned long *word) { __atomic_fetch_add(word, 1, __ATOMIC_RELAXED); }
int outcome(struct live *l, int i, int c) QUIET {
  long &r = l->r[i];
  if (r == 0)
    add(&run_bins[l->first + i][c ? 1 : 0][0]); /* a run of length 0 of the other outcome ended */
  else if ((r > 0) != (c != 0))
    add(&run_bins[l->first + i][r > 0 ? 0 : 1][bin((unsigned long)labs(r))]), r = 0;
  r += c ? 1 : -1;
  return c;
}
void left(struct live *l) QUIET {
  for (int i = 0; i < l->n; ++i)
    add(&run_bins[l->first + i][l->r[i] < 0 ? 3 : 2][bin((unsigned long)labs(l->r[i]))]);
  add(&trip_bins[l->loop][bin((unsigned long)l->trips)]);
}
static void work(void (*all)(void), unsigned long long k) {
  seed += k * 0x9e3779b97f4a7c15ull;
  for (int round = 0; round < 12; ++round) {
    fuel = 30000;
    all();
  }
}
int program(void (*all)(void), int argc, char **) {
  if (argc > 1) { /* in threads */
    std::vector<std::thread> threads;
    for (int i = 0; i < atoi("4"); ++i)
      threads.emplace_back(work, all, i);
    for (auto &t : threads)
      t.join();
  } else
    work(all, 0);
  for (int b = 0; b < 512; ++b)
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < 112; ++i)
        if (run_bins[b][k][i])
          printf("run %d %d %d %lu\n", b, k, i, run_bins[b][k][i]);
  for (int l = 0; l < 512; ++l)
    for (int i = 0; i < 112; ++i)
      if (trip_bins[l][i])
        printf("trip %d %d %lu\n", l, i, trip_bins[l][i]);
  return 0;
}
"""


class Writer:
    """One program. Every branch and every loop stands on a line of its own."""

    def __init__(self, seed, cpp):
        self.r, self.cpp = random.Random(f"{seed} {cpp}"), cpp
        self.lines, self.branches, self.loops = [], [], []
        self.pattern = 0

    def put(self, depth, text):
        self.lines.append("  " * depth + text)
        return len(self.lines)

    def new_pattern(self):
        self.pattern += 1
        return self.pattern % 250

    def branch(self, loop, line):
        """A branch of this loop: its number there. Outside loops nothing is recorded."""
        if loop is None:
            return None
        loop["own"].append({"function": self.function, "line": line, "loop": loop["id"]})
        return len(loop["own"]) - 1

    def test(self, loop, expression, line):
        i = self.branch(loop, line)
        return expression if i is None else f"B(l{loop['id']}, {i}, {expression})"

    def here(self):
        return len(self.lines) + 1

    def body(self, d, loop, size, inSwitch=False):
        for _ in range(self.r.randint(1, size)):
            self.statement(d, loop, inSwitch)

    def statement(self, d, loop, inSwitch):
        room = d < 6 and len(self.lines) < self.full
        full = loop is not None and len(loop["own"]) >= 14
        kind = self.r.choices(["sink", "if", "leave", "loop", "switch", "call", "throw"], [2, 6, 4, 5 if loop else 8, 1, 1, 2])[0]
        if kind == "throw" and self.cpp and self.guarded and room:
            return self.throwing(d, loop)
        if kind == "if" and room and not full:
            self.put(d, f"if ({self.test(loop, f'next({self.new_pattern()})', self.here())}) {{")
            self.put(d + 1, f"sink({self.new_pattern()});")
            self.body(d + 1, loop, 2, inSwitch)
            if self.r.random() < 0.6:
                self.put(d, "} else {")
                self.put(d + 1, f"sink({self.new_pattern()});")
                self.body(d + 1, loop, 2, inSwitch)
            self.put(d, "}")
        elif kind == "leave" and loop and not full:
            way = self.r.choice(["break", "continue", "return", "goto"])
            if inSwitch and way == "break" or loop["kind"] == "goto" and way in ("break", "continue"):
                way = "goto"
            self.put(d, f"if ({self.test(loop, f'next({self.rare()})', self.here())}) {{")
            self.put(d + 1, f"sink({self.new_pattern()});")
            self.put(d + 1, {"return": "return 3;", "goto": "goto out;"}.get(way, way + ";"))
            self.put(d, "}")
        elif kind == "loop" and room and (loop is None or loop["depth"] < 3):
            self.loop(d, loop)
        elif kind == "switch" and room:
            self.put(d, f"switch (pick({self.new_pattern()})) {{")
            for case in (0, 2, 3, 5):
                self.put(d, f"case {case}:")
                self.put(d + 1, f"sink({self.new_pattern()});")
                if case == 3:
                    self.body(d + 1, loop, 1, inSwitch=True)
                if case != 2:
                    self.put(d + 1, "break;")
            self.put(d, "default:")
            self.put(d + 1, f"sink({self.new_pattern()});")
            self.put(d, "}")
        elif kind == "call" and not full:
            self.put(d, f"if ({self.test(loop, 'deeper(depth)', self.here())}) {{")
            self.put(d + 1, f"{self.function}(depth - 1);")
            self.put(d, "}")
        else:
            self.put(d, f"sink({self.new_pattern()});")

    def rare(self):
        return 7 * self.r.randint(0, 30) + 6 if self.r.random() < 0.7 else self.new_pattern()

    def throwing(self, d, loop):
        if loop and self.r.random() < 0.5:  # caught in the loop; the end of a handler may throw
            self.put(d, "try {")
            self.put(d + 1, f"maythrow({self.new_pattern()});")
            self.put(d, "} catch (...) {")
            self.put(d + 1, f"sink({self.new_pattern()});")
            self.put(d, "}")
            return
        self.put(d, f"maythrow({self.new_pattern()});")

    def loop(self, d, parent):
        kind = self.r.choice(["for", "while", "do", "ever", "goto", "for"])
        l = {"id": len(self.loops), "function": self.function, "kind": kind, "own": [], "depth": parent["depth"] + 1 if parent else 1}
        self.loops.append(l)
        v = f"l{l['id']}"
        self.put(d, "{")
        at = self.put(d + 1, "")  # LOOP, when its branches are known
        p = self.new_pattern()
        if kind == "for":
            self.put(d + 1, f"int n{v} = trips({p});")
            line = self.here()
            self.put(d + 1, f"for (int i = 0; T({v}), {self.test(l, f'i < n{v}', line)}; ++i) {{")
        elif kind == "while":
            line = self.here()
            self.put(d + 1, f"while (T({v}), {self.test(l, f'more({p})', line)}) {{")
        elif kind == "goto":
            line = 0
            self.put(d + 1, f"again_{v}:")
            self.put(d + 1, "{")
        else:
            line = self.put(d + 1, "do {" if kind == "do" else "for (;;) {")
        if kind not in ("for", "while"):
            self.put(d + 2, f"T({v});")
        self.put(d + 2, f"sink({self.new_pattern()});")
        if kind == "ever":
            self.put(d + 2, f"if ({self.test(l, f'!more({p})', self.here())})")
            self.put(d + 3, "break;")
        self.body(d + 2, l, 4)
        self.put(d + 2, f"sink({self.new_pattern()});")
        last = self.here()
        self.put(d + 1, f"}} while ({self.test(l, f'more({p})', last)});" if kind == "do" else "}")
        if kind == "goto":
            self.put(d + 1, f"if ({self.test(l, f'more({p})', self.here())})")
            self.put(d + 2, f"goto again_{v};")
        self.put(d, "}")
        l["line"], l["first"] = line, len(self.branches)
        self.branches += l["own"]
        self.lines[at - 1] = "  " * (d + 1) + f"LOOP({v}, {l['id']}, {l['first']}, {len(l['own'])});"

    def write(self, functions):
        self.put(0, '#include "world.h"')
        names = [f"f{i}" for i in range(functions)]
        for self.function in names:
            self.full = len(self.lines) + 110
            self.guarded = self.cpp and self.r.random() < 0.6
            self.put(0, f"__attribute__((noinline)) int {self.function}(int depth) {{")
            self.put(1, "(void)depth;")
            if self.guarded:
                self.put(1, "try {")
            for _ in range(2):
                self.loop(1, None)
                self.body(1, None, 2)
            if self.guarded:
                self.put(1, "} catch (...) {")
                self.put(2, "sink(1);")
                self.put(1, "}")
            self.put(0, "  goto out;")
            self.put(0, "out:")
            self.put(1, "sink(2);")
            self.put(1, "return 1;")
            self.put(0, "}")
        # runs of 1 to 900 thousand outcomes
        self.function = "lengths"
        self.put(0, "__attribute__((noinline)) int lengths(int n) {")
        l = {"id": len(self.loops), "function": "lengths", "kind": "for", "own": [], "first": len(self.branches)}
        self.loops.append(l)
        l["line"] = self.here() + 1
        self.branch(l, l["line"])
        self.branch(l, l["line"] + 1)
        self.put(1, f"LOOP(l{l['id']}, {l['id']}, {l['first']}, 2);")
        self.put(1, f"for (int i = 0; T(l{l['id']}), B(l{l['id']}, 0, i < n); ++i) {{")
        self.put(2, f"if (B(l{l['id']}, 1, ((i & (i - 1)) == 0) | ((n > 500000) & (i >> 18))))")
        self.put(3, "sink(1);")
        self.put(2, "else")
        self.put(3, "sink(2);")
        self.put(1, "}")
        self.put(1, "return n;")
        self.put(0, "}")
        self.branches += l["own"]
        self.put(0, "static void all(void) {")
        for name in names:
            self.put(1, f"for (int i = 0; i < 8; ++i) {name}(i % 4);")
        self.put(1, "static __thread int once;")
        self.put(1, "if (!once++) for (int i = 1; i < 4000000; i = i * 3 + 1) lengths(i);")
        self.put(0, "}")
        self.put(0, "int main(int argc, char **argv) { return program(all, argc, argv); }")
        return "\n".join(self.lines) + "\n", {"branches": self.branches, "loops": [{k: l[k] for k in ("function", "line")} for l in self.loops]}


def write(folder, seed):
    for name, text in (("world.h", HEADER), ("world.cpp", WORLD)):
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)
    for name, cpp in (("program.c", False), ("program.cpp", True)):
        source, truth = Writer(int(seed), cpp).write(4)
        assert len(truth["branches"]) <= 512 and len(truth["loops"]) <= 512
        with open(os.path.join(folder, name), "w") as f:
            f.write(source)
        with open(os.path.join(folder, name + ".json"), "w") as f:
            json.dump(truth, f)
    return 0


class Dump:
    def __init__(self, path):
        self.branches, self.loops = {}, {}  # (function, index): (line, recorder), of all functions
        self.runs, self.trips = {}, {}
        self.functions, self.flow = {}, defaultdict(list)
        self.counts = {}
        key = lambda map, function: (map, int(function))
        with open(path, encoding="utf-8", errors="replace") as f:
            for line in f:
                kind, *w = line.rstrip("\n").split("\t")
                if kind == "function":
                    self.functions[key(w[0], w[1])] = (w[2], int(w[3]), int(w[4]))
                elif kind in ("block", "edge", "call"):
                    self.flow[key(w[0], w[1])].append((kind, *w[2:]))
                elif kind in ("branch", "loop"):
                    if kind == "branch":
                        del w[9:]  # misses, of another tier, and what is known of the arms
                    self.flow[key(w[0], w[1])].append((kind, *w[2:-2]))
                    of = self.branches if kind == "branch" else self.loops
                    of[key(w[0], w[1]) + (int(w[2]),)] = (int(w[-3].split(":")[0]), w[-2:] != ["-", "-"])
                elif kind == "runs":
                    self.runs[key(w[1], w[2]) + (int(w[3]),)] = [histogram(x) for x in w[5:9]] + [int(x) for x in w[9:11]]
                elif kind == "trips":
                    self.trips[key(w[1], w[2]) + (int(w[3]),)] = histogram(w[5])
                elif kind == "count":
                    self.counts[(w[1], int(w[2]))] = int(w[3])

    def name(self, key):
        return self.functions[key[:2]][0]


END = 1 << 64


def histogram(text):
    """"5:3,16-19:2,234881024-:1" as {(first, behind the last): count}."""
    bins = {}
    for pair in text.split(",") if text != "-" else []:
        lengths, count = pair.split(":")
        first, dash, last = lengths.partition("-")
        bins[(int(first), END if dash and not last else int(last or first) + 1)] = int(count)
    return bins


def low(b):
    return b if b < 16 else END if b == 112 else (4 + b % 4) << ((b - 16) // 4 + 2)


def lengths(b):
    return low(b), low(b + 1)


def agree(seen, true):
    """Of `seen`, ranges from 16 on may begin and end one later than bins do."""
    if seen == true:
        return True
    short = lambda h: {l: n for l, n in h.items() if l[0] < 16}
    if short(seen) != short(true) or sum(seen.values()) != sum(true.values()):
        return False
    for edge in map(low, range(17, 113)):  # how many are shorter
        is_true = sum(n for l, n in true.items() if l[1] <= edge)
        if not sum(n for l, n in seen.items() if l[1] <= edge) <= is_true <= sum(n for l, n in seen.items() if l[0] < edge):
            return False
    return True


def compare(truth_json, truth_text, dump_text):
    with open(truth_json) as f:
        truth = json.load(f)
    runs = [[{}, {}, {}, {}] for _ in truth["branches"]]
    trips = [{} for _ in truth["loops"]]
    with open(truth_text) as f:
        for line in f:
            w = line.split()
            if w[0] == "run":
                runs[int(w[1])][int(w[2])][lengths(int(w[3]))] = int(w[4])
            else:
                trips[int(w[1])][lengths(int(w[2]))] = int(w[3])
    dump = Dump(dump_text)
    own = {b["function"] for b in truth["branches"]}

    def plain(name):  # _Z2f0i, _Z7lengthsi
        for n in own:
            if name in (n, f"_Z{len(n)}{n}i"):
                return n
        return None

    wrong, compared, bins = [], 0, 0
    recorded = defaultdict(list)
    for key, (line, has) in dump.branches.items():
        if has:
            recorded[(plain(dump.name(key)), line)].append(key)
    for b, t in zip(truth["branches"], runs):
        place = (b["function"], b["line"])
        keys = recorded.pop(place, [])
        if len(keys) != 1:
            wrong.append(f"{place}: {len(keys)} recorders")
            continue
        zero = [h.pop((0, 1), 0) for h in t]  # first false, first true
        wanted = [t[0], t[1], t[2], t[3], zero[1], zero[0]]
        mirror = [t[1], t[0], t[3], t[2], zero[0], zero[1]]
        seen = dump.runs.get(keys[0], [{}, {}, {}, {}, 0, 0])
        compared += 1
        bins += sum(len(h) for h in t)
        if not any(seen[4:] == w[4:] and all(map(agree, seen[:4], w[:4])) for w in (wanted, mirror)):
            wrong.append(f"{place}: recorded {seen}, true {wanted}")
    for place, keys in recorded.items():
        if place[0] is not None and place[1] != 0:  # line 0: made by the optimiser
            wrong.append(f"{place}: a recorder that the source does not know")
    loops = defaultdict(list)
    for key, (line, has) in dump.loops.items():
        if has and plain(dump.name(key)):
            loops[(plain(dump.name(key)), line)].append(key)
    jumps = defaultdict(list)
    for l, t in zip(truth["loops"], trips):
        if l["line"] == 0:
            jumps[l["function"]].append(t)
            continue
        keys = loops[(l["function"], l["line"])]
        right = next((k for k in keys if dump.trips.get(k, {}) == t), None)
        if right is None:
            wrong.append(f"loop {l}: recorded {[dump.trips.get(k, {}) for k in keys]}, true {t}")
        else:
            keys.remove(right) # a loop by goto may seem to begin on the same line
        compared += 1
        bins += len(t)
    for function in {f for f, _ in loops}:
        jumping = jumps[function]
        seen = [dump.trips.get(k, {}) for (f, _), keys in loops.items() if f == function for k in keys]
        order = lambda hs: sorted(sorted(h.items()) for h in hs)
        if order(seen) != order(jumping):
            wrong.append(f"loops by goto of {function}: recorded {seen}, true {jumping}")
        compared += len(jumping)
    for line in wrong[:10]:
        print("WRONG", line)
    print(f"{compared} branches and loops, {bins} bins, {len(wrong)} wrong")
    return 1 if wrong or compared < 5 else 0


def same(a, b):
    a, b = Dump(a), Dump(b)
    number = lambda d: {d.functions[k][0]: k for k in d.functions}
    na, nb = number(a), number(b)
    if na.keys() != nb.keys():
        print("WRONG other functions")
        return 1
    counters = 0
    for name in na:
        ka, kb = na[name], nb[name]
        if a.flow[ka] != b.flow[kb]:
            print("WRONG another map of", name)
            return 1
        for i in range(min(a.functions[ka][2], b.functions[kb][2])):
            x, y = (d.counts.get((k[0], d.functions[k][1] + i), 0) for d, k in ((a, ka), (b, kb)))
            counters += 1
            if x != y:
                print(f"WRONG {name}: counter {i}: {x} and {y}")
                return 1
    print(f"{counters} counters equal")
    return 0 if counters else 1


if __name__ == "__main__":
    verbs = {"write": write, "compare": compare, "same": same}
    if len(sys.argv) < 3 or sys.argv[1] not in verbs:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(verbs[sys.argv[1]](*sys.argv[2:]))
