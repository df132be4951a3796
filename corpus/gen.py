#!/usr/bin/env python3
"""Writes the inputs of one corpus program: gen.py NAME FOLDER N SEED [SCALE]. It does not run anything, and
its sizes and kinds are chosen to spread running time, not to be what people really use. SCALE (1) multiplies
sizes, for those who want longer runs.

Every case is drawn from random.Random("NAME:SEED:i"), so case i does not
depend on N. Writes data files and cases.tsv (see lib.sh) to FOLDER.
"""
import array, math, os, random, shlex, struct, sys

from snippets import JS, LUA, LUA_DEEP, LUA_HEAD, SQL, SQL_ALONE, SQL_INDEX, SQL_PAIRS, SQL_TABLES

VOCAB_RNG = random.Random("vocabulary")
VOCAB = ["".join(VOCAB_RNG.choice("etaoinshrdlucmfwypvbgkqjxz") if VOCAB_RNG.random() < .2 else
                 VOCAB_RNG.choice("etaoinshrdlu") for _ in range(VOCAB_RNG.randint(2, 11))) for _ in range(3000)]
ZIPF = [1 / (i + 3) for i in range(len(VOCAB))]
CUM = []
_t = 0
for _z in ZIPF:
    _t += _z
    CUM.append(_t)


def words(r, n):
    return r.choices(VOCAB, cum_weights=CUM, k=n)


SCALE = 1.0


def lognormal(r, median, sigma, lo, hi):
    return int(min(hi * SCALE, max(lo, SCALE * r.lognormvariate(math.log(median), sigma))))


def blob(r, kind, size):
    if kind == "random":
        return r.randbytes(size)
    if kind == "text":
        out, n = [], 0
        while n < size:
            s = " ".join(words(r, r.randint(5, 25))) + ".\n"
            out.append(s)
            n += len(s)
        return "".join(out).encode()[:size]
    if kind == "records":
        out, n, t = [], 0, 10**6
        while n < size:
            t += r.randint(1, 90)
            s = "%d,%s,%s,%.2f,%d\n" % (t, r.choice(VOCAB[:60]), r.choice(("ok", "ok", "ok", "late", "fail")),
                                        r.gauss(100, 15), r.getrandbits(12))
            out.append(s)
            n += len(s)
        return "".join(out).encode()[:size]
    if kind == "periodic":
        p = r.randbytes(r.choice((1, 2, 3, 7, 30, 200)))
        return (p * (size // len(p) + 1))[:size]
    if kind == "skewed":
        k = r.randint(2, 40)
        return bytes(r.choices(range(k), weights=[2.0 ** -(i / 3) for i in range(k)], k=size))
    if kind == "mixed":
        out = b""
        while len(out) < size:
            out += blob(r, r.choice(("random", "text", "records", "periodic", "skewed")), size // r.randint(2, 6) + 1)
        return out[:size]
    raise ValueError(kind)


KINDS = ("random", "text", "text", "records", "records", "periodic", "skewed", "mixed")


class Out:
    def __init__(self, folder):
        self.folder = folder
        self.rows = []

    def file(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        return name

    def case(self, i, stdin, args, **params):
        self.rows.append("%04d\t%s\t%s\t%s\n" % (i, stdin, " ".join(shlex.quote(str(a)) for a in args),
                                                 " ".join(f"{k}={v}" for k, v in params.items())))

    def close(self):
        with open(os.path.join(self.folder, "cases.tsv"), "w") as f:
            f.writelines(self.rows)


def ncompress(r, i, o):
    kind, size, bits = r.choice(KINDS), lognormal(r, 120e3, .9, 1000, 1.5e6), r.choice((10, 12, 14, 16, 16, 16))
    f = o.file(f"{i:04d}.in", blob(r, kind, size))
    o.case(i, f, ["-c", "-b", bits], kind=kind, size=size, bits=bits)


def bzip2(r, i, o):
    kind, size, level = r.choice(KINDS), lognormal(r, 90e3, .9, 1000, 1.2e6), r.choice((1, 6, 9))
    f = o.file(f"{i:04d}.in", blob(r, kind, size))
    o.case(i, f, ["-c", f"-{level}"], kind=kind, size=size, level=level)


def pbzip2(r, i, o):
    kind, size = r.choice(KINDS), lognormal(r, 300e3, .8, 5000, 2e6)
    f = o.file(f"{i:04d}.in", blob(r, kind, size))
    o.case(i, f, ["-c", "-p2", "-b1", "-q"], kind=kind, size=size)


def minigzip(r, i, o):
    kind, size = r.choice(KINDS), lognormal(r, 150e3, .9, 1000, 1.5e6)
    data = blob(r, kind, size)
    if r.random() < .3:
        import zlib
        c = zlib.compressobj(6, zlib.DEFLATED, 31)
        f = o.file(f"{i:04d}.gz", c.compress(data) + c.flush())
        o.case(i, f, ["-d"], kind=kind, size=size, mode="inflate")
    else:
        level = r.choice((1, 3, 6, 6, 9))
        f = o.file(f"{i:04d}.in", data)
        o.case(i, f, [f"-{level}"], kind=kind, size=size, mode=level)


PATTERNS = [
    ("suffix", r"\b\w+ion\b"), ("repeat", r"\b(\w+)\s+\1\b"), ("alt", r"(cat|dog|tin|sole|real|nest)s?\b"),
    ("look", r"^(?=.*tin)(?=.*so)(?!.*xy).*es"), ("lazy", r"o.*?n.*?i.*?s$"), ("nested", r"^(?:[a-z]+[ .]?)+[0-9]$"),
    ("class", r"[aeiou]{3,}[^aeiou ]{2,}"), ("expo", r"^(a+)+$"), ("poly", r"^.*e.*e.*e.*e.*q$"),
    ("rec", r"(\((?:[^()]|(?1))*\))"), ("case", r"(?i)THE[a-z]*\s+IN"), ("anchored", r"^in .*\.$"),
]


def pcre2grep(r, i, o):
    name, pat = r.choice(PATTERNS)
    lines = lognormal(r, 400, .9, 10, 8000)
    text = []
    for _ in range(lines):
        k = r.random()
        if k < .1:
            d, s = 0, ""
            for _ in range(r.randint(4, 60)):
                c = r.choice("()ab")
                d += (c == "(") - (c == ")")
                s += c
            text.append(s + ")" * max(0, d))
        else:
            text.append(" ".join(words(r, r.randint(2, 14))) + r.choice((".", "", "!")))
    if name == "expo":
        text = text[:20] + ["a" * r.randint(8, 17) + "!" for _ in range(r.randint(1, 12))]
    f = o.file(f"{i:04d}.txt", "\n".join(text) + "\n")
    o.case(i, "-", ["--match-limit=400000", "-c", pat, f], pattern=name, lines=len(text))


def json_doc(r, n):
    import json
    rows = []
    for _ in range(n):
        d = {"k": r.choice(VOCAB[:12]), "v": r.randint(0, 999), "x": round(r.gauss(0, 5), 3), "name": " ".join(words(r, r.randint(1, 4)))}
        if r.random() < .6:
            d["tags"] = words(r, r.randint(0, 6))
        else:
            d["tags"] = []
        if r.random() < .3:
            t = {"leaf": r.randint(0, 9)}
            for _ in range(r.randint(1, 8)):
                t = {"n": t, "w": [r.randint(0, 9)] * r.randint(0, 3)}
            d["tree"] = t
        rows.append(d)
    return json.dumps(rows)


FILTERS = [
    ("sum", "[.[].v]|add"), ("group", "group_by(.k)|map({k:.[0].k,n:length,m:(map(.v)|max)})"), ("sort", "sort_by(.x)|.[0:3]"),
    ("walk", "[recurse]|length"), ("select", "map(select(.v>500)|.name|ascii_upcase)|length"),
    ("uniq", "[.[]|.tags[]]|unique|length"), ("reduce", "reduce .[] as $d ({}; .[$d.k]+=$d.v)"),
    ("round", "tojson|fromjson|length"), ("paths", "[paths]|length"), ("try", "[.[]|try (.tree.n.n.leaf|error) catch -1]|length"),
    ("join", ". as $d|[$d[0:60][]|.k as $k|$d[0:60][]|select(.k==$k)]|length"), ("print", "."),
]


def jq(r, i, o):
    n = lognormal(r, 1200, 1.0, 3, 12000)
    if r.random() < .2:
        k = r.randint(5, 20)
        o.case(i, "-", ["-n", f"def f: if . < 2 then . else (.-1|f)+(.-2|f) end; {k}|f"], filter="fib", n=k)
        return
    name, fl = r.choice(FILTERS)
    f = o.file(f"{i:04d}.json", json_doc(r, n))
    o.case(i, f, ["-c", fl], filter=name, n=n)


def ppm(r, kind, w, h):
    rows = []
    if kind == "noise":
        return b"P6\n%d %d\n255\n" % (w, h) + r.randbytes(w * h * 3)
    base = bytearray()
    for x in range(w):
        for c in range(3):
            base.append(int(127 + 60 * math.sin(x / (9 + 4 * c)) + 40 * math.sin(x / 31 + c)) & 255)
    if kind == "flat":
        base = bytearray([r.randrange(256), r.randrange(256), r.randrange(256)] * w)
    for y in range(h):
        s = int(30 * math.sin(y / 17) + 15 * math.sin(y / 5))
        if kind == "flat":
            s = 40 * (y * 4 // h)
        if kind == "checker" and (y // 8) % 2:
            s = 128
        row = bytes(base).translate(bytes((v + s) & 255 for v in range(256)))
        if kind == "textured":
            a = int.from_bytes(row, "big") ^ (int.from_bytes(r.randbytes(w * 3), "big") & int.from_bytes(b"\x1f" * (w * 3), "big"))
            row = a.to_bytes(w * 3, "big")
        rows.append(row)
    return b"P6\n%d %d\n255\n" % (w, h) + b"".join(rows)


def cjpeg(r, i, o):
    kind = r.choice(("noise", "smooth", "flat", "checker", "textured", "textured"))
    w, h = lognormal(r, 220, .6, 8, 900), lognormal(r, 220, .6, 8, 900)
    q = r.choice((20, 50, 75, 75, 90, 98))
    args = ["-quality", q]
    mode = r.choice(("base", "base", "opt", "prog", "gray", "float", "arith"))
    args += {"base": [], "opt": ["-optimize"], "prog": ["-progressive"], "gray": ["-grayscale"],
             "float": ["-dct", "float"], "arith": ["-arithmetic"]}[mode]
    f = o.file(f"{i:04d}.ppm", ppm(r, kind, w, h))
    o.case(i, f, args, kind=kind, w=w, h=h, quality=q, mode=mode)


def lame(r, i, o):
    rate = r.choice((16000, 22050, 32000, 44100))
    ch = r.choice((1, 2))
    n = int(SCALE * rate * min(1.2, max(.1, r.lognormvariate(math.log(.35), .5))))
    kind = r.choice(("tone", "noise", "silence", "clicks", "speechlike"))
    a = array.array("h")
    f0 = r.uniform(80, 2000)
    for t in range(n):
        if kind == "tone":
            v = 9000 * math.sin(6.2832 * f0 * t / rate)
        elif kind == "noise":
            v = r.gauss(0, 4000)
        elif kind == "silence":
            v = 0
        elif kind == "clicks":
            v = 20000 if t % 2205 < 3 else 20 * math.sin(t / 7)
        else:
            v = (6000 * math.sin(6.2832 * f0 * t / rate / 6) + r.gauss(0, 900)) * (1 + math.sin(t / (rate * .05)))
        v = max(-32000, min(32000, int(v)))
        for _ in range(ch):
            a.append(v)
    d = a.tobytes()
    wav = b"RIFF" + struct.pack("<I", 36 + len(d)) + b"WAVEfmt " + struct.pack(
        "<IHHIIHH", 16, 1, ch, rate, rate * ch * 2, ch * 2, 16) + b"data" + struct.pack("<I", len(d)) + d
    mode = r.choice((["-V", "2"], ["-V", "6"], ["-b", "64"], ["-b", "128"], ["-q", "7", "-b", "96"], ["-q", "0", "-V", "4"]))
    f = o.file(f"{i:04d}.wav", wav)
    o.case(i, "-", ["--quiet"] + mode + [f, "-"], kind=kind, rate=rate, channels=ch, samples=n, mode="".join(mode))


def minisat(r, i, o):
    kind = r.choice(("3sat", "3sat", "3sat", "php", "xor"))
    cl = []
    if kind == "3sat":
        n = int(SCALE * r.randint(60, 190))
        ratio = r.uniform(3.4, 5.0)
        for _ in range(int(n * ratio)):
            cl.append([v if r.random() < .5 else -v for v in r.sample(range(1, n + 1), 3)])
        p = dict(n=n, ratio="%.2f" % ratio)
    elif kind == "php":
        h = r.randint(4, 8)
        n = (h + 1) * h
        var = lambda a, b: a * h + b + 1
        cl = [[var(a, b) for b in range(h)] for a in range(h + 1)]
        cl += [[-var(a, b), -var(c, b)] for b in range(h) for a in range(h + 1) for c in range(a)]
        r.shuffle(cl)
        p = dict(n=n, holes=h)
    else:
        n = int(SCALE * r.randint(20, 60))
        for _ in range(int(n * r.uniform(.7, 1.05))):
            v = r.sample(range(1, n + 1), 3)
            par = r.randint(0, 1)
            for m in range(8):
                if bin(m).count("1") % 2 != par:
                    cl.append([-x if m >> j & 1 else x for j, x in enumerate(v)])
        p = dict(n=n)
    f = o.file(f"{i:04d}.cnf", "p cnf %d %d\n" % (n, len(cl)) + "".join(" ".join(map(str, c)) + " 0\n" for c in cl))
    o.case(i, "-", ["-verb=0", f, "/dev/stdout"], kind=kind, **p)


XPATHS = ["count(//*)", "//item[@id>50]", "//item[price>20]/name", "sum(//price)", "//item[position() mod 7 = 0]", "string(//item[last()]/name)",
          "//*[contains(., 'tin')]", "//item[../../@k]", "count(//item[name = //item[1]/name])", "//item[", "//a | //b | //name",
          "//item/following-sibling::item[1]", "//*[ancestor::b]", "concat(1, 'x', foo(", "//b[starts-with(@t, 's')]//name", "//item[not(@id)]"]


def pugixml(r, i, o):
    target = lognormal(r, 350, .9, 10, 2500)
    out, count = ['<?xml version="1.0"?>\n<root k="1">'], 0

    def node(depth):
        nonlocal count
        count += 1
        if depth > 5 or r.random() < .6:
            out.append('<item%s><name>%s</name><price>%.2f</price>%s</item>\n' % (
                ' id="%d"' % r.randint(1, 99) if r.random() < .8 else "", " ".join(words(r, 2)), r.uniform(1, 99),
                "<!-- c -->" if r.random() < .1 else "&amp;&lt;" if r.random() < .2 else ""))
            return
        t = r.choice("ab")
        out.append('<%s t="%s">' % (t, r.choice(VOCAB[:50])))
        for _ in range(r.randint(0, 6)):
            node(depth + 1)
        out.append("</%s>\n" % t)
    while count < target:
        node(0)
    out.append("</root>" if r.random() < .93 else "</roto>")
    f = o.file(f"{i:04d}.xml", "".join(out))
    qs = r.sample(XPATHS, r.randint(1, 6))
    q = o.file(f"{i:04d}.xpath", "\n".join(qs) + "\n")
    o.case(i, "-", [f, q], nodes=count, queries=len(qs))


def fasttree(r, i, o):
    n, ln = lognormal(r, 15, .5, 5, 50), lognormal(r, 100, .5, 30, 350)
    rate = r.uniform(.01, .25)
    seqs = ["".join(r.choice("ACGT") for _ in range(ln))]
    while len(seqs) < n:
        p = r.choice(seqs)
        seqs.append("".join(r.choice("ACGT-") if r.random() < rate else c for c in p))
    f = o.file(f"{i:04d}.fa", "".join(f">s{j}\n{s}\n" for j, s in enumerate(seqs)))
    model = r.choice(([], ["-gtr"], ["-noml"], ["-fastest"]))
    o.case(i, "-", ["-nt", "-quiet", "-nopr", "-seed", 7] + model + [f], seqs=n, length=ln, rate="%.3f" % rate, model="".join(model) or "jc")


def mujs(r, i, o):
    k = r.choice(list(JS) + ["fib", "ack", "json"])
    if k == "fib":
        n = r.randint(8, 20)
        s = "function f(n){return n<2?n:f(n-1)+f(n-2)}print(f(%d));" % n
    elif k == "ack":
        n = r.randint(1, 60)
        s = "function a(m,n){return m==0?n+1:n==0?a(m-1,1):a(m-1,a(m,n-1))}print(a(1,%d)+a(2,%d));" % (n, n // 8)
    elif k == "json":
        n = lognormal(r, 120, .9, 5, 1500)
        s = "var d=" + json_doc(r, n) + ";var t=JSON.stringify(d);var e=JSON.parse(t);var c=0;for(var i=0;i<e.length;i++)c+=e[i].tags.length;print(c,t.length);"
    else:
        n = lognormal(r, 1500, .9, 20, 20000)
        s = JS[k] % (r.randint(1, 10**6), n)
    f = o.file(f"{i:04d}.js", s + "\n")
    o.case(i, "-", [f], kind=k, n=n)


def qconvex(r, i, o):
    d = r.choice((2, 2, 3, 3, 3, 4, 5))
    n = lognormal(r, {2: 4000, 3: 1500, 4: 250, 5: 80}[d], .8, d + 2, {2: 30000, 3: 12000, 4: 1500, 5: 300}[d])
    kind = r.choice(("cube", "sphere", "gauss", "lattice"))
    pts = []
    for _ in range(n):
        if kind == "cube":
            p = [r.random() for _ in range(d)]
        elif kind == "lattice":
            p = [r.randint(0, 6) for _ in range(d)]
        else:
            p = [r.gauss(0, 1) for _ in range(d)]
            if kind == "sphere":
                s = math.sqrt(sum(v * v for v in p))
                p = [v / s for v in p]
        pts.append(" ".join("%.6f" % v for v in p))
    f = o.file(f"{i:04d}.pts", "%d\n%d\n" % (d, n) + "\n".join(pts) + "\n")
    o.case(i, f, ["Fx"], dim=d, points=n, kind=kind)


def lua(r, i, o):
    kind = r.choice(list(LUA) + list(LUA_DEEP))
    stdin = "-"
    if kind in LUA_DEEP:
        n = r.randint(4, 8) if kind == "queens" else r.randint(6, 22)
        s = LUA_DEEP[kind] % {"n": n}
    else:
        n = lognormal(r, 5000, 1.0, 20, 100000)
        s = (LUA_HEAD + LUA[kind]) % {"seed": r.randint(1, 10**6), "n": n}
        if kind == "patterns":
            stdin = o.file(f"{i:04d}.txt", blob(r, "text", 4 * n))
    f = o.file(f"{i:04d}.lua", s + "\n")
    o.case(i, stdin, [f], kind=kind, n=n)


def sql_alone(r):
    kind = r.choice(list(SQL_ALONE))
    n = lognormal(r, 80, .9, 20, 400) if kind == "tree" else lognormal(r, 3000, .9, 20, 40000)
    return SQL_ALONE[kind] % {"seed": r.randint(1, 10**6), "n": n}, dict(kind=kind, n=n)


def sql_tables(r):
    index, whole, pairs = r.random() < .5, r.random() < .6, r.random() < .4
    kinds = r.sample(list(SQL) + (2 * list(SQL_PAIRS) if pairs else []), r.randint(1, 5))
    n = lognormal(r, 500, 1.1, 5, 1500 if pairs and not index else 10000)
    rows = ["(%d,%d,%d,'%s')" % (m, r.randint(0, 40), r.randint(0, 999), " ".join(words(r, r.randint(1, 3)))) for m in range(n)]
    s = SQL_TABLES + (SQL_INDEX if index else "pragma automatic_index = off;\n") + ("begin;\n" if whole else "")
    for j in range(0, n, 20):
        s += "insert into a values" + ",".join(rows[j:j + 20]) + ";\n"
    for m in range(n // 3 if pairs else 0):
        s += "insert into b values(%d,%d,%d);\n" % (m, r.randint(0, 60), r.randint(0, 999))
    s += "commit;\n" if whole else ""
    for kind in kinds:
        s += (SQL | SQL_PAIRS)[kind] % {"k": r.randint(0, 40)} + "\n"
    return s, dict(kind="+".join(kinds), n=n, index=int(index))


def sqlite3(r, i, o):
    s, params = sql_alone(r) if r.random() < .2 else sql_tables(r)
    f = o.file(f"{i:04d}.sql", s + "\n")
    o.case(i, f, ["-batch", "-init", "/dev/null", ":memory:"], **params)


if __name__ == "__main__":
    name, folder, n, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    SCALE = float(sys.argv[5]) if len(sys.argv) > 5 else 1.0
    out = Out(folder)
    for idx in range(n):
        globals()[name](random.Random(f"{name}:{seed}:{idx}"), idx, out)
    out.close()
