#!/usr/bin/env python3
"""Random C++20 programs in all tiers; what is demanded, and the options, is in tiers.py.

    cxx_programs.py N [--from SEED] [--all-levels] [--levels L,...]    N programs, from the seed (1) on
    cxx_programs.py N --print                                          the program of seed N

A program is functions, templates, classes with virtual functions, coroutines and recursions, each of which calls only those before
it. It is written by rules: pieces of C++ in which @-words stand for expressions, conditions and blocks that other rules write. No
rule has undefined behaviour: arithmetic is that of cxx_programs.h, indices are remainders. A program ends, as loops have a few
trips, and a call is written only where there is still budget for the cost of what it calls, times the trips around it. What threads do
does not depend on time, so that counts are the same in every run. It prints a checksum after every call of main.

Words of rules: @T type of the rule, @E expression of it, @O a literal, @A a variable, @V one that may be assigned, @C condition, @N trips, @I
a number of its own, @Q the end of the function, @L a label; @X a call, @Z a generator, @J a task, @Y what is yielded. Blocks are @S plain, @K body
of a loop with @N trips, @D with twice as many, @R of one made of goto, @G from which goto reaches l@I, @H a handler; bodies of lambdas @F that
returns @T, @W that returns nothing, @M of threads."""
import os
import random
import re
import sys
import tempfile
from dataclasses import dataclass, replace

import tiers

TYPES = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
BUDGET = 3000  # statements that a call of a function may execute
BLOCKS = {"S": 3, "K": 3, "D": 3, "R": 3, "G": 5, "H": 2, "F": 3, "W": 3, "M": 3}  # at most so many statements


@dataclass(frozen=True)
class Rule:
    weight: int
    text: str
    inner: str = ""  # a variable of type @T in its blocks, that is only read
    after: str = ""  # a variable of type @T from here on
    needs: str = ""  # what the place must offer


@dataclass(frozen=True)
class Place:
    """What may be written where."""
    type: str        # that is returned
    depth: int = 1
    trips: int = 1   # at most, around it in its function
    leave: str = "return"
    offers: frozenset = frozenset()  # loop, yield, once (executed by one thread only)
    labels: tuple = ()
    variables: tuple = ()  # (name, may be assigned)


@dataclass(frozen=True)
class Callee:
    call: str
    cost: int
    yields: int = 0  # of a generator
    once: bool = False


EXPRESSIONS = (
    Rule(4, "@T(@A)"), Rule(2, "@T(@O)"),
    Rule(3, "add<@T>(@E, @E)"), Rule(2, "sub<@T>(@E, @E)"), Rule(2, "mul<@T>(@E, @E)"), Rule(1, "quo<@T>(@E, @E)"),
    Rule(1, "rem<@T>(@E, @E)"), Rule(1, "shl<@T>(@E, @E)"), Rule(1, "shr<@T>(@E, @E)"), Rule(1, "fold<@T>(@E, @E)"),
    Rule(1, "sum<@T>(@E, @E, @E)"), Rule(1, "Power<@T, @N>::of(@E)"), Rule(2, "@T(@E ^ @E)"), Rule(1, "@T(@E & ~@E)"),
    Rule(2, "(@C ? @E : @E)"), Rule(1, "std::max<@T>(@E, @E)"), Rule(1, "[](@T x) { return fold<@T>(x, @T(@O)); }(@E)"),
    Rule(1, "std::array<@T, 4>{@E, @E, @E, @E}[u64(@E) % 4]"), Rule(5, "@T(@X)", needs="call"))

CONDITIONS = (
    Rule(3, "@E < @E"), Rule(2, "@E != @E"), Rule(2, "@E % 2"), Rule(2, "u64(@E) % 5 == 0"), Rule(1, "(@C && @C)"),
    Rule(1, "(@C || @C)"), Rule(1, "!(@C)"))

STATEMENTS = (
    Rule(8, "@V = @E;"), Rule(5, "mix(u64(@E));"), Rule(5, "@T v@I = @E;", after="v@I"),
    Rule(5, "if (@C) {\n@S}"), Rule(4, "if (@C) {\n@S} else {\n@S}"),
    Rule(4, "for (@T x@I = 0; x@I < @T(@N); ++x@I) {\n@K}", inner="x@I"),
    Rule(2, "for (u64 n@I = u64(@E) % (@N + 1); n@I != 0; --n@I) {\n@K}"),
    Rule(2, "{\n  u32 n@I = 0;\n  while (n@I++ < @N && @C) {\n@K}\n}"),
    Rule(2, "{\n  u32 n@I = 0;\n  do {\n@K} while (++n@I < @N && @C);\n}"),
    Rule(2, "{\n  u32 n@I = 0;\nl@I:\n  ;\n  {\n@R}\n  if (++n@I < @N && @C)\n    goto l@I;\n}"),
    Rule(2, "{\n@G}\nl@I:;"), Rule(4, "if (@C)\n  goto @L;", needs="label"),
    Rule(4, "if (@C)\n  break;", needs="loop"), Rule(3, "if (@C)\n  continue;", needs="loop"), Rule(2, "if (@C)\n  @Q;"),
    Rule(2, "switch (u64(@E) % 6) {\ncase 0: {\n@S} break;\ncase 1: {\n@S}\ncase 4: {\n@S} break;\ncase 5:\n  @V = @E;\ndefault:\n  mix(@O);\n}"),
    Rule(3, "if (@C)\n  throw Fault(u64(@E));"), Rule(2, "if (@C)\n  throw Deep(u64(@E));"), Rule(1, "if (@C)\n  throw u64(@E);"),
    Rule(4, "try {\n@S} catch (const Deep &d) {\n  mix(d.kind());\n@H} catch (const Fault &f) {\n  mix(f.kind());\n}"),
    Rule(3, "try {\n@S} catch (...) {\n@H}"),
    Rule(2, "try {\n@S} catch (const Fault &f) {\n@H  if (f.code % 2)\n    throw;\n}"),
    Rule(1, "std::exception_ptr p@I;\ntry {\n@S} catch (...) {\n  p@I = std::current_exception();\n}\nif (p@I && @C)\n  std::rethrow_exception(p@I);"),
    Rule(3, "{\n  Guard g@I{u64(@E)};\n@S}"), Rule(2, "{\n  Loud g@I{u64(@E)};\n@S}"),
    Rule(1, "{\n  std::vector<Part> p@I;\n  for (u64 i = 0; i < @N; ++i)\n    p@I.emplace_back(u64(@E) + i);\n@S}"),
    Rule(1, "{\n  std::array<Part, 3> p@I{Part(u64(@E)), Part(u64(@E)), Part(u64(@E))};\n@S}"),
    Rule(3, "{\n  auto h@I = [&](@T x@I) -> @T {\n@F};\n  mix(u64(h@I(@E)));\n}", inner="x@I"),
    Rule(2, "{\n  std::function<@T(@T)> h@I = [&, y = @E](@T x@I) mutable -> @T {\n  y = add<@T>(y, x@I);\n@F};\n  @V = h@I(@E);\n}", inner="x@I"),
    Rule(2, "{\n  auto h@I = [](auto self, u32 n, @T x) -> @T { return n == 0 ? x : n % 3 == 0 ? self(self, n / 2, x) : add<@T>(self(self, n - 1, fold<@T>(x, @T(n))), @T(@O)); };\n"
            "  @V = h@I(h@I, u32(u64(@E) % 12), @E);\n}"),
    Rule(2, "{\n  std::vector<@T> c@I;\n  for (u64 i = 0; i < 2 * @N; ++i)\n    c@I.push_back(add<@T>(@E, @T(i)));\n"
            "  std::sort(c@I.begin(), c@I.end(), [](@T a, @T b) { return a % 7 != b % 7 ? a % 7 < b % 7 : a > b; });\n"
            "  for (@T x@I : c@I) {\n@D}\n  mix(u64(std::accumulate(c@I.begin(), c@I.end(), @T(0), add<@T>)));\n}", inner="x@I"),
    Rule(2, "{\n  std::map<@T, u32> c@I;\n  for (u32 i = 0; i < @N; ++i)\n    c@I[fold<@T>(@E, @T(i))] += i;\n  for (auto [x@I, y] : c@I) {\n    mix(y);\n@K}\n}", inner="x@I"),
    Rule(1, "{\n  std::string c@I = std::to_string(@E);\n  c@I += c@I.substr(u64(@E) % c@I.size());\n  for (char x@I : c@I)\n    mix(u64(x@I));\n}"),
    Rule(1, "{\n  std::deque<@T> c@I(3, @E);\n  c@I.push_front(@E);\n  while (c@I.size() > 1) {\n    mix(u64(c@I.back()));\n    c@I.pop_back();\n    if (@C)\n      c@I.pop_front();\n"
            "    if (c@I.empty())\n      break;\n  }\n}"),
    Rule(1, "{\n  std::optional<@T> o@I = @C ? std::optional<@T>(@E) : std::nullopt;\n  auto [a@I, b@I] = std::tuple(o@I.value_or(@O), @E);\n  mix(u64(a@I) ^ u64(b@I));\n}"),
    Rule(2, "{\n  std::variant<@T, std::string, Guard> o@I = @E;\n  if (@C)\n    o@I = std::to_string(@E);\n  else if (@C)\n    o@I.template emplace<Guard>(u64(@E));\n"
            "  std::visit(Overloaded{[&](@T x@I) {\n@W}, [](const std::string &s) { mix(s.size()); }, [](const Guard &g) { mix(g.v); }}, o@I);\n}", inner="x@I"),
    Rule(2, "{\n  std::array<@T, 32> a@I, b@I;\n  for (u32 i = 0; i < 32; ++i)\n    a@I[i] = add<@T>(@E, @T(i)), b@I[i] = @T(i * @O);\n"
            "  for (u32 i = 1; i < 8 * @N; ++i)\n    a@I[i % 32] = a@I[i % 32] < b@I[i % 32] ? mul<@T>(a@I[(i - 1) % 32], b@I[i % 32]) : sub<@T>(b@I[i % 32], @T(i));\n"
            "  for (@T x@I : a@I)\n    @V = add<@T>(@V, x@I);\n}"),
    Rule(1, "{\n  std::unique_ptr<@T[]> a@I(new @T[@N + 1]());\n  for (u64 i = 0; i <= @N; ++i)\n    a@I[i] = i ? fold<@T>(a@I[i - 1], @E) : @E;\n  mix(u64(a@I[u64(@E) % (@N + 1)]));\n}"),
    Rule(1, "{\n  @T (*h@I[])(@T) = {[](@T x) { return fold<@T>(x, @T(@O)); }, [](@T x) { return Power<@T, 2>::of(x); }, [](@T x) -> @T { throw Fault(u64(x)); }};\n  @V = h@I[u64(@E) % 3](@E);\n}"),
    Rule(1, "{\n  std::atomic<@T> a@I{@E};\n  @T x@I = a@I.load();\n  while (!a@I.compare_exchange_strong(x@I, add<@T>(x@I, @E)))\n    ;\n  mix(u64(a@I.fetch_xor(@T(@O)) ^ a@I.exchange(@E)));\n}"),
    Rule(2, "{\n  static const std::vector<@T> s@I = [] {\n    std::vector<@T> c;\n    for (u32 i = 0; i < 8; ++i)\n      c.push_back(Power<@T, 3>::of(@T(i + @O)));\n    return c;\n  }();\n"
            "  @V = s@I[u64(@E) % 8];\n}", needs="once"),
    Rule(2, "{\n  std::array<u64, 3> r@I{};\n  std::atomic<u64> a@I{0};\n  std::vector<std::thread> t@I;\n  for (u64 i = 0; i < 3; ++i)\n    t@I.emplace_back([&r@I, &a@I, i] {\n"
            "      state = i;\n      @T x@I = @T(i), scratch = 1;\n      attempt([&] {\n@M});\n      a@I.fetch_add(r@I[i] = state);\n    });\n"
            "  for (std::thread &t : t@I)\n    t.join();\n  mix(a@I ^ r@I[0] ^ r@I[2]);\n}", inner="x@I", needs="once"),
    Rule(40, "co_yield @Y;", needs="yield"),
    Rule(8, "for (auto x@I : @Z) {\n@K}", inner="x@I", needs="generator"),
    Rule(30, "@V = @T((co_await @J));", needs="task"))

# (weight, definition, call, offers): @P is the body
DEFINITIONS = (
    (4, "__attribute__((noinline)) @T f@I(@T a, u32 b) {\n@P}", "f@I(@E, u32(@E))", ()),
    (2, "inline @T f@I(@T a, u32 b) {\n@P}", "f@I(@E, u32(@E))", ("once",)),
    (2, "__attribute__((noinline)) @T f@I(@T a, u32 b) {\n@P}", "f@I(@E, u32(@E))", ("once",)),
    (1, "static @T f@I(@T a, u32 b) try {\n@P} catch (const Fault &f) {\n  return @T(f.kind());\n}", "f@I(@E, u32(@E))", ()),
    (1, "static @T n@I(@T a, u32 b) noexcept {\n  try {\n@P} catch (...) {\n    return @T(b);\n  }\n}", "n@I(@E, u32(@E))", ()),
    (3, "template <Whole U, unsigned N> U t@I(U a, u32 b) {\n  if constexpr (N > 0)\n    if (b % 3)\n      a = add<U>(a, t@I<U, N - 1>(U(b), b / 2));\n  using V = U;\n@P}",
     "t@I<@T, @N>(@E, u32(@E))", ()),
    (3, "__attribute__((noinline)) @T r@I(u32 d, @T a, u32 b) {\n  if (d > 0 && b % 4)\n    a = add<@T>(r@I(d - 1, a, b / 2), d > 2 ? r@I(d / 2, a, b ^ d) : @T(d));\n@P}",
     "r@I(u32(@E) % 5, @E, u32(@E))", ()),
    (3, "struct B@I {\n  @T v;\n  Guard g{7};\n  explicit B@I(@T x) : v(x) {}\n  virtual ~B@I() { mix(u64(v)); }\n  virtual @T get(@T a, u32 b) {\n@P}\n"
        "  static std::unique_ptr<B@I> make(u64 kind, @T x);\n};\nstruct C@I : B@I {\n  using B@I::B@I;\n  @T get(@T a, u32 b) override { return b % 3 ? B@I::get(a, b / 2) : fold<@T>(a, v); }\n};\n"
        "struct D@I final : C@I {\n  Part p{u64(v)};\n  using C@I::C@I;\n  @T get(@T a, u32 b) override { return add<@T>(C@I::get(v, b), a); }\n};\n"
        "std::unique_ptr<B@I> B@I::make(u64 kind, @T x) {\n  if (kind % 3 == 0)\n    return std::make_unique<B@I>(x);\n  if (kind % 3 == 1)\n    return std::make_unique<C@I>(x);\n"
        "  auto o = std::make_unique<D@I>(x);\n  if (dynamic_cast<C@I *>(static_cast<B@I *>(o.get())))\n    mix(1);\n  return o;\n}", "B@I::make(u64(@E), @E)->get(@E, u32(@E))", ()),
    (3, "__attribute__((noinline)) Gen<@T> g@I(@T a, u32 b) {\n@P}", "g@I(@E, u32(@E))", ("yield",)),
    (2, "__attribute__((noinline)) Task<@T> k@I(@T a, u32 b) {\n@P}", "k@I(@E, u32(@E))", ("task",)))


class Filling:
    """A rule at a place: what its words stand for, in their order."""

    def __init__(self, writer, rule, type, place, depth):
        writer.number += 1
        self.writer, self.random, self.rule, self.type, self.place, self.depth = writer, writer.random, rule, type, place, depth
        self.number, self.trips = str(writer.number), self.random.randint(1, 5)
        self.rounds = self.trips  # of its loop
        self.inner = self.declared(rule.inner, False)
        self.text = re.sub("@([A-Z])", self.word, rule.text)
        self.after = self.declared(rule.after, True)

    def declared(self, name, assigned):
        """The place with this variable, if there is one."""
        variable = (name.replace("@I", self.number), assigned)
        return replace(self.place, variables=self.place.variables + (variable,)) if name else self.place

    def word(self, match):
        if match[1] in BLOCKS:
            return self.block(match[1])
        return self.called(match[1]) if match[1] in "XZJ" else self.small(match[1])

    def block(self, kind):
        inner, offers = self.inner, self.inner.offers
        times = {"K": self.rounds, "R": self.trips, "D": 2 * self.trips, "M": 3}.get(kind, 1)
        changes = {"K": {"offers": offers | {"loop"}}, "D": {"offers": offers | {"loop"}}, "R": {"offers": offers - {"loop"}},
                   "H": {"offers": offers - {"yield", "task"}}, "G": {"labels": inner.labels + ("l" + self.number,)}}.get(kind, {})
        if kind in "FWM":
            changes = {"leave": "return", "labels": (), "type": self.type if kind == "F" else "", "offers": offers & {"once"}}
        if kind == "M":
            changes |= {"offers": frozenset(), "variables": inner.variables[-1:]}
        text = self.writer.block(replace(inner, depth=inner.depth + 1, trips=inner.trips * times, **changes), BLOCKS[kind])
        return text + f"return {self.writer.value(self.type, inner)};\n" if kind == "F" else text

    def called(self, kind):
        """A call, or what stands for one where the budget is used up."""
        writer = self.writer
        callees = {"X": writer.functions, "Z": writer.generators, "J": writer.tasks}[kind]
        if made := writer.call(callees, self.place, self.depth + 1):
            text, yields = made
            self.rounds = max(yields, self.rounds)
            return text
        some = writer.value(self.type, self.place, 3)
        return {"X": some, "Z": f"std::array<{self.type}, 1>{{{some}}}", "J": f"std::suspend_never{{}}, {some}"}[kind]

    def small(self, kind):
        place, choice = self.place, self.random.choice
        if kind == "Y":
            self.writer.yields += place.trips
        return {
            "T": lambda: self.type, "N": lambda: str(self.trips), "I": lambda: self.number, "L": lambda: choice(place.labels),
            "E": lambda: self.writer.value(self.type, place, self.depth + 1),
            "C": lambda: self.writer.condition(place, self.depth + 1),
            "A": lambda: choice(place.variables)[0],
            "V": lambda: choice([name for name, assigned in place.variables if assigned] or ["scratch"]),
            "O": lambda: str(self.random.getrandbits(choice((3, 8, 31)))),
            "Q": lambda: place.leave + (" " + self.writer.value(place.type, place) if place.type else ""),
            "Y": lambda: self.writer.value(self.writer.type, place)}[kind]()


class Writer:
    def __init__(self, seed):
        self.random, self.number = random.Random(seed), 0
        self.functions, self.generators, self.tasks = [], [], []

    def chosen(self, rules, place, small=False):
        offers = {"": True, "call": self.functions, "generator": self.generators, "label": place.labels,
                  "task": "task" in place.offers and self.tasks}
        rules = [r for r in rules if offers.get(r.needs, r.needs in place.offers) and not (small and "{" in r.text)]
        return self.random.choices(rules, [r.weight for r in rules])[0]

    def value(self, type, place, depth=0):
        simple = depth > 2 or self.random.random() < 0.3
        return Filling(self, self.chosen(EXPRESSIONS[:2] if simple else EXPRESSIONS, place), type, place, depth).text

    def condition(self, place, depth):
        return Filling(self, self.chosen(CONDITIONS, place), self.random.choice(TYPES), place, depth).text

    def call(self, callees, place, depth):
        """(text, yields) of a call that there is budget for, or nothing."""
        within = [c for c in callees if place.trips * c.cost < BUDGET - self.cost and (not c.once or "once" in place.offers)]
        if not within or depth > 2:
            return None
        callee = self.random.choice(within)
        self.cost += place.trips * callee.cost
        self.once |= callee.once
        return Filling(self, Rule(1, callee.call), self.random.choice(TYPES), place, 2).text, callee.yields

    def block(self, place, most):
        text = ""
        for _ in range(self.random.randint(1, most)):
            self.size -= 1
            self.cost += place.trips
            rule = self.chosen(STATEMENTS, place, small=self.size < 0 or place.depth > 4)
            statement = Filling(self, rule, self.random.choice(TYPES), place, 0)
            text, place = text + statement.text + "\n", statement.after
        return text

    def definitions(self):
        """Of every program some, and one of each coroutine."""
        some = self.random.choices(DEFINITIONS, [d[0] for d in DEFINITIONS], k=self.random.randint(2, 5)) + list(DEFINITIONS[-2:])
        self.random.shuffle(some)
        return "".join(self.definition(*d) for d in some)

    def definition(self, _, text, call, offers):
        self.cost, self.yields, self.size, self.once = 1, 0, 12, "once" in offers
        self.type = "U" if "template" in text else self.random.choice(TYPES)
        returned = "" if "yield" in offers else self.type
        leave = "co_return" if "yield" in offers or "task" in offers else "return"
        calls = 12 if "template" in text or " r@I" in text else 1  # of itself
        place = Place(returned, trips=calls, leave=leave, offers=frozenset(offers), variables=(("a", True), ("b", True)))
        body = f"{self.type} scratch = 1;\n{self.block(place, 5)}{leave} {self.value(returned, place) if returned else ''};\n"
        self.number += 1
        finished = lambda text: text.replace("@I", str(self.number)).replace("@P", body)
        callee = Callee(finished(call), self.cost + 1, self.yields, self.once)
        if "yield" in offers:
            self.generators.append(callee)
        elif "task" in offers:
            self.tasks.append(callee)
            self.functions.append(replace(callee, call=callee.call + ".wait()"))
        else:
            self.functions.append(callee)
        return finished(text).replace("@T", self.type) + "\n"

    def program(self):
        text = self.definitions()
        place = Place("", offers=frozenset({"once"}), variables=(("i", False), ("w", True)))
        text += "struct Last {\n  ~Last() { std::printf(\"%016llx at the end\\n\", (unsigned long long)state); }\n} last;\n"
        text += "int main() {\n  u64 w = 1, scratch = 1;\n  for (u32 i = 0; i < 3; ++i) {\n"
        for callee in self.functions:
            self.cost, self.once = 0, True
            text += f"attempt([&] {{ mix(u64({Filling(self, Rule(1, callee.call), 'u64', place, 1).text})); }});\n"
            text += 'std::printf("%016llx\\n", (unsigned long long)state);\n'
        ends = ("return 0;", "return 0;", "Guard g{1};\nattempt([&] { std::exit(0); });")
        return text + "}\n" + self.random.choice(ends) + "\n}\n"


def write(seed):
    with open("p.cpp", "w") as f:
        f.write(Writer(seed).program())
    return tiers.Program(f"seed {seed}", [*compiler, "-include", os.path.join(headers.name, "cxx_programs.h"), "p.cpp"])


def precompile(levels):
    """The header, for all programs; clang takes the one of its folder that was compiled with the same options."""
    precompiled = os.path.join(headers.name, "cxx_programs.h.pch")
    os.mkdir(precompiled)
    for optimised in {tiers.LEVELS[level][0] for level in ("O0", *levels)}:
        header = os.path.join(tiers.here, "cxx_programs.h")
        tiers.command("cxx_programs.h", *compiler, optimised, "-x", "c++-header", header, "-o", os.path.join(precompiled, optimised))


compiler = [f"clang++-{tiers.llvm}", "-std=c++20", "-w", "-pthread"]
headers = tempfile.TemporaryDirectory(prefix="quincunx-cxx-")

if __name__ == "__main__":
    if sys.argv[2:] == ["--print"]:
        sys.stdout.write('#include "cxx_programs.h"\n' + Writer(int(sys.argv[1])).program())
        sys.exit()
    options = tiers.options_of(__doc__)
    precompile(options.levels)
    sys.exit(tiers.judged(write, options))
