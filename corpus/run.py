#!/usr/bin/env python3
"""Runs the cases of one corpus program and looks at exit status, standard output and time. It knows
nothing about records: programs built with the flag are told to record nothing.

run.py measure NAME PROG INPUTS OUT.tsv   instructions:u (when perf works) and user ms per case
run.py digest  NAME PROG INPUTS           one sha256 over (id, exit status, standard output) of all cases
run.py check   NAME PROG INPUTS EXPECTED.tsv N SEED
run.py compare NAME PROG PROG2 INPUTS     one line per case whose exit status or output differs, then a count
run.py summary MEASURE.tsv...             the summary lines again
"""
import hashlib, os, shlex, subprocess, sys, tempfile, time

# A case may run longer under instrumentation; QC_TIMEOUT in seconds.
TIMEOUT = float(os.environ.get("QC_TIMEOUT", "120"))


def cases(folder):
    with open(os.path.join(folder, "cases.tsv")) as f:
        for line in f:
            cid, stdin, args, params = line.rstrip("\n").split("\t")
            yield cid, stdin, shlex.split(args), params


def environment():
    env = dict(os.environ)
    env.update(LC_ALL="C", TZ="UTC", QUINCUNX_OUT="")
    env.setdefault("OMP_NUM_THREADS", "2")
    for k in ("CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS", "LIBS"):
        env.pop(k, None)
    return env


def run(prog, folder, stdin, args, perf=None):
    cmd = [prog] + args
    if perf:
        cmd = ["perf", "stat", "-x,", "-e", "instructions:u", "-o", perf, "--"] + cmd
    inp = open(os.path.join(folder, stdin), "rb") if stdin != "-" else subprocess.DEVNULL
    t0 = time.monotonic()
    with tempfile.TemporaryFile() as out:
        p = subprocess.Popen(cmd, cwd=folder, stdin=inp, stdout=out, stderr=subprocess.DEVNULL, env=environment())
        deadline = t0 + TIMEOUT
        while True:
            pid, status, ru = os.wait4(p.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                p.kill()
                _, status, ru = os.wait4(p.pid, 0)
                break
            time.sleep(0.0005)
        p.returncode = rc = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - t0
        out.seek(0)
        sha = hashlib.sha256(out.read()).hexdigest()
    if stdin != "-":
        inp.close()
    return rc, sha, ru.ru_utime * 1e3, wall * 1e3


def digest(prog, folder):
    h = hashlib.sha256()
    bad = 0
    for cid, stdin, args, _ in cases(folder):
        rc, sha, _, _ = run(prog, folder, stdin, args)
        bad += rc < 0
        h.update(f"{cid} {rc} {sha}\n".encode())
    return h.hexdigest(), bad


def have_perf():
    try:
        r = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"], capture_output=True, text=True)
        return "instructions" in r.stderr and "<not" not in r.stderr
    except OSError:
        return False


def quantile(v, q):
    v = sorted(v)
    x = q * (len(v) - 1)
    i = int(x)
    return v[i] + (x - i) * (v[min(i + 1, len(v) - 1)] - v[i])


def shape(v):
    """A rough word: moments and gaps of log10(value)."""
    import math
    n = len(v)
    if n < 8 or max(v) <= 0:
        return "?"
    x = sorted(math.log10(max(a, 1e-9)) for a in v)
    m = sum(x) / n
    s2 = sum((a - m) ** 2 for a in x) / n
    if s2 < 1e-6:
        return "near constant"
    # histogram modes: 12 bins between p1 and p99 of log10, smoothed [1 2 1]
    lo, hi = quantile(x, .01), quantile(x, .99)
    k = 12
    h = [0.0] * k
    for a in x:
        h[min(k - 1, max(0, int((a - lo) / (hi - lo + 1e-12) * k)))] += 1
    g = [(h[max(i - 1, 0)] + 2 * h[i] + h[min(i + 1, k - 1)]) / 4 for i in range(k)]
    peaks = []
    for i in range(k):
        if g[i] >= 0.25 * max(g) and all(g[i] >= g[j] for j in (i - 1, i + 1) if 0 <= j < k):
            if not peaks or min(g[peaks[-1]:i + 1]) < 0.6 * min(g[peaks[-1]], g[i]):
                peaks.append(i)
            elif g[i] > g[peaks[-1]]:
                peaks[-1] = i
    mv = sum(v) / n
    sv = (sum((a - mv) ** 2 for a in v) / n) ** .5
    skew = sum((a - mv) ** 3 for a in v) / n / sv ** 3 if sv else 0
    word = {1: "unimodal", 2: "bimodal"}.get(len(peaks), "multimodal")
    if skew > 1:
        word += ", right-skewed" if skew < 4 else ", heavy right tail"
    elif skew < -1:
        word += ", left-skewed"
    return f"{word} (skew {skew:.1f})"


def summary(name, rows):
    ins = [r[0] for r in rows if r[0] > 0]
    v, unit, scale = (ins, "Minstr", 1e6) if len(ins) == len(rows) else ([r[1] for r in rows], "user-ms", 1)
    w = [r[2] for r in rows]
    q = [min(v), quantile(v, .5), quantile(v, .99), max(v)]
    print("%s: n=%d %s min/median/p99/max %s | wall-ms median %.1f max %.1f | %s" % (
        name, len(rows), unit, " / ".join("%.4g" % (a / scale) for a in q), quantile(w, .5), max(w), shape(v)))


def main(a):
    if a[0] == "summary":
        for f in a[1:]:
            rows = [l.rstrip("\n").split("\t") for l in open(f)][1:]
            summary(rows[0][0], [(float(r[2]), float(r[3]), float(r[4])) for r in rows])
        return 0
    if a[0] == "compare":
        name, prog, prog2, folder = a[1:5]
        n = bad = 0
        for cid, stdin, args, params in cases(folder):
            x = run(prog, folder, stdin, args)
            y = run(prog2, folder, stdin, args)
            n += 1
            if x[:2] != y[:2]:
                bad += 1
                print(f"MISMATCH program {name} case {cid} status {x[0]} / {y[0]} output {x[1][:12]} / {y[1][:12]} {params}")
        print(f"COMPARED {name} {n} {bad}")
        return 1 if bad else 0
    mode, name, prog, folder = a[:4]
    if mode == "digest":
        d, bad = digest(prog, folder)
        print(f"{name}\t{d}\tkilled={bad}")
        return 1 if bad else 0
    if mode == "check":
        n, seed = a[5], a[6]
        want = None
        if os.path.exists(a[4]):
            for l in open(a[4]):
                f = l.rstrip("\n").split("\t")
                if f[:3] == [name, n, seed]:
                    want = f[3]
        d, bad = digest(prog, folder)
        if want is None:
            print(f"{name}: N={n} SEED={seed} digest {d}, nothing to compare with")
            return 0
        ok = d == want and not bad
        print(f"{name}: {'ok' if ok else 'MISMATCH'} N={n} SEED={seed} digest {d}" + ("" if ok else f" wanted {want}, killed={bad}"))
        return 0 if ok else 1
    if mode == "measure":
        rows = []
        perf = tempfile.NamedTemporaryFile() if have_perf() else None
        with open(a[4], "w") as o:
            o.write("name\tid\tinstructions\tuser_ms\twall_ms\trc\tsha256\tparams\n")
            for cid, stdin, args, params in cases(folder):
                rc, sha, ut, wall = run(prog, folder, stdin, args)
                ins = 0
                if perf:  # a run of its own: perf's exit status is not always the program's
                    run(prog, folder, stdin, args, perf.name)
                    for l in open(perf.name):
                        if "instructions" in l and l[0].isdigit():
                            ins = int(l.split(",")[0])
                rows.append((ins, ut, wall))
                o.write(f"{name}\t{cid}\t{ins}\t{ut:.3f}\t{wall:.3f}\t{rc}\t{sha}\t{params}\n")
        summary(name, rows)
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
