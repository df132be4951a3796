#!/usr/bin/env python3
"""Symbolic results as C and Python have the values that eval computes, to 1e-12; LaTeX is balanced.

Generated models with everything that expressions can have, each at many values of its parameters:
C is compiled with all warnings, Python is imported, and both are called there."""
import ctypes, importlib.util, json, os, random, re, subprocess, sys, tempfile

quincunx = os.path.join(os.environ.get("BUILD", "build/default"), "bin/quincunx")
names = ["n", "P", "t", "lambda", "int"]
head = "".join(f"numeric parameter {p}\n" for p in names)


def expression(r, depth, index=()):
    if depth == 0:
        return r.choice(names + list(index) + [str(r.randint(1, 5)), "0.25", "2"])
    a, b, c = (expression(r, depth - 1, index) for _ in range(3))
    k, i = r.randint(1, 5), "i" * (len(index) + 1)
    inner = expression(r, depth - 1, index + (i,))
    return r.choice([
        f"({a} + {b})", f"({a} - {b})", f"{a} * ({b})", f"{a} / (1 + ({b})^2)", f"({a})^2", f"({a} + {b})^3",
        f"max({a}, {b}, {c})", f"min({a}, {b})", f"floor({a})", f"ceil({a})", f"abs({a} - {b})", f"-({a})",
        f"(({a}) mod {k})", f"(({a}) div {k})", f"(({a}) mod (0 - {k}))", f"(n mod (P + 1)) * ({a})", f"gcd(n, {k}, P) * ({a})",
        f"sqrt(1 + ({a})^2)", f"exp(0 - ({a})^2)", f"log(1 + abs({a}))", f"log2(2 + abs({a}))", f"(1 + t)^({a} / (1 + abs({a})))",
        f"(if ({a} < {b}) ({c}) else ({a}))", f"(if ({a} <= {b} and not {b} == {c}) ({c}))", f"(if ({a} >= {b} or {a} != {c}) ({c}) else ({b}))",
        f"(switch (n mod 3) {{ 0 : {a}, 1 : {b}, else : {c} }})", f"(switch (P) {{ 2 : {a} }})",
        f"(sum ({i} = 1, n) ({inner}))", f"(sum ({i} = {k}, P + 2) ({inner}) * sqrt({i}))", f"(max ({i} = 1, n) ({inner}))",
        f"(min ({i} = 2, P) ({inner}))", f"(if ({a} < {b}) (sum ({i} = 1, n) sqrt(({inner})^2)) else ({c}))",
        f"(sum ({i} = 1, n) (if ({i} mod 4 == 0) ({inner}) else ({a})))", f"(sum ({i} = 1, n) ({i} mod P))"])


def run(*words, **more):
    return subprocess.run([quincunx, "eval", *words], capture_output=True, text=True, timeout=120, **more)


def at(model, target, point):
    words = [w for k, v in point.items() for w in ("-D", f"{k}={v!r}")]
    r = run(model, "--json", "--target", target, *words)
    return json.loads(r.stdout)["points"][0]["mean"] if r.returncode == 0 else None


def balanced(text):
    depth = 0
    for at, c in enumerate(text):
        if c in "{}" and (at == 0 or text[at - 1] != "\\"):
            depth += 1 if c == "{" else -1
        if depth < 0:
            return False
    begins, ends = re.findall(r"\\begin\{(\w+\*?)\}", text), re.findall(r"\\end\{(\w+\*?)\}", text)
    return (depth == 0 and len(re.findall(r"\\left(?![a-z])", text)) == len(re.findall(r"\\right(?![a-z])", text)) and
            sorted(begins) == sorted(ends) and "nan" not in text)


def near(x, y, size):
    return x == y or abs(x - y) <= 1e-12 * max(1, abs(y), size)


def compiled(code, folder, number):
    source, library = os.path.join(folder, f"f{number}.c"), os.path.join(folder, f"f{number}.so")
    with open(source, "w") as f:
        f.write(code)
    r = subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-O1", "-shared", "-fPIC",
                        "-ffp-contract=off", "-o", library, source, "-lm"], capture_output=True, text=True)
    if r.returncode != 0:
        sys.exit(f"C that does not compile:\n{r.stderr}{code}")
    return ctypes.CDLL(library)


def imported(code, folder, number):
    source = os.path.join(folder, f"f{number}.py")
    with open(source, "w") as f:
        f.write(code)
    spec = importlib.util.spec_from_file_location(f"f{number}", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def provisos(path, target, model):
    """A model of a number that is 1 where the symbolic result holds."""
    given = json.loads(run("--symbolic", "--json", "--target", target, path).stdout)["provisos"]
    terms = [f"(({p.removesuffix(' whole')}) mod 1 == 0)" if p.endswith(" whole") else f"({p})" for p in given]
    return model + "numeric holds = 1" + "".join(f" * {t}" for t in terms) + "\n"


def judge(model, target, function, points, folder, number, texts):
    path = os.path.join(folder, f"m{number}.pam")
    with open(path, "w") as f:
        f.write(model)
    codes = {}
    for language in ("c", "python", "latex"):
        r = run("--symbolic", "--as", language, "--target", target, path)
        if r.returncode != 0:
            sys.exit(f"{language}: {r.stderr}{model}")
        codes[language] = r.stdout
    if not balanced(codes["latex"]):
        sys.exit(f"LaTeX is not balanced:\n{codes['latex']}{model}")
    library, module = compiled(codes["c"], folder, number), imported(codes["python"], folder, number)
    of_c, of_python = getattr(library, function), getattr(module, function)
    arguments = of_python.__code__.co_varnames[:of_python.__code__.co_argcount]
    of_c.restype, of_c.argtypes = ctypes.c_double, [ctypes.c_double] * len(arguments)
    with open(path + ".holds", "w") as f:
        f.write(provisos(path, target, model))
    compared = 0
    for point in points:
        should = at(path, target, point)
        if should is None or abs(should) > 1e9 or at(path + ".holds", "holds", point) != 1:
            continue
        values = [point[a.rstrip("_")] for a in arguments]
        for language, got in (("c", of_c(*values)), ("python", float(of_python(*values)))):
            if not near(got, should, 1e3):
                sys.exit(f"{language} has {got!r}, eval {should!r} at {point}\n{model}{codes[language]}")
        compared += 1
    texts.append(codes)
    return compared


def main():
    r = random.Random(5)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        texts = []
        for m in range(count):
            points = [{"n": float(r.randint(0, 9)), "P": float(r.randint(1, 6)), "t": r.randint(1, 40) / 8, "lambda": r.random() * 3,
                       "int": float(r.randint(-3, 3))} for _ in range(6)]
            compared += judge(head + "numeric x = " + expression(r, 3) + "\n", "x", "x", points, folder, m, texts)
        # Processes, by the names of their results; random ones by their means.
        points = [{"n": float(r.randint(1, 9)), "P": float(r.randint(1, 6)), "t": r.randint(1, 40) / 8} for _ in range(8)]
        for m, body in enumerate(["par (p = 1, P) seq (i = 1, n) { delay(t); use(fcfs(0, 1), 2) }",
                                  "seq (i = 1, n) { if (i mod 3 == 0) delay(t) else use(fcfs(i, 2), i) }",
                                  "seq (i = 1, n) delay(exponential(t) + uniform(0, P)); if (0.25) delay(2 * t)"]):
            compared += judge("numeric parameter n >= 0\nnumeric parameter P >= 1\nnumeric parameter t\nprocess main = " + body + "\n", "main", "T_main",
                              points, folder, f"p{m}", texts)
        alls = "".join(c["latex"] for c in texts)
        for word in (r"\frac", r"\sum_", r"\max", r"\bmod", r"\lfloor", r"\begin{cases}", r"\sqrt", r"\gcd", r"\le"):
            if word not in alls:
                sys.exit(f"no {word} in any LaTeX")
    if compared < 4 * count:
        sys.exit(f"only {compared} points could be compared")
    print(f"{count + 3} models: C and Python have the values of eval at {compared} points; LaTeX is balanced")


main()
