#!/usr/bin/env python3
"""Confirms on programs of corpus/ that what quincunx explain names for the tail is its cause.

    explain_causes.py [NAME...]     needs what corpus/ needs; N (200) inputs, QC_WORK as in corpus/lib.sh

Each program is profiled over its inputs, and explain says which function makes most of the difference between the tail and the
other runs. Then the inputs of the tail alone are changed so that they do not ask for what it named, and are profiled again; and
once more changed in another way, of the same extent, that has nothing to do with it:

    minigzip   named: the search for matches.             changed: level 1, which hardly searches.  else: the bytes in reverse
    mujs       named: the lookup of properties.            changed: no array, variables local.       else: no array
    lua        named: the interpreter, at a multiplication. changed: 2 rounds of that loop, not 40.   else: another random seed

(Scripts of mujs are global code, where a variable is a property as well: without the array lookups are as many as before.)
With the change seven tenths at least of the excess of the named function must be gone, and of the excess of the tail seven
tenths of the share that explain gave it; with the other change seven tenths of both must remain. It prints all figures; status 1
when one is not as said."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
build = os.environ.get("BUILD", os.path.join(root, "build/default"))
quincunx = os.path.join(build, "bin/quincunx")
environment = dict(os.environ, N=os.environ.get("N", "200"), TAG="explain", LC_ALL="C", TZ="UTC", QUINCUNX_OUT="")
removed, kept = 0.3, 0.7  # of an excess: what may remain, and what must


def rewritten(pattern, replacement):
    def change(path, arguments):
        with open(path, encoding="latin-1") as f:
            text = f.read()
        with open(path, "w", encoding="latin-1") as f:
            f.write(re.sub(pattern, replacement, text))
        return arguments
    return change


def scalars(path, arguments):
    """The rounds of every loop stay; only no element of the array is read or written."""
    rewritten(r"if\(s\[i\]\)", "if(1)")(path, arguments)
    return rewritten(r"s\[[ij]\]", "s")(path, arguments)


def local_scalars(path, arguments):
    rewritten(r"(?s)\A(.*)\Z", r"(function(){\1})();")(path, arguments)
    return scalars(path, arguments)


def backwards(path, arguments):
    with open(path, "rb") as f:
        data = f.read()
    with open(path, "wb") as f:
        f.write(data[::-1])
    return arguments


# The file that is changed ends so; how the cause is taken away; how it is left.
programs = {
    "minigzip": (".in", lambda path, arguments: re.sub(r"-[2-9]", "-1", arguments), backwards),
    "mujs": (".js", local_scalars, scalars),
    "lua": (".lua", rewritten(r"k<40", "k<2"), rewritten(r"local x=\d+", "local x=4711")),
}


def script(name, step):
    config = os.path.join(build, "lib/quincunx/quincunx.cfg")
    flags = dict(environment, CC=f"clang-22 --config={config}", CXX=f"clang++-22 --config={config}", CFLAGS="-O2 -g")
    return subprocess.run(["sh", os.path.join(root, "corpus", name + ".sh"), step], env=flags, check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def record(program, cases, corpus):
    subprocess.run([quincunx, "run", "-q", "--machine", "none", "-j", os.environ.get("JOBS", "2"), "--timeout", "300", "-o", corpus, "--cases", cases,
                    "--", program], env={k: v for k, v in environment.items() if k != "QUINCUNX_OUT"}, check=True)


def told(verb, corpus):
    return json.loads(subprocess.run([quincunx, verb, "--json", corpus], check=True, capture_output=True, text=True).stdout)


def again(name, program, inputs, labels, change, folder):
    """Mean cost per run of the program and of its functions, over the changed inputs with these labels."""
    os.mkdir(folder)
    with open(os.path.join(inputs, "cases.tsv")) as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    cases = os.path.join(folder, "cases.tsv")
    with open(cases, "w") as out:
        for label, standard_input, arguments, parameters in rows:
            if label not in labels:
                continue
            for file in os.listdir(inputs):
                if file.startswith(label + "."):
                    shutil.copy(os.path.join(inputs, file), folder)
            arguments = change(os.path.join(folder, label + programs[name][0]), arguments)
            out.write("\t".join([label, standard_input, arguments, parameters]) + "\n")
    record(program, cases, os.path.join(folder, "again.qx"))
    report = told("report", os.path.join(folder, "again.qx"))
    return report["program"]["mean"], {f["name"]: f["cost"]["mean"] for f in report["functions"]}


def confirm(name, work):
    for step in ("build", "inputs"):
        script(name, step)
    program, inputs = script(name, "path").rstrip("\n").split("\t")
    corpus = os.path.join(work, name + ".qx")
    record(program, os.path.join(inputs, "cases.tsv"), corpus)
    tail = told("explain", corpus)["tail"]
    named = tail["functions"][0]
    line = tail["lines"][0]
    labels = {r["label"] for r in tail["runs"]}
    print(f"{name}: the {len(labels)} costliest runs cost {tail['cost'][0]:.4g}, the others {tail['cost'][1]:.4g}; explain names "
          f"{named['name']} ({named['share']:.1%} of the difference), line {os.path.basename(line['file'])}:{line['line']}")
    good = True
    for text, change, least in (("without the cause", programs[name][1], None), ("with another change", programs[name][2], kept)):
        cost, functions = again(name, program, inputs, labels, change, os.path.join(work, name + "-" + text.split()[0]))

        def left(now, before):
            return (now - before[1]) / (before[0] - before[1])

        whole, part = left(cost, tail["cost"]), left(functions.get(named["name"], 0), named["cost"])
        if least is None:
            fine = part <= removed and whole <= 1 - kept * named["share"]
            wanted = f"at most {removed:.0%}, {1 - kept * named['share']:.1%}"
        else:
            fine = part >= least and whole >= least
            wanted = f"at least {least:.0%}, {least:.0%}"
        good = good and fine
        print(f"  {'ok  ' if fine else 'FAIL'} {text}: {part:.1%} of the excess of {named['name']} and {whole:.1%} of the tail's are left "
              f"({wanted}); mean cost {cost:.4g}", flush=True)
    return good


def main(names):
    unknown = set(names) - set(programs)
    if unknown:
        print(f"explain_causes.py: error: nothing is known of {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as work:
        results = [confirm(name, work) for name in names or programs]
    print(f"explain_causes.py: {sum(results)} of {len(results)} confirmed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
