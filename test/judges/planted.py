"""Programs with causes and laws that are known, written anew for each seed: the subject of questions.py.

A program reads cases, one a line: a seed and name=value pairs. Of each case it calls `one`, a marked request, so that the same
binary tells the cost of one case a process (a corpus of runs, which questions are asked of) and of thousands in one process (the
truth). It is made of

    workers   two or three functions of about constant cost
    a cause   one function that makes the cases differ, and a recorded feature that decides about it (causes, ten kinds)
    scenes    pieces of work with a line that can be asked about (scenes): a branch, a loop, a call

What a scene is asked to change is a *knob*, a value of the case that is not recorded as a feature; the truth is what the program
costs with the knob really turned, over cases that no corpus has seen."""
import random

words = ("absorb bundle carve drain emit fold graft hoist inject join knead lace mark nest order pack quote refine scan trim unify "
         "weave yield_up adapt blend chart delve erode forge glean hatch infer judge kindle lift merge").split()

head = r"""#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#define NOINLINE __attribute__((noinline))
static uint64_t state;
static uint64_t draw() {
  uint64_t z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
static double uniform() { return static_cast<double>(draw() >> 11) * 0x1p-53; }
static bool chance(double p) { return uniform() < p; }
struct Value { char name[16], text[24]; double number; };
static Value values[32];
static int known;
NOINLINE static const Value &value(const char *name) {
  int i = 0;
  while (i < known - 1 && strcmp(values[i].name, name) != 0)
    ++i;
  return values[i];
}
static volatile unsigned sink;
"""

tail = r"""int main() {
  static char line[1024];
  while (fgets(line, sizeof line, stdin)) {
    known = 0;
    for (char *w = strtok(line, " \n"); w; w = strtok(nullptr, " \n")) {
      char *is = strchr(w, '=');
      if (!is) {
        state = strtoull(w, nullptr, 10) * 0x2545f4914f6cdd1dull;
        continue;
      }
      *is = 0;
      snprintf(values[known].name, sizeof values[known].name, "%s", w);
      snprintf(values[known].text, sizeof values[known].text, "%s", is + 1);
      values[known++].number = atof(is + 1);
    }
    one();
  }
  return 0;
}
"""

# Bodies of work with about the same cost a unit of n.
bodies = [
    ["for (unsigned i = 0; i < n; ++i)", "  x = x * 31 + (x >> 7) + i;"],
    ["for (unsigned i = 0; i < n; ++i)", "  x ^= (x << 5) + (x >> 2) + i * 7;"],
    ["unsigned t[16] = {0};", "for (unsigned i = 0; i < n; ++i) {", "  t[x % 16] += i;", "  x = x * 17 + t[i % 16];", "}"],
]


class Question:
    """One change and how to make it: `turn` gives the case of the changed world for a case (a dict)."""

    def __init__(self, kind, changes, turn, exact=False):
        self.kind, self.changes, self.turn, self.exact = kind, changes, turn, exact


class Program:
    def __init__(self, seed):
        self.random = r = random.Random(seed)
        self.seed, self.file = seed, f"q{seed}.cpp"
        self.names = r.sample(words, len(words))
        self.level = ("-O2", "-O1", "-O3", "-O2", "-O0")[seed % 5]
        self.before, self.body = [], []           # lines of functions; of `one`, with places to fill
        self.features, self.knobs, self.questions, self.identities = {}, {}, [], []
        for _ in range(r.randint(2, 3)):
            f = self.work()
            self.body.append(f"x = {f}({r.randint(200, 700)} + static_cast<unsigned>(draw() % {r.randint(20, 200)}), x);")
        self.kind = causes[seed % len(causes)].__name__
        causes[seed % len(causes)](self)
        for i, scene in enumerate(scenes[(seed + 4 * i) % len(scenes)] for i in range(3)):
            scene(self, f"k{i}")
        r.shuffle(self.body)
        self.place()

    # -- writing ----------------------------------------------------------------------------------------------------------
    def work(self, name=None, ends="return x;", inline=False):
        """A function of n units of work; its name."""
        name = name or self.names.pop()
        self.before += [f"{'' if inline else 'NOINLINE '}static unsigned {name}(unsigned n, unsigned x) {{"]
        self.before += ["  " + line for line in self.random.choice(bodies)] + ["  " + ends, "}"]
        return name

    def feature(self, name, make):
        """Recorded; `make(random)` draws one."""
        self.features[name] = make

    def knob(self, name, value):
        self.knobs[name] = value
        return f'value("{name}").number'

    def scene(self, *lines):
        """Lines that stay together; one that ends in @tag can be asked about as place(tag)."""
        self.body.append("\n".join(lines))

    def place(self):
        """The text, and the lines of what is asked about."""
        lines = head.splitlines() + self.before + ["[[quincunx::request]] NOINLINE static void one() {", "  unsigned x = 1;"]
        lines += ["  " + line for piece in self.body for line in piece.split("\n")] + ["  sink = x;", "}"] + tail.splitlines()
        self.lines = {}
        for i, line in enumerate(lines):
            if "@" in line:
                lines[i], tag = line.rsplit("@", 1)
                lines[i] = lines[i].rstrip()
                self.lines[tag] = i + 1
        self.text = "\n".join(lines) + "\n"
        def filled(change):
            for tag, line in self.lines.items():
                change = change.replace("@" + tag + "@", f"{self.file}:{line}")
            return change
        for q in self.questions:
            q.changes = [filled(c) for c in q.changes]
        self.identities = [filled(c) for c in self.identities]

    # -- asking -----------------------------------------------------------------------------------------------------------
    def ask(self, kind, change, turn, exact=False):
        self.questions.append(Question(kind, [change], turn, exact))

    def turned(self, knob, value):
        return lambda case: {**case, knob: value}

    def cases(self, seed, count):
        r = random.Random(seed)
        return [{"seed": r.randrange(1, 1 << 40), **{f: make(r) for f, make in self.features.items()}, **self.knobs}
                for _ in range(count)]

    def recorded(self, case):
        return " ".join(f"{f}={case[f]}" for f in self.features)

    def line(self, case):
        return str(case["seed"]) + "".join(f" {k}={v}" for k, v in case.items() if k != "seed")


# -- causes: what makes the cases differ; each sets function (the planted one's name) and feature (names, all to be said) ----------

def heavy(p, of, tag="cause"):
    """The planted function, called with `of` units."""
    p.function = p.work()
    return f"x = {p.function}({of}, x);"


def size_linear(p):
    p.cause = ["n"]
    p.feature("n", lambda r: int(min(200 * r.paretovariate(1.6), 40000)))
    p.scene('const unsigned n = static_cast<unsigned>(value("n").number);', heavy(p, f"{p.random.randint(2, 5)} * n"))
    p.ask("size", "size(n) = 2 * n", lambda c: {**c, "n": 2 * c["n"]})
    p.ask("size", "size(n) = 400", lambda c: {**c, "n": 400})
    p.identities.append("size(n) = 1 * n")


def size_square(p):
    p.cause = ["n"]
    p.feature("n", lambda r: r.randint(20, 200))
    f = p.work(p.names.pop())
    p.function = p.names.pop()
    p.before += [f"NOINLINE static unsigned {p.function}(unsigned n, unsigned x) {{", "  for (unsigned i = 0; i < n; ++i)",
                 f"    x = {f}(n, x);", "  return x;", "}"]
    p.scene('const unsigned n = static_cast<unsigned>(value("n").number);', f"x = {p.function}(n, x);")
    factor = p.random.choice([1.5, 2, 3])
    p.ask("size", f"size(n) = {factor} * n", lambda c: {**c, "n": round(factor * c["n"])})
    p.ask("size", "size(n) = 120", lambda c: {**c, "n": 120})
    p.identities.append("size(n) = 1 * n")


def flag(p):
    p.cause = ["verify"]
    share = p.random.choice([0.05, 0.1, 0.3])
    p.feature("verify", lambda r: int(r.random() < share))
    p.scene('if (value("verify").number > 0)@cause', "  " + heavy(p, f"{p.random.randint(8000, 20000)} + draw() % 2000"))
    p.ask("p per run", "p(branch @cause@) = 0.5", lambda c: {**c, "verify": int(c["seed"] % 2)})
    p.identities += ["p(branch @cause@) *= 1"]


def pair(p):
    p.cause = ["a", "b"]
    p.feature("a", lambda r: int(r.random() < 0.4))
    p.feature("b", lambda r: int(r.random() < 0.4))
    p.scene('if (value("a").number + value("b").number > 1)', "  " + heavy(p, f"{p.random.randint(8000, 20000)} + draw() % 2000"))


def text(p):
    p.cause = ["mode", "deep"]
    p.feature("mode", lambda r: r.choice(["plain", "quick", "plain", "deep", "round"]))
    p.scene('if (strcmp(value("mode").text, "deep") == 0)', "  " + heavy(p, f"{p.random.randint(6000, 20000)} + draw() % 3000"))


def recursion(p):
    p.cause = ["depth"]
    p.feature("depth", lambda r: r.randint(3, 13))
    p.function = p.names.pop()
    p.before += [f"NOINLINE static unsigned {p.function}(unsigned d, unsigned x) {{", "  if (d < 2)", "    return x * 31 + d;",
                 f"  return {p.function}(d - 1, x + 1) * 7 + {p.function}(d - 2, x ^ d);", "}"]
    p.scene(f'x = {p.function}(static_cast<unsigned>(value("depth").number) + 4, x);')


def pointers(p):
    p.cause = ["type"]
    p.feature("type", lambda r: r.randrange(6))
    names = [p.work() for _ in range(6)]
    at = p.random.randrange(6)
    p.function, p.value = names[at], at
    table = ", ".join(names)
    p.before += [f"static unsigned (*const table[])(unsigned, unsigned) = {{{table}}};"]
    p.scene(f'const unsigned type = static_cast<unsigned>(value("type").number);',
            f"x = table[type](type == {at} ? {p.random.randint(8000, 16000)} : 300, x);")


def tail_call(p):
    p.cause = ["level"]
    p.feature("level", lambda r: round(math_log_uniform(r, 100, 20000)))
    f = heavy(p, "").split("= ")[1].split("(")[0]
    forward = p.names.pop()
    p.before += [f"NOINLINE static unsigned {forward}(unsigned n, unsigned x) {{ return {f}(2 * n, x + 1); }}"]
    p.scene(f'x = {forward}(static_cast<unsigned>(value("level").number), x);')


def exception(p):
    p.cause = ["bad"]
    p.feature("bad", lambda r: int(r.random() < 0.15))
    checked = p.names.pop()
    p.before += [f"NOINLINE static unsigned {checked}(unsigned x) {{", '  if (value("bad").number > 0)',
                 '    throw std::runtime_error("bad");', "  return x * 3;", "}"]
    p.scene("try {", f"  x = {checked}(x);", "} catch (const std::runtime_error &) {",
            "  " + heavy(p, f"{p.random.randint(8000, 20000)} + draw() % 2000"), "}")


def limit(p):
    p.cause = ["rows"]
    p.feature("rows", lambda r: round(math_log_uniform(r, 10, 1000)))
    bound = p.random.choice([300, 500])
    p.scene(f'if (value("rows").number > {bound})', "  " + heavy(p, f"{p.random.randint(8000, 20000)} + draw() % 2000"))


def math_log_uniform(r, low, high):
    return low * (high / low) ** r.random()


causes = [size_linear, size_square, flag, pair, text, recursion, pointers, tail_call, exception, limit]


# -- scenes ------------------------------------------------------------------------------------------------------------------

def p_within(p, k):
    a, b, m, x = p.work(), p.work(), p.random.randint(20, 80), p.random.choice([0.1, 0.4, 0.8])
    p.scene(f"for (unsigned i = 0; i < {m}; ++i)", f"  if (chance({p.knob(k, p.random.choice([0.2, 0.3, 0.6]))}))@{k}",
            f"    x = {a}({p.random.randint(40, 80)}, x);", "  else", f"    x = {b}({p.random.randint(5, 20)}, x);")
    p.ask("p within", f"p(branch @{k}@) = {x}", p.turned(k, x))
    p.ask("p within", f"p(branch @{k}@) += 0.15", p.turned(k, p.knobs[k] + 0.15))
    p.identities += [f"p(branch @{k}@) *= 1", f"p(branch @{k}@) += 0"]


def p_run(p, k):
    a, m, x = p.work(), p.random.choice([1, 20]), p.random.choice([0.1, 0.6])
    p.scene("{", f"const bool hot{k} = chance({p.knob(k, p.random.choice([0.2, 0.4]))});", f"for (unsigned i = 0; i < {m}; ++i)",
            f"  if (hot{k})@{k}", f"    x = {a}({4000 // m} + draw() % 100, x);", "  else", f"    x += static_cast<unsigned>(draw());",
            "}")
    p.ask("p per run", f"p(branch @{k}@) = {x}", p.turned(k, x))
    p.identities.append(f"p(branch @{k}@) *= 1")


def p_mixed(p, k):
    a, b, x = p.work(), p.work(), p.random.choice([0.3, 0.6])
    p.scene("{", f"const double p{k} = {p.knob(k, 0.45)} + 0.5 * (uniform() - 0.5);", "for (unsigned i = 0; i < 40; ++i)",
            f"  if (chance(p{k}))@{k}", f"    x = {a}(100, x);", "  else", f"    x = {b}(10, x);", "}")
    p.ask("p mixed", f"p(branch @{k}@) = {x}", p.turned(k, x))
    p.identities.append(f"p(branch @{k}@) *= 1")


def trips_constant(p, k):
    f, n = p.work(), p.random.choice([8, 16])
    p.scene("{", "const unsigned often = 3 + static_cast<unsigned>(draw() % 12);",
            f"const unsigned inner = static_cast<unsigned>({n} * {p.knob(k, 1)});", "for (unsigned i = 0; i < often; ++i)",
            f"  for (unsigned j = 0; j < inner; ++j)@{k}", f"    x = {f}({p.random.randint(10, 40)} + draw() % 8, x);", "}")
    p.ask("trips", f"trips(loop @{k}@) *= 2", p.turned(k, 2))
    p.ask("trips", f"trips(loop @{k}@) = {3 * n}", p.turned(k, 3))
    p.identities.append(f"trips(loop @{k}@) *= 1")


def trips_random(p, k):
    f, factor = p.work(), p.random.choice([2, 3])
    p.scene("{", f"const unsigned count = static_cast<unsigned>((10 + draw() % 60) * {p.knob(k, 1)});",
            f"for (unsigned j = 0; j < count; ++j)@{k}", f"  x = {f}({p.random.randint(20, 90)} + draw() % 30, x);", "}")
    p.ask("trips", f"trips(loop @{k}@) *= {factor}", p.turned(k, factor))
    p.identities.append(f"trips(loop @{k}@) *= 1")


def trips_nested(p, k):
    f = p.work()
    p.scene("{", f"const unsigned count = static_cast<unsigned>((10 + draw() % 20) * {p.knob(k, 1)});",
            f"for (unsigned j = 0; j < count; ++j)@{k}", "  for (unsigned i = 0; i < j; ++i)",
            f"    x = {f}({p.random.randint(5, 12)}, x);", "}")
    p.ask("trips nested", f"trips(loop @{k}@) *= 2", p.turned(k, 2))
    p.identities.append(f"trips(loop @{k}@) *= 1")


def virtual_call(p, k):
    a, b, c, x = p.names.pop(), p.names.pop(), p.work(), p.random.choice([0.5, 0.7])
    big, small = p.random.randint(150, 300), p.random.randint(5, 20)
    p.before += [f"struct Base{k} {{ virtual unsigned act(unsigned x) const = 0; virtual ~Base{k}() = default; }};",
                 f"struct {a}_t : Base{k} {{ unsigned act(unsigned x) const override {{ return {c}({big}, x); }} }};",
                 f"struct {b}_t : Base{k} {{ unsigned act(unsigned x) const override {{ return {c}({small}, x); }} }};",
                 f"static const {a}_t {a}_it;", f"static const {b}_t {b}_it;",
                 f"static const Base{k} *volatile {k}_all[] = {{&{a}_it, &{b}_it}};"]
    p.scene("for (unsigned i = 0; i < 30; ++i) {", f"  const Base{k} *to = {k}_all[1];",
            f"  if (chance({p.knob(k, p.random.choice([0.15, 0.3]))})) {{@{k}", "    sink = i;", f"    to = {k}_all[0];", "  }",
            "  x = to->act(x);", "}")
    p.ask("p pointers", f"p(branch @{k}@) = {x}", p.turned(k, x))
    p.identities.append(f"p(branch @{k}@) *= 1")


def thrown(p, k):
    f, g, x = p.names.pop(), p.work(), p.random.choice([0.3, 0.5])
    p.before += [f"NOINLINE static unsigned {f}(unsigned x, double p) {{", f"  if (chance(p))@{k}", "    throw x;",
                 "  return x * 5 + 1;", "}"]
    p.scene("for (unsigned i = 0; i < 25; ++i)", "  try {", f"    x = {f}(x, {p.knob(k, p.random.choice([0.1, 0.2]))});",
            "  } catch (unsigned y) {", f"    x = {g}({p.random.randint(50, 150)}, y);", "  }")
    p.ask("p exceptions", f"p(branch @{k}@) = {x}", p.turned(k, x))
    p.identities.append(f"p(branch @{k}@) *= 1")


def called(p, k):
    """A function that calls another, which in odd programs is called with other arguments elsewhere, too: with the knob at n it is called
    n times."""
    inner = p.work()
    f, shared = p.names.pop(), p.seed % 2
    call = f"{inner}({p.random.randint(500, 2000)} + draw() % 500, x)"
    p.before += [f"NOINLINE static unsigned {f}(unsigned x) {{"]
    if shared:
        p.before += ["  for (uint64_t i = 0, n = 2 + draw() % 3; i < n; ++i)", f"    x = {call};"]
    p.before += ["  return x + 1;" if shared else f"  return {call} + 1;", "}"]
    p.scene("{", f"const unsigned times = static_cast<unsigned>({p.knob(k, 1)});", "const uint64_t was = state;",
            "for (unsigned i = 0; i < times; ++i) {", "  state = was;", f"  x = {f}(x);", "}", "}",
            *[f"x = {inner}(90 + draw() % 30, x);"] * shared)
    p.ask("calls", f"calls({f}) *= 3", p.turned(k, 3), exact=True)
    p.ask("total", f"total({f}) *= 2", p.turned(k, 2), exact=True)
    p.identities += [f"calls({f}) *= 1", f"total({f}) *= 1", f"cost({f}) *= 1"]


scenes = [p_within, trips_constant, p_run, virtual_call, trips_random, called, p_mixed, trips_nested, thrown]
