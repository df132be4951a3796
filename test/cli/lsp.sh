#!/bin/bash
# quincunx lsp: a scripted client finds lenses, hints, hovers and diagnostics at the right lines, with the figures of `report` and
# `annotate`; Neovim does with the recipe of the chapter; what is no message has an error for an answer.
. "$(dirname "$0")/common"

export QUINCUNX=$quincunx PYTHONPATH=$root/test/editor PYTHONDONTWRITEBYTECODE=1
# A folder that has to be encoded in a URI.
mkdir "a b#ü" && cd "a b#ü"
cat >prog.cpp <<'END'
#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace words {
template <class T> __attribute__((noinline)) T sum(const std::vector<T> &v) { // SUM
  return std::accumulate(v.begin(), v.end(), T());
}

[[quincunx::budget("self mean <= 10")]] // BUDGET
__attribute__((noinline)) static unsigned leaf(unsigned n) { // LEAF
  unsigned s = 0;
  for (unsigned i = 0; i < n; ++i)
    s += i ^ (s << 1); /* 🦊 */ // HOT
  return s;
}

__attribute__((noinline)) unsigned parse(unsigned n) { // PARSE
  return leaf(30 * n) +
         leaf(n); // CALL
}
} // namespace words

int main(int, char **argv) { // MAIN
  const unsigned n = (unsigned)atoi(argv[1]);
  std::map<std::string, unsigned> count;
  for (unsigned i = 0; i < n; ++i)
    count[std::to_string(i % 7)] += i;
  std::vector<int> whole(n, 1);
  std::vector<double> real(n, 0.5);
  unsigned s = words::parse(n);
  std::thread([&] { s += words::leaf(n); }).join();
  std::sort(whole.begin(), whole.end(), [](int a, int b) { return a > b; });
  return (s + count.size() + (unsigned)words::sum(whole) + (unsigned)words::sum(real)) > 5 ? 0 : 0;
}
END
${clang/clang-/clang++-} -std=c++20 -O1 -g -pthread -o prog prog.cpp
cp prog.cpp again.cpp
gives 0 "counting" run -q --machine none -o p.qx -- ./prog {} ::: 10 20 30 40 55
cat >quincunx.budget <<'END'
# Two that are broken, and one that holds.
max(words::parse) <= 100
max(program) < 7
max(program) < 1e12
END
gives 0 "report" report --json p.qx
cp out report.json
gives 0 "annotate" annotate --json p.qx prog.cpp
cp out annotate.json

cat >check.py <<'END'
"""What all parts need: the client, the source, and a line by its mark."""
import json
import re
import sys

from lsp_client import Client, uri

source = open("prog.cpp").read()
lines = source.split("\n")
refreshes = {"workspace": {"codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}}}


def at(mark):
    return next(i for i, line in enumerate(lines, 1) if line.endswith(mark))


def is_stale(diagnostics):
    return any(d["code"] == "stale" for d in diagnostics)


def is_current(diagnostics):
    return not is_stale(diagnostics)
END

# As reports write figures: five digits, whole ones in full.
cat >figures.py <<'END'
from check import *


def figure(x):
    if x == round(x) and abs(x) < 1e7:
        return "%d" % x
    text = "%.5g" % x if abs(x) < 99999.5 else "%.0f" % x if abs(x) < 1e7 else "%.4e" % x
    mantissa, _, exponent = text.partition("e")
    return mantissa.rstrip("0").rstrip(".") + "e%d" % int(exponent) if exponent else text


report = json.load(open("report.json"))
client = Client(["p.qx"], ".", capabilities=refreshes)
client.open("prog.cpp")
lenses = client.lenses("prog.cpp")
expected = {}
for mark, name in (("// LEAF", "leaf("), ("// PARSE", "parse("), ("// MAIN", "main")):
    f = next(f for f in report["functions"] if name in f["demangled"] and "lambda" not in f["demangled"])
    mean = f["calls"]["mean"]
    rough = "" if f["totalRecorded"] else "~"
    expected[at(mark)] = "total p50 %s%s, p99 %s cost units · %.1f %% · %s %s" % (
        rough, figure(f["total"]["p50"]["value"]), (">= " if f["total"]["p99"]["atLeast"] else "") + figure(f["total"]["p99"]["value"]),
        100 * f["totalShare"], figure(float("%.4g" % mean)), "call" if mean == 1 else "calls")
for line, text in expected.items():
    print(lines[line - 1].split("// ")[1], "one" if lenses.get(line) == [text] else (lenses.get(line), text))
group = next(g for g in report["groups"] if g["name"].startswith("words::sum"))
print("SUM", len(lenses[at("// SUM")]), "p50 %s%s, " % ("" if group["totalRecorded"] else "~", figure(group["total"]["p50"]["value"])) in lenses[at("// SUM")][0])
hints = client.hints("prog.cpp")
figures = {f["line"]: f for f in json.load(open("annotate.json"))["files"][0]["lines"]}
hot = sorted(line for line, f in figures.items() if f["share"] >= 0.005)
print("hot", sorted(hints) == hot and len(hot) > 2)
for line in hot:
    f = figures[line]
    text = "%s times · %.1f %%" % (figure(float("%.4g" % f["mean"])), 100 * f["share"])
    if f["allKnown"] and f["mean"] != 1 and hints[line][1] != text:
        print("hint", line, hints[line], text)
print("units", hints[at("// HOT")][0] == len(lines[at("// HOT") - 1]) + 1)  # the fox is two
print("part", sorted(client.hints("prog.cpp", at("// HOT") - 1, at("// HOT") - 1)) == [at("// HOT")])
END
same "lenses and hints have the figures of report and annotate, at their lines" "LEAF one
PARSE one
MAIN one
SUM 1 True
hot True
units True
part True" "$(python3 figures.py)"

cat >hovers.py <<'END'
from check import *

client = Client([], ".", {"corpus": "p.qx"})
client.open("prog.cpp")
call = lines[at("// CALL") - 1]
text = client.hover("prog.cpp", at("// CALL"), call.index("leaf") + 2)
print(text.startswith("```text\nwords::leaf  prog.cpp:%d\n" % at("// LEAF")) and text.endswith("```"), "slowest input: " in text, text.split("slowest input: ")[1].split("\n")[0].split()[-1])
total = next(f for f in json.load(open("report.json"))["functions"] if "leaf" in f["demangled"])["total"]
row = next(line for line in text.split("\n") if "total " in line and "," not in line).split()
print(row[0].lstrip("~"), row[1] == "%.0f" % total["p50"]["value"], row[5] == "%.0f" % total["max"], sum("█" in line for line in text.split("\n")) > 2)
print("line %d is executed" % at("// HOT") in client.hover("prog.cpp", at("// HOT"), 3))
print(client.hover("prog.cpp", 8, 0), client.hover("prog.cpp", 100000, 7))
print("to_string" in (client.hover("prog.cpp", at("// MAIN"), 5) or ""), "main" in client.hover("prog.cpp", at("// MAIN"), 5))
client.open("other.txt", "leaf(")
print(client.hover("other.txt", 1, 0).count("words::leaf"))
plain = Client(["p.qx"], ".", capabilities={"textDocument": {"hover": {"contentFormat": ["plaintext"]}}})
plain.open("prog.cpp")
print("`" in plain.hover("prog.cpp", at("// CALL"), call.index("leaf")))
END
same "hovers have the distribution of what is called, and of lines" "True True 55
total True True True
True
None None
False True
1
False" "$(python3 hovers.py)"

cat >diagnostics.py <<'END'
from check import *

client = Client(["p.qx"], ".", capabilities=refreshes)
client.open("prog.cpp")
found = client.diagnostics("prog.cpp", lambda d: len(d) == 2)
names = {at("// BUDGET"): "BUDGET", at("// PARSE"): "PARSE"}
print(sorted((names[line], severity, message.split(" is ")[0]) for severity, line, message in found))
print([(line, message.split(" is ")[0]) for severity, line, message in client.diagnostics("quincunx.budget")])

print("-- edited")
client.change("prog.cpp", (0, 0), (0, 0), "// one more\n")
print(client.lenses("prog.cpp")[at("// MAIN") + 1][0].endswith(" · stale"))
print([d for d in client.diagnostics("prog.cpp", is_stale) if d[0] == 4][0][1:2], "stale" in client.hints("prog.cpp")[at("// HOT") + 1][1])
line = at("// LEAF")
client.change("prog.cpp", (line, 0), (line, 3), "")  # of the line of leaf()
print(line + 1 in client.lenses("prog.cpp"), at("// PARSE") + 1 in client.lenses("prog.cpp"))
client.change("prog.cpp", (line, 0), (line, 0), lines[line - 1][:3])
client.change("prog.cpp", (0, 0), (1, 0), "")
client.diagnostics("prog.cpp", is_current)
client.wait("workspace/codeLens/refresh")
print(any("stale" in title for titles in client.lenses("prog.cpp").values() for title in titles))

print("-- another text")
client.open("again.cpp", source)  # has another name, and is none of the sources
print(client.lenses("again.cpp"))
client.tell("textDocument/didClose", {"textDocument": {"uri": uri("prog.cpp")}})
client.open("prog.cpp", "// unsaved\n" + source)
print(at("// MAIN") + 1 in client.lenses("prog.cpp"))
with open("prog.cpp", "a") as file:
    file.write("// saved\n")
client.tell("textDocument/didClose", {"textDocument": {"uri": uri("prog.cpp")}})
client.diagnostics("prog.cpp", is_current)
client.others.clear()
client.open("prog.cpp")
print([(d[0], d[1], d[2].split(";")[0]) for d in client.diagnostics("prog.cpp", is_stale) if d[0] == 4], client.lenses("prog.cpp"), client.hints("prog.cpp"))
with open("prog.cpp", "w") as file:
    file.write(source)
print(client.end())
END
same "diagnostics stand at budgets and functions; what an edit leaves in place is shown as stale" "[('BUDGET', 2, 'self mean(words::leaf) <= 10'), ('PARSE', 2, 'max(words::parse) <= 100')]
[(3, 'max(program) < 7')]
-- edited
True
(1,) True
False True
False
-- another text
{}
True
[(4, 1, 'changed since it was compiled, so that its lines are not those of the corpus')] {} {}
0" "$(python3 diagnostics.py)"

cat >corpora.py <<'END'
import os
import shutil
import subprocess

from check import *

client = Client([], ".", capabilities=refreshes)  # the only one
client.open("prog.cpp")
before = client.lenses("prog.cpp")
client.wait("workspace/codeLens/refresh")
client.wait("workspace/inlayHint/refresh")
subprocess.run([os.environ["QUINCUNX"], "run", "-q", "--machine", "none", "-o", "p.qx", "--", "./prog", "{}", ":::", "90"], check=True)
client.tell("workspace/didChangeWatchedFiles", {"changes": []})
client.wait("workspace/codeLens/refresh")
after = client.lenses("prog.cpp")
print(sorted(before) == sorted(after), before[at("// LEAF")] != after[at("// LEAF")])
shutil.copy("p.qx", "second.qx")
client = Client([], ".")
client.open("prog.cpp")
print(client.lenses("prog.cpp"), client.wait("window/showMessage")["message"].split(" in ")[0])
os.mkdir("empty")
client = Client([], "empty")
print(client.wait("window/showMessage")["message"].split(" in ")[0])
client = Client(["nothing.qx"], ".")
print(client.wait("window/showMessage")["message"])
client.process.stdin.close()
print(client.process.wait(10))
END
same "the corpus is watched, and found or asked for" "True True
{} quincunx: 2 corpora (p.qx, second.qx)
quincunx: no corpus (*.qx)
quincunx: error: cannot open nothing.qx: No such file or directory
1" "$(python3 corpora.py)"

cat >hostile.py <<'END'
import random

from check import *

client = Client(["p.qx"], ".", initialize=False)


def code(content, number=None):
    """Of the error that a content gets."""
    client.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
    return client.answer(number)["error"]["code"]


print(code(b"{"), code(b"[" * 1000), code(b"[]"), code(b"1"), code(b'{"id": {}, "method": "a"}'), code(b'{"id": 1, "method": 2}', 1), code(b"\xff\xfe"), code(b""))
print(code(b'{"id": 2, "method": "textDocument/hover"}', 2))
client.write(b"Content-Length: many\r\n\r\n")
print(client.answer(None)["error"]["message"])
client.write(b"Content-Length: -5\r\n\r\n")
print(client.answer(None)["error"]["message"])
client.write(b"Accept: x\r\n\r\n")
print(client.answer(None)["error"]["message"])
client.write(b"Content-Length: 99999999999\r\n\r\n")
print(client.answer(None)["error"]["message"])
client.write(b"x" * 70000)
client.process.stdin.close()
print(client.process.wait(10))

client = Client(["p.qx"], ".")
client.open("prog.cpp")
position = {"line": 3, "character": 3}
document = {"textDocument": {"uri": uri("prog.cpp")}}
for method, params in (("hover", {}), ("hover", {**document, "position": {"line": -1, "character": 0}}), ("hover", {**document, "position": {"line": "x"}}),
                       ("hover", {"textDocument": {"uri": "file:///%zz"}, "position": position}), ("inlayHint", document), ("codeLens", [1]), ("codeLens", None)):
    print(client.ask("textDocument/" + method, params)["code"], end=" ")
print(client.ask("nothing/there", {})["code"], client.ask("initialize", {})["code"])
far = {"line": 2**63, "character": 2**63}
print(client.ask("textDocument/hover", {**document, "position": far}), client.ask("textDocument/inlayHint", {**document, "range": {"start": far, "end": position}}))
for params in ({}, document, {**document, "contentChanges": [1, {}]}, {**document, "contentChanges": [{"text": "x", "range": {"start": position}}]}):
    client.tell("textDocument/didChange", params)
dice = random.Random(1)
for _ in range(3000):  # edits anywhere, in a text that is kept beside
    one, two = ({"line": dice.randrange(50), "character": dice.randrange(90)} for _ in range(2))
    client.tell("textDocument/didChange", {**document, "contentChanges": [{"text": dice.choice(["", "x", "\n", "\r\n", "é🦊\n"]), "range": {"start": one, "end": two}}]})
print(type(client.lenses("prog.cpp")).__name__)
client.diagnostics("prog.cpp", is_stale)
client.others.clear()
client.tell("textDocument/didChange", {**document, "contentChanges": [{"text": source}]})
client.diagnostics("prog.cpp", is_current)
print(at("// MAIN") in client.lenses("prog.cpp"))
client.tell("$/cancelRequest", {"id": 4})
print(client.end(), Client(["p.qx"], ".").process.poll())
END
same "hostile messages have errors for answers, and are survived" "-32700 -32700 -32600 -32600 -32600 -32600 -32700 -32700
-32002
error: Content-Length is no number: many
error: Content-Length is no number: -5
error: a header without Content-Length
error: a message of 99999999999 bytes is too long
1
-32602 -32602 -32602 -32602 -32602 -32602 -32602 -32601 -32600
None []
dict
True
0 None" "$(python3 hostile.py)"

if command -v nvim >/dev/null; then
  # The recipe as the chapter has it.
  sed -n '/^```lua in=editor file=quincunx.lua/,/^```$/p' "$root/docs/24-editor.md" | sed '1d;$d' >recipe.lua
  cat >drive.lua <<'END'
vim.cmd('luafile recipe.lua')
vim.cmd('edit prog.cpp')
local out = io.open('seen', 'w')
local function wait(what) assert(vim.wait(8000, what, 20), 'nothing came') end
wait(function() return #vim.lsp.codelens.get(0) > 0 end)
for _, lens in ipairs(vim.lsp.codelens.get(0)) do out:write('lens ', lens.range.start.line + 1, ' ', lens.command.title, '\n') end
wait(function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do out:write('diagnostic ', d.lnum + 1, ' ', d.message, '\n') end
vim.fn.search('leaf(n); // CALL')
vim.api.nvim_feedkeys('gK', 'xt', false)
local function float()
  for _, w in ipairs(vim.api.nvim_list_wins()) do if vim.api.nvim_win_get_config(w).relative ~= '' then return w end end
end
wait(float)
out:write('hover ', table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float()), 0, 1, false), ' '), '\n')
out:close()
vim.cmd('qall!')
END
  rm -f second.qx
  PATH=$(dirname "$quincunx"):$PATH HOME=$work XDG_STATE_HOME=$work/tmp timeout 30 nvim --headless --clean -n -c 'luafile drive.lua' >nvim.out 2>&1 || true
  main=$(sed -n '/\/\/ MAIN$/=' prog.cpp) budget=$(sed -n '/\/\/ BUDGET$/=' prog.cpp) leaf=$(sed -n '/\/\/ LEAF$/=' prog.cpp)
  touch seen
  has "Neovim shows the lens of main" "^lens $main total p50 .* 100.0 % . 1 call$" seen
  has "and a broken budget" "^diagnostic $budget self mean.words::leaf. <= 10 is broken" seen
  has "and a hover" "^hover words::leaf  prog.cpp:$leaf$" seen
  [ -s seen ] || sed 's/^/     | /' nvim.out
else
  skip "Neovim is not here"
fi
finish
