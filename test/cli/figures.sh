#!/bin/bash
# quincunx export: figures of runs that other tools read (compare.py, Prometheus, HdrHistogram, spreadsheets), with the
# totals of the report. Profiles are asked by profiles.sh.
. "$(dirname "$0")/common"

export QUINCUNX_MACHINE=none
cat >prog.cpp <<'END'
#include <algorithm>
#include <cstdlib>
#include <thread>
#include <vector>
static volatile unsigned sink;
__attribute__((noinline)) static void leaf(unsigned n) {
  for (unsigned i = 0; i < n; ++i) // LOOP
    if (i % 3 == 1)                // THIRD
      sink += i;
}
__attribute__((noinline)) static void parse(unsigned n) {
  leaf(3 * n);
  leaf(n);
}
int main(int, char **argv) {
  const auto n = (unsigned)std::atoi(argv[1]);
  std::vector<unsigned> v(n);
  for (unsigned i = 0; i < n; ++i)
    v[i] = i * 7919u % 101;
  std::sort(v.begin(), v.end(), [](unsigned a, unsigned b) { return a > b; });
  std::thread other(parse, n);
  parse(n + SLOWER);
  other.join();
  sink += v[0];
}
END
compile() { ${clang/clang-/clang++-} -std=c++20 -O1 -g -pthread -DSLOWER="$1" -o prog prog.cpp; }
inputs=$(seq 10 7 150) # 21 of them
compile 0
gives 0 "counting" run -q -o p.qx --feature n={} -- ./prog {} ::: $inputs
compile n/2
gives 0 "counting a slower one" run -q -o q.qx --feature n={} -- ./prog {} ::: $inputs
{ echo 'name small'; echo 'unit us'; sed -n '/^add/,$p' "$root/machines/x86-64.machine" | grep -v '^unit\|^name'; } >small.machine
gives 0 "report in time" report --json --all --machine small.machine p.qx
cp out time.json
gives 0 "report" report --json --all p.qx
cp out report.json

# ---- Google Benchmark ----
gives 0 "gbench" export gbench --machine small.machine p.qx
cp out p.json
gives 0 "gbench of the slower one" export gbench --machine small.machine q.qx
cp out q.json
same "repetitions have the mean of the report, in the order of their labels" "21 True True" "$(python3 - <<'END'
import json
report = json.load(open("time.json"))
runs = [b for b in json.load(open("p.json"))["benchmarks"] if b["run_type"] == "iteration"]
mean = sum(b["real_time"] for b in runs) / len(runs)
print(len(runs), abs(mean / 1000 / report["program"]["mean"] - 1) < 1e-12, [b["label"] for b in runs] == sorted(b["label"] for b in runs))
END
)"
compare=/usr/share/benchmark/compare.py python=/usr/bin/python3 # of the system, whose packages these are
if [ -e $compare ] && $python -c 'import scipy' 2>/dev/null; then
  PYTHONDONTWRITEBYTECODE=1 $python $compare --no-color --dump_to_json d.json benchmarks p.json q.json >compared 2>&1 || true
  has "compare.py compares medians" '^run_median +\+0\.[0-9]+' compared
  has "and functions" '^run/leaf_mean +\+0\.[0-9]+' compared
  has "and tests repetitions" '^run_pvalue +[0-9.]+ +[0-9.]+ +U Test, Repetitions: 21 vs 21$' compared
  same "it reads the figures of the report" "" "$(python3 - <<'END'
import json
report = json.load(open("time.json"))
read = {b["name"]: b["measurements"][0]["real_time"] for b in json.load(open("d.json"))}
wanted = {"run_mean": report["program"]["mean"], "run_stddev": report["program"]["sd"], "run_median": report["program"]["p50"]["value"]}
for f in report["functions"]:
    if f["name"] in ("_ZL4leafj", "_ZL5parsej"):
        wanted["run/" + f["name"][4:-1] + "_p90"] = f["cost"]["p90"]["value"]
assert len(wanted) == 5
for name, value in wanted.items():
    if abs(read.get(name, 0) / 1000 / value - 1) > 1e-12:
        print(name, value, read.get(name))
END
)"
else
  skip "compare.py of Google Benchmark is not here"
fi
gives 1 "gbench of counts" export gbench p.qx
has "says what helps" 'gbench has times, and these are cost units: time the program' err

# ---- OpenMetrics ----
for machine in x86-64 small.machine; do
  gives 0 "openmetrics, $machine" export openmetrics --machine $machine p.qx
  cp out $machine.prom
done
if $python -c 'import prometheus_client.openmetrics.parser' 2>/dev/null; then
  same "Prometheus' parser reads both, with the totals of the report" "" "$($python - <<'END'
import json, math
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
for path, unit, document, factor in (("x86-64.prom", "cost_units", "report.json", 1), ("small.machine.prom", "seconds", "time.json", 1e-6)):
    families = {f.name: f for f in parse(open(path).read())}
    report = json.load(open(document))
    def values(family, end="", **labels):
        return [s.value for s in families[family].samples if s.name == family + end and labels.items() <= s.labels.items()]
    def near(text, is_, want):
        if not math.isclose(is_, want, rel_tol=1e-9):
            print(path, text, is_, want)
    run, function = "quincunx_run_" + unit, "quincunx_run_function_" + unit
    assert families[run].unit == unit and families[run].type == families[function].type == "summary"
    program = report["program"]
    near("count", *values(run, "_count"), 21)
    near("finished", *values("quincunx_runs", outcome="finished"), 21)
    near("sum", *values(run, "_sum"), 21 * program["mean"] * factor)
    for name in ("p50", "p90"):
        near(name, *values(run, quantile=str(program[name]["p"])), program[name]["value"] * factor)
    assert not values(run, quantile="0.999"), "21 runs have none"
    near("functions add up", sum(values(function, "_sum")), *values(run, "_sum"))
    leaf = next(f for f in report["functions"] if f["name"] == "_ZL4leafj")
    near("calls", *values("quincunx_run_function_calls", function="leaf"), leaf["calls"]["mean"])
    near("p90 of a function", *values(function, function="leaf", quantile="0.9"), leaf["cost"]["p90"]["value"] * factor)
END
)"
else
  skip "the parser of OpenMetrics is not here"
fi

# ---- HdrHistogram ----
# The log is decoded from the published format, without any code of ours.
cat >decode.py <<'END'
import base64, bisect, struct, zlib
def histogram(path):
    """Highest number of each bin and how many it has."""
    line = [l for l in open(path) if not l.startswith(("#", '"'))][-1]
    start, length, most, text = line.strip().split(",")
    data = base64.b64decode(text, validate=True)
    cookie, size = struct.unpack(">II", data[:8])
    assert cookie == 0x1C849314 and size == len(data) - 8
    data = zlib.decompress(data[8:])
    cookie, size, shift, digits, low, high, ratio = struct.unpack(">IIIIQQd", data[:40])
    assert (cookie, size, shift, digits, low, ratio) == (0x1C849313, len(data) - 40, 0, 3, 1, 1.0)
    counts, at = [], 40
    while at < len(data):
        number = bits = 0
        while True:
            byte = data[at]
            at, number, bits = at + 1, number | (byte & 0x7F) << bits, bits + 7
            if byte < 0x80:
                break
        number = number >> 1 ^ -(number & 1)
        counts += [number] if number >= 0 else [0] * -number
    bins = []
    for bin, count in enumerate(counts):
        if count:
            bucket, sub = bin // 1024 - 1, bin % 1024 + 1024
            if bucket < 0:
                bucket, sub = 0, sub - 1024
            bins.append(((sub + 1 << bucket) - 1, count))
    assert bins[-1][0] <= high and int(most) <= bins[-1][0]
    return bins
def below(bins, number):
    return sum(count for highest, count in bins if highest <= number)
END
for machine in x86-64 small.machine; do
  gives 0 "hlog, $machine" export hlog --machine $machine p.qx
  cp out $machine.hlog
  gives 0 "hgrm, $machine" export hgrm --machine $machine p.qx
  cp out $machine.hgrm
done
same "every run is in its bin, a thousandth wide, and percentiles are those of the bins" "" "$(python3 - <<'END'
import json, math, re
from decode import *
for machine, document, factor in (("x86-64", "report.json", 1), ("small.machine", "time.json", 1000)):
    bins = histogram(machine + ".hlog")
    costs = sorted(round(factor * run["cost"]) for run in json.load(open(document))["perRun"])
    numbers = [highest for highest, count in bins for _ in range(count)]
    if len(numbers) != len(costs) or any(not (cost <= n <= cost * 1.001) for n, cost in zip(numbers, costs)):
        print(machine, numbers, costs)
    lines = [line.split() for line in open(machine + ".hgrm")]
    rows = [line for line in lines if len(line) in (3, 4) and re.match(r"\d", line[0])]
    for row in rows:
        value, level, count = float(row[0]), float(row[1]), int(row[2])
        if below(bins, value) != count or count < level * 21 - 1e-9 or (value > bins[0][0] and below(bins, value - 1) >= level * 21 + 1e-9 and level < 1):
            print(machine, row)
    assert rows[-1][1] == "1.000000000000" and int(rows[-1][2]) == 21 and len(rows) > 15
    text = open(machine + ".hgrm").read()
    mean = float(re.search(r"#\[Mean += +([0-9.]+)", text)[1])
    assert math.isclose(mean, sum(costs) / 21, rel_tol=1e-3) and "Total count    =           21]" in text
END
)"
reader=/usr/share/java/hdrhistogram.jar
if command -v java >/dev/null && [ -e $reader ]; then
  for machine in x86-64 small.machine; do
    java -cp $reader org.HdrHistogram.HistogramLogProcessor -i $machine.hlog -o read -outputValueUnitRatio 1 >/dev/null 2>java.err || cat java.err
    same "HdrHistogram's own reader makes the same table of the log, $machine" "$(grep -v 'Buckets\| per run' $machine.hgrm)" "$(grep -v 'Buckets\|^#\[Overall' read.hgrm)"
  done
else
  skip "HdrHistogram's reader (Java) is not here"
fi

# ---- counters per run ----
gives 0 "csv" export csv p.qx
cp out plain.csv
gives 0 "csv with counters" export csv --counters p.qx
same "columns behind the others: calls as the report has them, outcomes as the program does them" "" "$(python3 - <<'END'
import csv, json
plain, rows = (list(csv.DictReader(open(path, newline=""))) for path in ("plain.csv", "out"))
assert len(rows) == 21 and all({k: r[k] for k in p} == p for p, r in zip(plain, rows))
names = list(rows[0])
assert len(set(names)) == len(names) and names[:len(plain[0])] == list(plain[0])
report = json.load(open("report.json"))
compiled = {f["name"]: f["calls"]["mean"] * 21 for f in report["functions"] if f["calls"]["mean"] > 0}
calls = {name[:-7]: sum(float(r[name]) for r in rows) for name in names if name.endswith("_call_c") and ".cpp:" not in name and ".h:" not in name}
if sorted(round(c) for c in compiled.values()) != sorted(round(c) for c in calls.values()):
    print(compiled, calls)
if calls["leaf"] != 84 or calls["parse"] != 42 or calls["main"] != 21:
    print(calls)
lines = {mark: i for i, text in enumerate(open("prog.cpp"), 1) for mark in ("LOOP", "THIRD") if "// " + mark in text}
def of(line, what):
    return [sum(float(r[n]) for n in names if n.startswith(f"prog.cpp:{line}:") and n.endswith(what)) for r in rows]
thirds = lambda n: (n + 1) // 3
for row, rounds, tests, third in zip(rows, of(lines["LOOP"], "_true_c"), of(lines["THIRD"], "_call_c"), of(lines["THIRD"], "_true_c")):
    n = int(row["n"])
    if (rounds, tests, third) != (8 * n, 8 * n, 2 * (thirds(3 * n) + thirds(n))):
        print(n, rounds, tests, third)
END
)"
gives 2 "counters of what has no rows" export folded --counters p.qx

# ---- events over time, of models ----
cat >wait.pam <<'END'
resource disk = fcfs(0, 2)
process main = seq (i = 1, 3) { par (p = 1, 5) { delay(exponential(0.5)); use(disk, exponential(1)) }; any (1) { delay(1) || use(disk, 5) } }
END
gives 0 "simulate --trace" simulate --json -n 3 --trace trace.json wait.pam
gives 0 "of one replication" simulate --json -n 1 --trace one.json wait.pam
same "more replications do not change the first" "" "$(cmp trace.json one.json 2>&1)"
same "slices of a process follow each other, a resource is used as the answer says, by its servers at most" "" "$(python3 - <<'END'
import json, math
answer, events = json.load(open("out")), json.load(open("one.json"))["traceEvents"]
assert all(set(e) == {"name", "cat", "ph", "ts", "dur", "pid", "tid", "args"} and e["ph"] == "X" and e["dur"] >= 0 for e in events)
time, disk = answer["mean"], answer["resources"][0]
if not math.isclose(max(e["ts"] + e["dur"] for e in events), time):
    print("ends", time)
uses, waits = ([e for e in events if e["name"] == kind + " disk"] for kind in ("use", "queue"))
if not math.isclose(sum(e["dur"] for e in uses), disk["busy"] * 2 * time):
    print("busy", disk)
if not (len(uses) == disk["uses"] == 18 and waits and math.isclose(sum(e["dur"] for e in waits), disk["wait"] * 18, abs_tol=1e-9)):
    print("waits", disk, len(uses), len(waits))
edges = sorted([(round(e["ts"], 9), 1) for e in uses] + [(round(e["ts"] + e["dur"], 9), -1) for e in uses])
busy = [0]
for _, change in edges:
    busy.append(busy[-1] + change)
if max(busy) > 2:
    print("three at once")
for process in {e["tid"] for e in events}:
    own = sorted((e["ts"], e["ts"] + e["dur"]) for e in events if e["tid"] == process)
    if any(later < end - 1e-9 for (_, end), (later, _) in zip(own, own[1:])):
        print(process, own)
END
)"
finish
