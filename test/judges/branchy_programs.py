"""Random programs in C whose branches have much in common: conditions of several parts on lines of their own, within each other, in loops and
switches, with little between them, so that passes join, thread and remove branches. All counts are small, and every program ends."""
import random

variables = ("a", "b", "c", "x", "y")


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.loops = [], 0

    def text(self):
        self.put(0, "#include <stdio.h>", "unsigned total, v[8] = {1, 5, 2, 0, 7, 3, 4, 6};",
                 "__attribute__((noinline)) static void sink(unsigned x) { total = total * 31 + x; }",
                 "__attribute__((noinline)) static int odd(unsigned x) { return (x * 2654435761u >> 13) & 1; }")
        functions = self.random.randint(3, 5)
        for f in range(functions):
            self.put(0, f"{self.random.choice(('__attribute__((noinline)) ', ''))}static unsigned f{f}(unsigned a, unsigned b, unsigned c) {{")
            self.put(1, "unsigned x = a ^ b;", "unsigned y = c;")
            for _ in range(self.random.randint(3, 6)):
                self.statement(1, False, f)
            self.put(1, "return x + y;")
            self.put(0, "}")
        self.put(0, "int main(void) {")
        self.put(1, "unsigned s = 12345;", "for (int i = 0; i < 60; i++) {", "  s = s * 1664525u + 1013904223u;")
        for f in range(functions):
            self.put(2, f"total += f{f}(s >> {self.random.randint(20, 28)} & 7, s >> {self.random.randint(10, 20)} & 7, s >> {self.random.randint(5, 18)} & 15);")
        self.put(1, "}", 'printf("%u\\n", total);')
        self.put(0, "}")
        return "\n".join(self.lines) + "\n"

    def put(self, depth, *lines):
        self.lines += ["  " * depth + line for line in lines]

    def variable(self):
        return self.random.choice(variables)

    def value(self, depth=0):
        kind = self.random.random()
        if kind < 0.45:
            return self.variable()
        if kind < 0.6:
            return str(self.random.randint(0, 9))
        if kind < 0.75 or depth == 2:
            return f"v[{self.variable()} & 7]"
        return f"({self.value(depth + 1)} {self.random.choice('+-*&^|')} {self.value(depth + 1)})"

    def part(self):
        kind = self.random.random()
        if kind < 0.6:
            return f"{self.value()} {self.random.choice(('<', '>', '==', '!=', '<=', '>='))} {self.random.randint(0, 8)}"
        if kind < 0.75:
            return self.variable()
        if kind < 0.85:
            return f"({self.variable()} & {1 << self.random.randint(0, 3)})"
        return f"!{self.variable()}" if kind < 0.93 else f"odd({self.variable()})"

    def condition(self, depth):
        parts = [self.part() for _ in range(self.random.choice((1, 1, 1, 2, 2, 3)))]
        newline = "\n" + "  " * depth + "    "
        if len(parts) == 3 and self.random.random() < 0.5:
            return f"({parts[0]} || {parts[1]}) &&{newline}{parts[2]}"
        between = newline if self.random.random() < 0.6 else " "
        return f" {self.random.choice(('&&', '||'))}{between}".join(parts)

    def limit(self):
        return self.random.choice(("3", str(self.random.randint(1, 5)), "(a & 3)", "(b & 3)"))

    def statement(self, depth, inLoop, function):
        kind = self.random.random() * (0.4 if depth > 5 else 1)
        if kind < 0.18:
            self.put(depth, f"{self.random.choice(('total +=', f'v[{self.variable()} & 7] ^='))} {self.value()};")
        elif kind < 0.36:
            self.put(depth, f"{self.random.choice('xy')} {self.random.choice(('=', '+='))} {self.value()};")
        elif kind < 0.4:
            self.put(depth, f"sink({self.value()});")
        elif kind < 0.62:
            self.ifs(depth, inLoop, function)
        elif kind < 0.82:
            self.loop(depth, function)
        elif kind < 0.88:
            self.switch(depth, inLoop, function)
        elif kind < 0.92 and inLoop:
            self.put(depth, self.random.choice(("continue;", "break;")))
        elif kind < 0.96 and function > 0 and depth < 3:
            self.put(depth, f"{self.random.choice('xy')} = f{function - 1}({self.value()} & 7, {self.value()} & 7, {self.variable()});")
        else:
            self.put(depth, f"return {self.value()};")

    def block(self, depth, inLoop, function):
        for _ in range(self.random.choice((1, 1, 2, 2))):
            self.statement(depth, inLoop, function)

    def ifs(self, depth, inLoop, function):
        self.put(depth, f"if ({self.condition(depth)}) {{")
        self.block(depth + 1, inLoop, function)
        while self.random.random() < 0.25:
            self.put(depth, f"}} else if ({self.condition(depth)}) {{")
            self.block(depth + 1, inLoop, function)
        if self.random.random() < 0.35:
            self.put(depth, "} else {")
            self.block(depth + 1, inLoop, function)
        self.put(depth, "}")

    def loop(self, depth, function):
        i, kind = f"i{self.loops}", self.random.random()
        self.loops += 1
        begin, end = [f"for (int {i} = 0; {i} < {self.limit()}; {i}++) {{"], "}"
        if kind < 0.3:
            begin = [f"int {i} = {self.random.randint(1, 5)};", f"while ({i}-- > 0 && {self.part()}) {{"]
        elif kind < 0.5:
            begin, end = [f"int {i} = {self.random.randint(1, 4)};", "do {"], f"}} while (--{i} > 0 && ({self.condition(depth)}));"
        self.put(depth, *begin)
        self.block(depth + 1, True, function)
        self.put(depth, end)

    def switch(self, depth, inLoop, function):
        self.put(depth, f"switch ({self.value()} & 7) {{")
        for case in sorted(self.random.sample(range(8), self.random.randint(1, 5))) + self.random.choice(([], ["default"])):
            self.put(depth, "default: {" if case == "default" else f"case {case}: {{")
            self.block(depth + 1, inLoop, function)
            self.put(depth, "}")
            if self.random.random() < 0.75:
                self.put(depth + 1, "break;")
        self.put(depth, "}")
