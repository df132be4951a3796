#!/usr/bin/env python3
"""Pages of real programs, and of a large made-up one, as a browser shows them.

    test/pages/judge.py [--synthetic N] [NAME...]

Programs of corpus/ are built with the flag and run over N (20) of their inputs; --synthetic: also a made-up program of N functions with N runs
(bench/make_corpus.cpp, in build/bench). Each gets its page, of at most 30 MB, which page.py looks at; the slider is the
first one of a function. Without a browser it says so and passes."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
build = os.path.abspath(os.environ.get("BUILD") or os.path.join(root, "build/default"))
quincunx, config = os.path.join(build, "bin/quincunx"), os.path.join(build, "lib/quincunx/quincunx.cfg")
largest = 30_000_000
os.environ["QUINCUNX_MACHINE"] = "none"


def recorded(name, folder):
    """A corpus of a program's inputs."""
    env = dict(os.environ, TAG="page", N=os.environ.get("N", "20"), SEED="1", QUINCUNX_OUT="",
               CC=f"clang-22 --config={config} -g", CXX=f"clang++-22 --config={config} -g")

    def script(step):
        return subprocess.run(["sh", os.path.join(root, "corpus", name + ".sh"), step], env=env, check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    script("build")
    script("inputs")
    program, inputs = script("path").strip().split("\t")
    corpus = os.path.join(folder, name + ".qx")
    del env["QUINCUNX_OUT"]
    subprocess.run([quincunx, "run", "-q", "-o", corpus, "--cases", "cases.tsv", "--", program], cwd=inputs, env=env, check=True, stdout=subprocess.DEVNULL)
    return corpus


def made_up(size, folder):
    at = os.path.join(root, "build/bench")
    with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
        for words in (["-S", root, "-B", at, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DQUINCUNX_LLVM=none", "-DQUINCUNX_TESTS=OFF", "-DQUINCUNX_BENCH=ON"],
                      ["--build", at, "--target", "make_corpus"]):
            subprocess.run(["cmake", *words], check=True, stdout=log)
    corpus = os.path.join(folder, "synthetic.qx")
    subprocess.run([os.path.join(at, "bench/make_corpus"), corpus, str(size), str(size), "related"], check=True)
    return corpus


def first_slider(page):
    """The function whose slider stands first: it makes most of mean, spread or tail."""
    with open(page, encoding="utf-8") as f:
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', f.read(), re.S).group(1))
    return next(c["name"] for c in data["columns"] if not c.get("isPrice") and "(" not in c["name"])


def judge(name, corpus):
    page = corpus[:-2] + "html"
    subprocess.run([quincunx, "html", "-o", page, corpus], check=True, stdout=subprocess.DEVNULL)
    size = os.path.getsize(page)
    looked = subprocess.run([sys.executable, os.path.join(here, "page.py"), quincunx, page, corpus, first_slider(page), "0.25"], text=True, stdout=subprocess.PIPE)
    for line in looked.stdout.splitlines():
        if not line.startswith("ok"):
            print(f"{name}: {line.strip()}")
    print(f"{name}: {size / 1e6:.2f} MB, {looked.stdout.count('ok ')} checks")
    return looked.returncode == 0 and size <= largest


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--synthetic", type=int)
    options.add_argument("names", nargs="*")
    o = options.parse_args()
    sys.path.insert(0, here)
    import browser
    if not browser.Browser.name:
        print("no browser is here")
        return 0
    with tempfile.TemporaryDirectory(prefix="quincunx-pages-") as folder:
        good = [judge(name, recorded(name, folder)) for name in o.names]
        if o.synthetic:
            good.append(judge("synthetic", made_up(o.synthetic, folder)))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
