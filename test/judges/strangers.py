#!/usr/bin/env python3
"""Files of strangers: what they may make the tool print, and how much memory they may make it take.

    strangers.py [--full] [--only REGEX] [--keep FOLDER]

Makes a corpus of a program with everything recorded, in which all texts are such as nobody means well with: names of functions,
sources, requests and features, labels, arguments, paths, facts, the machine, what a program says when it fails. Once they hold control and
format characters and bytes that are not UTF-8, once they have megabytes (--full: fifty). Every verb is asked about it. It ends in time, with
status 0, or with 1 and one line. What it prints, on either stream, holds nothing that cannot be seen but ends of lines (and tabs,
between fields), and lines for people are no longer than `longest`. JSON is ASCII, and it and the dump give texts back whole.
Then files of which few bytes claim much: each is refused with one line, in no more memory than `mostMemory`.
Prints a line for each; status 1 when one is wrong. With --only questions and sizes of which the text has a match, in a folder that stays with --keep."""
import argparse
import concurrent.futures
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unicodedata

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../editor"))

from hostile import M, fold, header
from lsp_client import Client

longest = 16000  # a table of eight columns with as much in each as is shown of a sentence
mostMemory = 200 << 20  # that may be asked for; half of it were enough without these files
mostSeconds = 5  # of a processor, for any question (--full: four times that, of corpora of up to 300 MB)
limit = 8 << 30  # the same, of a verb that shows large texts

# Colours, a title, a bell; carriage return, backspace, DEL; C1; soft hyphen, marks, joins, overrides, isolates, separators, tags.
evil = ("\x1b[31m\x1b]0;title\x07\r\x08\x7f\x9b1m\x85\xad\u061c\u200b\u200d\u200e\u202e\u2066\u2028\ufeff\U000e0041é漢\\'").encode() + b"\xff\x9b\xc3"

program = rb"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "quincunx/quincunx.h"
__attribute__((noinline)) int tick(int x) __asm__("EVILtick");
__attribute__((noinline)) int tock(int x) __asm__("EVILtock");
__attribute__((noinline)) int serve(int n, int (*how)(int)) __asm__("EVILserve");
__attribute__((noinline)) int wide(int x) __asm__("PAIRS");
__attribute__((noinline)) int far(int x) __asm__("LONG");
#line 11 "EVILfile.c"
int tick(int x) { return x % 3 == 1 ? x * 2 : x + 1; }
int tock(int x) { return x * 7; }
int wide(int x) { return x * 5 + 1; }
int far(int x) { return x % 2 ? wide(x) : tick(x); }
QUINCUNX_REQUEST int serve(int n, int (*how)(int)) {
  int x = 0;
  quincunx_feature("EVILmany", n);
  for (int i = 0; i < n; ++i)
    x = how(x) & 255;
  return x;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0, x = 0;
  if (n == 13) {
    static char said[LARGE];
    memset(said, 'x', sizeof said);
    fputs("EVIL", stderr);
    fwrite(said, 1, sizeof said, stderr);
    fputs("EVIL\n", stderr);
    return 3;
  }
  for (int i = 0; i < 3; ++i)
    x += serve(n + i, n % 2 ? tick : tock) + far(i);
  printf("%d\n", x);
}
"""
# A function of pairs of pairs: 300 bytes of name that demangle to hundreds of gigabytes.
pairs = "_Z1f1a1pIS_S_E" + "".join(f"S0_IS{d}_S{d}_E" for d in "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")

# Where texts stand in a corpus.
places = {
    "Labels": "UPDATE run SET label = label || TEXT WHERE id <= RUNS; UPDATE timed SET label = label || TEXT WHERE id <= RUNS",
    "Arguments": "UPDATE run SET standard_input = TEXT, arguments = json_array(label, TEXT) WHERE id <= RUNS;"
                 "UPDATE timed SET standard_input = TEXT WHERE id <= RUNS",
    "Features": "INSERT INTO feature SELECT id, TEXT, id FROM run WHERE id <= RUNS",
    "Values": "INSERT OR REPLACE INTO text_feature SELECT id, 'colour', id % 2 || TEXT FROM run WHERE id <= RUNS",
    "Facts": "INSERT INTO fact VALUES(TEXT, TEXT); UPDATE fact SET value = value || TEXT WHERE name = 'command'",
    "Paths": "UPDATE image SET path = path || TEXT WHERE length(TEXT) < 1000; UPDATE map SET path = path || TEXT; UPDATE timed_program SET path = path || TEXT",
    "Machine": "UPDATE timed_program SET processor_model = TEXT; UPDATE calibration SET machine = 'name ' || replace(replace(TEXT, char(10), ''), '#', '') "
               "|| char(10) || 'unit ns' || replace(TEXT, char(10), '') || char(10) || substr(machine, instr(machine, 'construct'))",
}
# {c}: the corpus, ~: a blank in an argument. Those that change it get a copy.
verbs = """corpus ls {c}|corpus ls --json {c}|corpus show {c}|corpus show --json {c}|corpus check {c}|corpus check --json {c}|corpus dump {c}
corpus salvage {c} -o MADE|corpus merge MADE {c}|corpus scrub {c}|corpus rm {c} --label nothing|corpus rm {c} --run 0123456
report {c}|report --json {c}|report --top 0 --machine unit {c}|report --per call {c}|report --per call --json {c}
report --per request {c}|report --per request --json {c}|report --function tick {c}|report --function [ {c}
lsp {c}|lsp EVIL.qx|critical {c}|critical --json {c}|critical {c} EVIL|scale {c}|scale --json {c}|scale --threads 1..64:x2 {c}|scale --threads EVIL {c}|whatif {c} schedule(EVIL:1)=dynamic,4|whatif {c} threads=8|whatif {c} lock(EVIL:1)=none|whatif {c} join(thread~EVIL:1)=first|whatif {c} work(thread~EVIL:1)*=2|replay {c} EVIL|export callgrind {c}|export folded {c}|export speedscope {c}|export lcov {c}|export pprof {c}|export folded --for p50 {c}|export csv {c}|export csv --counters {c}|export gbench {c}|export openmetrics {c}|export hgrm {c}|export hlog {c}|export openmetrics --per request {c}|export hlog --per request {c}|export sampleprof {c}|export chrome --run EVIL {c}|export sampleprof --for p50 {c}|export folded --per request {c}
html -o MADE {c}|html --per request -o MADE {c}
explain {c}|explain --json {c}|explain --top 0 --machine unit {c}|explain --per request {c}
compare {c} {c}|compare --json {c} {c}|compare --top 0 --machine unit {c} {c}|compare {c}|compare {c} --against EVIL|corpus log {c}|corpus log --json {c}
annotate --force {c} EVILfile.c|annotate --force --json {c} EVILfile.c|annotate --machine unit {c} p.c|annotate {c} nowhere.c
model {c}|model --json {c}|model --summary {c}|model --pamela {c}|model --function tick {c}|model --function tick --json {c}|model --function main --json {c}
model --top 0 --machine unit {c}|model ./p|model --json ./p|validate {c}|validate --json {c}|validate --machine unit {c}
whatif {c} cost(EVILtick)*=2|whatif --json {c} cost(EVILtick)*=2|whatif {c} cost(main)*=2|whatif {c} cost(tik)*=2|whatif {c} machine=nosuch
whatif {c} mix(colour)=mix.txt|whatif {c} mix(EVILname)=mix.txt|whatif {c} mix(nosuch)=mix.txt|whatif {c} size(nosuch)*=2|whatif {c} p(branch~EVILfile.c:11)=0.5
whatif {c} trips(loop~EVILfile.c:18)*=2|calibrate {c}|check {c} mean(EVILtick)<3|check --github {c} mean~calls(tik)<3
check {c} mean(main)<=baseline --baseline {c}|check {c} p99<3~per~EVILname|check {c} growth(main)~per~EVILname<=n|check {c} EVIL|check --budget EVIL.pam {c}
check --junit /dev/stdout --sarif /dev/stdout --markdown /dev/stdout {c} max(EVILtick)<1|calibrate --json {c}|calibrate {c} -o MADE|report --machine EVIL.machine {c}
run --resume -o {c} -- ./p {} ::: 1 2 3|run --resume -o {c} -- ./nowhere {} ::: 77|run --resume -o {c} --ok-status 0 -- ./p {} EVIL ::: 13
run --resume --timed --repeat 1 -o {c} -- ./plain {} ::: 1|corpus add {c} EVIL.qxraw|EVIL|report --EVIL {c}|report EVIL.qx
eval EVIL.pam|eval --json EVIL.pam|eval --symbolic EVIL.pam|simulate EVIL.pam|fmt EVIL.pam|fmt --check EVIL.pam|eval good.pam -D EVIL=1|eval good.pam --target EVIL
eval good.pam --sweep EVIL=1..2|law fit --moments EVIL|law fit --moments 1,1,0,3 --family EVIL|law batch EVIL.jsonl""".replace("\n", "|").split("|")
changing = ("corpus salvage", "corpus merge", "corpus scrub", "corpus rm", "calibrate", "run", "corpus add")


def varint(n):
    out = b""
    while n >= 0x80:
        out, n = out + bytes([n & 0x7f | 0x80]), n >> 7
    return out + bytes([n])


def zstd(*parts):
    """A frame of bytes, and of (byte, how often): these take four bytes for each 128 kB."""
    blocks, size = [], 0
    for part in parts:
        content, n = part if isinstance(part, tuple) else (part, len(part))
        for at in range(0, n, 1 << 17):
            more = min(1 << 17, n - at)
            blocks.append((more << 3 | 2, content) if isinstance(part, tuple) else (more << 3, content[at:at + more]))
        size += n
    frame = struct.pack("<IBQ", 0xFD2FB528, 0xE0, size)
    for i, (kind, content) in enumerate(blocks):
        frame += struct.pack("<I", kind | (i + 1 == len(blocks)))[:3] + content
    return frame


def function(name=b"f", counters=0, words=0, names=(), blocks=varint(1) + bytes(4), calls=b"\0"):
    """The body of a function: one block unless `blocks` says more, which is entered, and calls."""
    table = varint(1 + len(names)) + b"".join(varint(len(n)) + n for n in (name, *names))
    scopes = b"\1" + bytes(6)
    entry = b"\1" + b"\1\0\1\0\0"
    return b"\x09" + table + b"\0\1" + varint(counters) + varint(words) + bytes(3) + scopes + blocks + entry + bytes(2) + calls + bytes(2)


def hash128(words, size):
    """The hash of maps (include/quincunx/abi/hash.h) of 8-byte words that hold `size` bytes."""
    a, b = 0x9E3779B97F4A7C15 ^ size, (0xD1B54A32D192ED03 + size) & M
    for w in words:
        a = (fold(a ^ w, 0xA0761D6478BD642F) + b) & M
        b = fold((b + w) & M, 0xE7037ED1A0B428DB) ^ (a >> 29)
    return fold(a ^ 0x8EBC6AF09C88C6E3, b | 1), fold(b ^ 0x589965CC75374CC3, a | 1)


def section(body, counters=0, words=0):
    """A map of one function, and its hash."""
    size = (48 + len(body) + 7) // 8 * 8
    low, high = hash128((int.from_bytes(body[at:at + 8], "little") for at in range(0, len(body), 8)), len(body))
    content = struct.pack("<IIqII2QII", 0x33465851, size, 0, counters, len(body), low, high, words, 0) + body + bytes(size - 48 - len(body))
    return content, "%016x%016x" % hash128((0, 0, low, high), size)


class Strangers:
    def __init__(self, build, folder, full=False, only=""):
        self.folder, self.full, self.only = folder, full, re.compile(only)
        self.tool, self.sql_tool = os.path.join(build, "bin/quincunx"), os.path.join(build, "bin/corpus_sql")
        self.config = os.environ.get("CFG", os.path.join(build, "lib/quincunx/quincunx.cfg"))
        self.large = 50 << 20 if full else 1 << 19
        self.wrong = 0

    def path(self, name):
        return os.path.join(os.fsencode(self.folder), name if isinstance(name, bytes) else name.encode())

    def write(self, name, content):
        with open(self.path(name), "wb") as f:
            f.write(content)

    def say(self, good, text):
        print("ok   " if good else "FAIL ", text, flush=True)
        self.wrong += not good

    def call(self, *words, most=limit, cpu=60):
        """Standard output, error, status and seconds."""
        def bounded():
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))  # of each thread
        began = time.monotonic()
        process = subprocess.Popen([self.tool, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=bounded, env=dict(os.environ, MALLOC_ARENA_MAX="2"))
        try:
            out, err = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
        return out, err, process.returncode, time.monotonic() - began

    def sql(self, corpus, text):
        subprocess.run([self.sql_tool, self.path(corpus), "-"], input=text.encode(), check=True)

    # ---- texts

    def build(self, name, text, *flags):
        self.write(name + ".c", text)
        done = subprocess.run(["clang-22", *flags, "-O1", "-g", "-o", name, name + ".c"], cwd=self.folder, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            raise SystemExit("strangers.py: error: " + done.stderr.decode(errors="replace"))

    def make(self):
        octal = b"".join(b"\\%03o" % c for c in evil)
        include = "-I" + os.path.join(os.path.dirname(self.config), "include")
        text = program.replace(b'#line 11 "EVIL', b'#line 11 "' + octal).replace(b"EVILmany", b"".join(b"\\%03o" % c for c in evil[:40]))
        text = text.replace(b"EVIL", octal).replace(b"PAIRS", pairs.encode()).replace(b"LONG", b"y" * 300000).replace(b"LARGE", b"%d" % self.large)
        self.build("p", text, f"--config={self.config}", "-fplugin-arg-quincunx-record=calls,runs", include)
        self.build("plain", text, include)
        for name in ("EVILfile.c", ):
            self.write(name.encode().replace(b"EVIL", evil), b"int a;" + evil + b"\n" + evil * 2000 + b"\n" * 30)
        for name in ("EVIL.pam", "EVIL.jsonl", "EVIL.qx", "EVIL.qxraw"):
            self.write(name.encode().replace(b"EVIL", evil), b"process main = " + evil + b"\n{}\n[[[[" + evil)
        self.write("EVIL.machine".encode().replace(b"EVIL", evil), b"add 1\n" + evil + b" 2\n")
        self.write("good.pam", b"numeric parameter N\nprocess main = delay(N)\n")
        self.write("mix.txt", evil + b"\t1\n")
        inputs = [str(n) for n in range(0, 60, 3)]
        out, err, status, _ = self.call("run", "-q", "--machine", "none", "-o", "c.qx", "--feature", b"colour={}" + evil[:60], "--", "./p", "{}", ":::", *inputs)
        assert status == 0, err
        out, err, status, _ = self.call("run", "-q", "-o", "c.qx", "--timed", "--repeat", "2", "--", "./plain", "{}", ":::", *inputs[:12])
        assert status == 0, err
        # Times by which a machine can be calibrated, however busy this one is: most is of printf and the start.
        self.sql("c.qx", "UPDATE repetition SET system = 0, user = 3.5e-3 + 1e-7 * round + "
                 "(SELECT 2e-7 * (CASE label % 2 WHEN 0 THEN 97 + 18 * label ELSE 115 + 36 * label END) FROM timed WHERE id = repetition.timed);"
                 "UPDATE start_up SET system = 0, user = 5e-4")
        out, err, status, _ = self.call("calibrate", "c.qx")
        assert status == 0, err
        self.texts("c.qx", "evil.qx", "CAST(x'%s' AS TEXT)" % evil.hex(), 1 << 30)
        self.corpora = ["evil.qx"]
        for what in places if self.full else [""]: # all at once would be a corpus of gigabytes
            self.corpora.append(f"large{what}.qx")
            self.texts("c.qx", self.corpora[-1], "replace(hex(zeroblob(%d)), '00', char(27) || 'x')" % (self.large // 2), 1, what)

    def texts(self, source, name, text, runs, what=""):
        """A copy in which `text` stands for, or behind, texts of so many runs: all, or `what`."""
        shutil.copy(self.path(source), self.path(name))
        self.sql(name, ";".join(places[p].replace("TEXT", text).replace("RUNS", str(runs)) for p in places if what in ("", p)))

    def unseen(self, data, tabs):
        """What it holds that a terminal should not be given."""
        try:
            text = data.decode()
        except UnicodeDecodeError as e:
            return f"byte {data[e.start]:#x} at {e.start}"
        for found in re.finditer(r"[^ -~\n]", text):
            c = found.group()
            if unicodedata.category(c) in ("Cc", "Cf", "Cn", "Cs", "Zl", "Zp") and not (c == "\t" and tabs):
                return f"U+{ord(c):04x} in {text[max(0, found.start() - 30):found.start()]!r}"
        return None

    def ask(self, number, corpus, verb):
        own = b"%d." % number
        words = [w.encode().replace(b"EVIL", evil).replace(b"~", b" ") for w in verb.split(" ")]
        if verb.startswith(changing):
            shutil.copy(self.path(corpus), self.path(own + b"qx"))
            words = [w.replace(b"{c}", own + b"qx") for w in words]
        words = [w.replace(b"{c}", corpus.encode()).replace(b"MADE", own + b"made") for w in words]
        out, err, status, seconds = self.call(*words, cpu=mostSeconds * (4 if self.full else 1))
        for made in (own + b"qx", own + b"made"):
            if os.path.exists(self.path(made)):
                os.remove(self.path(made))
        wrong = []
        if status not in (0, 1, 2, 3) or (status == 1 and err.count(b"error:") == 0) or (status == 2 and not err):
            wrong.append(f"status {status}: {err[:200]!r}")
        forPrograms = "--json" in verb or "speedscope" in verb or "chrome" in verb or "csv" in verb or "sampleprof" in verb or "lcov" in verb or "pprof" in verb or "openmetrics" in verb or "dump" in verb or "--summary" in verb or "batch" in verb
        for data, tabs in ((out, "dump" in verb or "--summary" in verb or verb.startswith("annotate")), (err, False)):
            isBinary = "pprof" in verb and data is out
            if found := not isBinary and self.unseen(data, tabs):
                wrong.append(found)
            most = max(map(len, data.split(b"\n")))
            if most > longest and not (forPrograms and data is out):
                wrong.append(f"a line of {most} bytes: {max(data.split(chr(10).encode()), key=len)[:60]!r}")
        if "--json" in verb and status == 0:
            if not out.isascii():
                wrong.append("JSON that is not ASCII")
            json.loads(out)
        return wrong, seconds, status

    def judgeTexts(self):
        asked = [verb for verb in verbs if self.only.search(verb)]
        for corpus in self.corpora:
            slowest, bad, answered = (0, ""), False, 0
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                answers = pool.map(self.ask, range(len(asked)), [corpus] * len(asked), asked)
            for verb, (wrong, seconds, status) in zip(asked, answers):
                slowest = max(slowest, (seconds, verb))
                answered += status == 0
                for text in wrong:
                    bad = True
                    self.say(False, f"{corpus}: quincunx {verb}: {text}")
            if not bad:
                self.say(True, f"{corpus}: {len(asked)} questions, {answered} answered, {len(asked) - answered} refused in one line; the longest took {slowest[0]:.1f} s: {slowest[1]}")
            self.judgeEditor(corpus)
        self.judgeWhole()

    def judgeEditor(self, corpus):
        """What an editor is shown of them: on one line each, but hovers, of lines as long as those of tables."""
        os.environ["QUINCUNX"] = self.tool
        words = {"main": 0, "serve": 1, "tick": 2, "memcpy": 3}
        budgets = os.fsencode("max(main) < 1 # ") + evil.replace(b"\n", b"") + b"\n"
        self.write("quincunx.budget", budgets)
        client = Client([corpus], self.folder, cwd=self.folder)
        sources = [f["file"] for f in json.loads(self.call("report", "--json", corpus)[0])["functions"]]
        shown = []
        for path in sorted(set(sources)):
            client.open(os.path.join(self.folder, path), "\n".join(word + "(" for word in words) + "\n" * 40)
            shown += [title for titles in client.lenses(os.path.join(self.folder, path)).values() for title in titles]
            shown += [text for hint in client.hints(os.path.join(self.folder, path)).values() for text in hint[1:]]
            for line in words.values():
                shown += (client.hover(os.path.join(self.folder, path), line + 1, 1) or "").split("\n")
        for message in client.others:
            shown += [message["params"].get("message", "")] + [d["message"] for d in message["params"].get("diagnostics", [])]
        wrong = [text for text in shown if self.unseen(text.encode(), False) or "\n" in text or len(text) > longest]
        self.say(client.end() == 0 and not wrong and len(shown) > 10, f"{corpus}: what editors show, {len(shown)} lines: {wrong[:1]!r}")
        os.remove(self.path("quincunx.budget"))

    def judgeWhole(self):
        """Nothing is lost of a text: not by JSON, the dump, or copies of a corpus; and a label that is cut is one of its own."""
        labels = {r["label"] for r in json.loads(self.call("corpus", "ls", "--json", "evil.qx")[0])["runs"]}
        self.say("0" + evil.decode(errors="replace") in labels, "JSON gives a label back as it is")
        rows = [line.split(b"\t") for line in self.call("corpus", "dump", "evil.qx")[0].split(b"\n") if line.startswith(b"run\t")]
        back = {re.sub(rb"\\(x(..)|.)", lambda m: bytes.fromhex(m[2].decode()) if m[2] else {b"t": b"\t", b"n": b"\n", b"r": b"\r"}.get(m[1], m[1]), r[2])
                for r in rows}
        self.say(b"0" + evil in back, "the dump gives a label back as it is")
        dump = self.call("corpus", "dump", "evil.qx")[0]
        for words in (("corpus", "merge", "copy.qx", "evil.qx"), ("corpus", "salvage", "evil.qx", "-o", "copy.qx")):
            if os.path.exists(self.path("copy.qx")):
                os.remove(self.path("copy.qx"))
            self.call(*words)
            self.say(self.call("corpus", "dump", "copy.qx")[0] == dump, f"{words[1]} keeps all texts")
        shutil.copy(self.path("c.qx"), self.path("copy.qx"))
        label = "x" * 50000 + "%d" + "x" * 50000 # as long as an argument may be
        self.sql("copy.qx", "UPDATE run SET label = replace(hex(zeroblob(25000)), '0', 'x') || id || replace(hex(zeroblob(25000)), '0', 'x') WHERE id <= 2")
        shown = re.findall(rb"x{50}\S+", self.call("corpus", "ls", "copy.qx")[0])
        self.say(len(set(shown)) == 2 and max(map(len, shown)) <= 200, "labels that are alike but for what is cut are told apart: " + repr(shown[:1]))
        left = self.call("corpus", "rm", "copy.qx", "--label", label % 2)[2] == 0 and json.loads(self.call("corpus", "ls", "--json", "copy.qx")[0])["runs"]
        self.say(left and [r["label"] == label % 1 for r in left if len(r["label"]) > 9] == [True], "a label that is cut is named by all of it")

    # ---- sizes

    def refuses(self, text, sql=None, verb="report {c}"):
        """One line, and not that there is no memory."""
        if not self.only.search(text):
            return
        shutil.copy(self.path("c.qx"), self.path("small.qx"))
        if sql is not None:
            self.sql("small.qx", sql)
        out, err, status, _ = self.call(*verb.replace("{c}", "small.qx").split(" "), most=mostMemory)
        good = status == 1 and err.count(b"error:") == 1 and b"enough memory" not in err
        self.say(good, f"{text}: " + ("" if status == 1 else f"status {status}: ") + err.decode(errors="replace").strip()[:150])

    def map(self, body, counters=0, words=0):
        content, name = section(body, min(counters, M >> 32), words)
        return f"INSERT INTO map VALUES('{name}', 'm', {counters}, 8, {len(content)}, X'{zstd(content).hex()}')"

    def judgeSizes(self):
        zeros, ones = (zstd((b"%c" % byte, 250 << 20)).hex() for byte in (0, 1))
        self.refuses("8 kB that are a map of 250 MB", f"UPDATE map SET bytes = X'{zeros}'")
        self.refuses("8 kB that are a frame of 250 MB", f"UPDATE frame SET bytes = X'{zeros}'")
        self.refuses("8 kB that are recorders of 250 MB", f"UPDATE counts SET recorders = X'{ones}'", "model --machine unit {c}")
        self.refuses("8 kB that are sums of requests of 250 MB", f"UPDATE marked SET sums = X'{ones}'", "report --per request {c}")
        name = b"x" * ((1 << 20) - 1)
        calls = varint(5000) + b"\1\1\0\0\0\0" * 5000
        self.refuses("a name of 1 MB that is called 5000 times", self.map(function(names=(name,), calls=calls)))
        self.refuses("a name of 2 MB", self.map(function(name=name * 2)))
        self.refuses("8 million blocks of a byte each", self.map(function(blocks=varint(8 << 20) + bytes(8 << 20))))
        self.refuses("a thousand million counters in 60 bytes", self.map(function(counters=1 << 30), 1 << 30))
        self.refuses("a thousand million recorders in 60 bytes", self.map(function(words=1 << 30), 0, 1 << 30))
        self.refuses("a path of 1 MB that each run has", "UPDATE image SET path = hex(zeroblob(1 << 19))")
        schema = "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, '%s', '%s') WHERE name = 'run'"
        self.refuses("labels that are computed", schema % ("label TEXT NOT NULL", "label TEXT AS (printf(''%50000000d'', identity))"), "corpus ls {c}")
        self.refuses("labels that are a default", schema % ("label TEXT NOT NULL", "label TEXT DEFAULT ''many''"), "corpus ls {c}")
        size = 4 << 30
        self.hollow("hollow.qxraw", size, struct.pack("<QIIQ", 0x3157415258515841, 3, header.size, size))
        self.refuses("a record of 4 GB that was never written", verb="corpus add {c} hollow.qxraw")
        elf = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, 64, 0, 64, 0, 0, 64, 1, 0)
        self.hollow("hollow.elf", 1 << 40, elf + struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 0, 1 << 39, 0, 0, 0, 0))
        self.refuses("a program of 1 TB that was never written", verb="model hollow.elf")
        self.write("deep.jsonl", b"[" * (10 << 20) + b"\n")
        out, _, status, _ = self.call("law", "batch", "deep.jsonl", most=mostMemory)
        self.say(status == 0 and json.loads(out) == {"error": "nested too deeply"}, "10 million brackets: " + out.decode(errors="replace").strip()[:80])
        self.refuses("a request without an end", verb="law batch /dev/zero")

    def hollow(self, name, size, begin):
        self.write(name, begin)
        os.truncate(self.path(name), size)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--full", action="store_true")
    options.add_argument("--only", default="")
    options.add_argument("--keep")
    o = options.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with tempfile.TemporaryDirectory() as folder:
        if o.keep:
            os.makedirs(o.keep, exist_ok=True)
            folder = o.keep
        judge = Strangers(os.environ.get("BUILD", os.path.join(root, "build/default")), folder, o.full, o.only)
        judge.make()
        judge.judgeTexts()
        judge.judgeSizes()
    return 1 if judge.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
