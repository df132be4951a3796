#!/bin/bash
# Time by default: prices that a corpus gets when it is made, quincunx profile, flags and doctor. How good times are is no
# matter here but for nonsense (bench/time.py).
# Alone: it times programs.
. "$(dirname "$0")/common"

unset QUINCUNX_MACHINE
export XDG_CACHE_HOME=$work/cache
source=$root/examples/quicksort/quicksort.c
# shellcheck disable=SC2046
clang-"$LLVM" $("$quincunx" flags --clang "$LLVM") -O2 -g -o sort "$source"
# shellcheck disable=SC2046
clang-"$LLVM" $("$quincunx" flags --plain) -O2 -o plain "$source"
sizes="30000 42000 60000 80000 100000 130000 160000 200000 250000 300000 360000 420000 500000"
unit() { json "$1" 'j["unit"]'; }

# ---- prices of this machine, measured once ----
gives 0 "the first run" run -o m.qx -- ./sort 3 {} ::: 30000 60000 90000
has "says that it measures" 'measuring what instructions take on this machine, once' err
same "keeps that for this host" 1 "$(find cache/quincunx -name '*.machine' | wc -l)"
gives 0 "the next one" run -o n.qx -- ./sort 3 {} ::: 30000 60000 90000
lacks "measures no more" 'measuring' err
gives 0 "report" report --json m.qx
same "speaks time" True "$(unit out | grep -qE '^(us|ms|s)$' && echo True)"
has "says by what factor it may be off" 'all costs may be off by one factor, from 0\.[0-9]+ to [12]' out
cp out elsewhere
(XDG_CACHE_HOME=$work/none && export XDG_CACHE_HOME && gives 0 "a report without that cache" report --json m.qx && cp out again)
same "is the same" "$(cat elsewhere)" "$(cat again)"
same "and measures nothing" "" "$(ls none 2>/dev/null)"
gives 0 "--unit counts" report --unit counts --json m.qx
same "speaks cost units" "cost units" "$(unit out)"
cp out counts
gives 0 "run --machine none" run --machine none -o c.qx -- ./sort 3 {} ::: 30000 60000 90000
gives 0 "its report" report --json c.qx
same "has the same costs in counts" "$(json counts 'j["program"]')" "$(json out 'j["program"]')"
printf 'name here\nunit ns\nload moments(0.5, 0.1, 1, 4)\nadd 0.25\nprogramSpread 0.4\n' >here.machine
gives 0 "run --machine FILE" run --machine here.machine -o h.qx -- ./sort 3 {} ::: 30000
gives 0 "its report" report --json h.qx
same "is by these, of which costs are means" "here True" "$(json out 'j["machine"], j["constant"]' | tr -d "(),'")"
gives 1 "a machine that has no time" run --machine unit -o u.qx -- ./sort 3 {} ::: 30000
same "is refused in one line" 1 "$(grep -c error err)"
same "before anything runs" "" "$(ls u.qx 2>/dev/null)"
same "QUINCUNX_MACHINE is the same" "" "$(QUINCUNX_MACHINE=none "$quincunx" run -q -o e.qx -- ./sort 3 {} ::: 30000 && sql e.qx 'SELECT machine FROM calibration')"

# Samples take a while, and have a test of their own (samples.sh): profile goes on without them, and says so.
export LLVM_SYMBOLIZER_PATH=$work/none

# ---- merging: prices that were fitted to times stand above those of a machine ----
# shellcheck disable=SC2086
gives 0 "profile" profile -o p.qx --plain ./plain -- ./sort 3 {} ::: $sizes
has "says how good its times are" 'calibrated by 13 timed inputs: the error of one that was not is [0-9.]+ % in the median' err
has "and that it has no samples" 'note: times of single functions will be less certain: ' err
has "and reports in time" ' (us|ms|s)\b' out
gives 0 "profile of inputs that a pipe names" profile -o pipe.qx --plain ./plain -- ./sort 3 {} :::: <(echo "$sizes" | tr ' ' '\n')
has "counts, times and calibrates all of them" 'calibrated by 13 timed inputs' err
fitted=$(sql p.qx "SELECT machine FROM calibration")
cp p.qx pm.qx && cp m.qx mp.qx
gives 0 "merge into what is calibrated" corpus merge pm.qx m.qx
same "keeps the calibration" "$fitted" "$(sql pm.qx "SELECT machine FROM calibration")"
gives 0 "merge of what is calibrated" corpus merge mp.qx p.qx
same "takes it" "$fitted" "$(sql mp.qx "SELECT machine FROM calibration")"

# ---- totals: parts add up ----
gives 0 "report --json" report --json p.qx
same "main makes all but what is outside of functions" True \
  "$(json out '(lambda m: abs(m["total"]["mean"] + j["outside"]["cost"]["mean"] - j["program"]["mean"]) < 1e-6 * j["program"]["mean"])([f for f in j["functions"] if f["name"] == "main"][0])')"
same "selfs add up to that" True \
  "$(json out 'abs(sum(f["cost"]["mean"] for f in j["functions"] + j["library"] if f["cost"]) + j["outside"]["cost"]["mean"] - j["program"]["mean"]) < 1e-6 * j["program"]["mean"]')"
same "no total is below a self" "[]" "$(json out '[f["name"] for f in j["functions"] if f["total"]["mean"] < f["cost"]["mean"] * (1 - 1e-9)]')"
same "calls times their mean are totals" "[]" \
  "$(json out '[f["name"] for f in j["functions"] if "call" in f and f["totalRecorded"] and abs(f["call"]["mean"] * f["call"]["calls"] / 13 - f["total"]["mean"]) > 1e-6 * f["total"]["mean"]]')"
gives 0 "text" report p.qx
has "the start of the process has a row" '%  +[(]start-up[)]$' out
gives 0 "--json" report --json p.qx
cp out gross
gives 0 "--net" report --net --json p.qx
same "leaves it out" "True True" \
  "$(python3 -c 'import json; g, n = json.load(open("gross")), json.load(open("out")); print(n["net"], abs(g["program"]["mean"] - g["startUp"] - n["program"]["mean"]) < 1e-6 * g["program"]["mean"])')"
gives 0 "--net in text" report --net p.qx
has "says so" '^without the start of the process, [0-9.]+ (us|ms|s) of each run$' out
lacks "and has no such row" '[(]start-up[)]' out
gives 0 "--net in counts" report --net --unit counts p.qx
has "has nothing to leave out" 'counts begin with the code of the program$' out
gives 2 "--net of calls" report --net --per call p.qx
cp p.qx threads.qx && sql threads.qx "UPDATE run SET user = 2 * wall, system = 0"
gives 0 "runs that keep two processors busy" report threads.qx
has "have the time of all threads" '^Processor time of all threads per run' out
has "and by the wall half of it" '^note: times are of processors, .* counted runs took 0[.]5 of that' out
cp m.qx waits.qx && sql waits.qx "UPDATE run SET user = 0.1, system = 0, wall = 0.4"
gives 0 "runs that wait" report waits.qx
has "say how long they take" '^note: times are of the processor, without waiting: .* counted runs took 4 times as long' out
gives 0 "--per call" report --per call --json p.qx
same "has these means" True "$(json out 'j["unit"] == "us" and all(c["mean"] > 0 for c in j["functions"])')"

# ---- builds that were not fitted ----
cp p.qx again.qx
# shellcheck disable=SC2046
clang-"$LLVM" $("$quincunx" flags --clang "$LLVM") -O1 -g -o sort "$source"
# shellcheck disable=SC2086
gives 0 "another build" run -q -o again.qx -- ./sort 3 {} ::: $sizes
gives 0 "its report" report --json again.qx
has "says of which build prices are" '^quincunx: prices were fitted to another build of sort than [0-9a-f]{12}, whose runs these are' err
same "and so do builds" "[(13, False), (0, True)]" "$(json out '[(b["used"], b["calibrated"]) for b in j["builds"]]')"
gives 0 "the build that was fitted" report --build "$(json out 'j["builds"][1]["build"]')" again.qx
lacks "is not told of" 'fitted to another' err
gives 0 "calibrate" calibrate --json again.qx
has "notes when the plain program was timed" 'the plain program was timed when build [0-9a-f]{12} of sort was counted, and not ' out
gives 0 "report" report again.qx
lacks "is of what was fitted" 'fitted to another' err
# shellcheck disable=SC2046
clang-"$LLVM" $("$quincunx" flags --clang "$LLVM") -O2 -g -o sort "$source"

# ---- profile ----
# shellcheck disable=SC2086
gives 0 "profile again" profile -o p.qx --plain ./plain -- ./sort 3 {} ::: $sizes
has "does nothing again" '13 of 13 runs are in p.qx already' err
has "and times nothing again" '91 of 91 timed runs are in p.qx already' err
# shellcheck disable=SC2086
gives 0 "with one input more" profile -o p.qx --plain ./plain -- ./sort 3 {} ::: $sizes 700000
same "counts and times that" "14 98" "$(sql p.qx "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM repetition)" | tr '|' ' ')"
gives 0 "explain speaks time, too" explain --json p.qx
gives 0 "profile without a plain program" profile -o w.qx -- ./sort 3 {} ::: 30000 60000
has "reports by prices of the machine" 'all costs may be off by one factor' out
gives 2 "a plain program that is none" profile -o x.qx --plain ./sort -- ./sort 3 {} ::: 30000
has "is refused before anything is counted" 'is instrumented: time the plain build' err
same "and leaves nothing" "" "$(ls x.qx 2>/dev/null)"
gives 1 "two inputs" profile -o two.qx --plain ./plain -- ./sort 3 {} ::: 30000 60000
has "are too few to calibrate" 'error: 2 inputs that were counted are timed; a calibration needs 5' err
has "and reported by prices of the machine" 'all costs may be off by one factor' out
# shellcheck disable=SC2046
gives 0 "many inputs" profile -q -o many.qx -j 2 --plain ./plain -- ./sort 3 {} ::: $(seq 1000 37 6000)
same "are timed in part, the smallest and the largest among them" "100 1000 5995" \
  "$(sql many.qx "SELECT count(*), min(CAST(label AS INTEGER)), max(CAST(label AS INTEGER)) FROM timed" | tr '|' ' ')"
gives 2 "no program" profile -o x.qx

# ---- flags, doctor ----
same "flags names a config file that is there" yes "$("$quincunx" flags | sed -n 's/^--config=//p' | xargs test -e && echo yes)"
gives 1 "flags for a clang without a plugin" flags --clang 3
has "names those there are" 'no plugin for clang 3 here, only for ' err
gives 0 "doctor" doctor
has "tried to build and to record" '^ok +building and recording' out
gives 0 "doctor --json" doctor --json
same "finds nothing missing" "True []" "$(json out 'j["well"], [f for f in j["findings"] if f["state"] == "MISSING"]' | tr -d '(),')"
mkdir bare
for tool in bash timeout; do ln -s "$(command -v $tool)" bare; done
PATH=$work/bare "$quincunx" doctor >out 2>err && bad "doctor without a compiler: status 0" || ok "doctor without a compiler"
has "says what to install" "^MISSING +compiler +no clang-22 in PATH" out
has "and what to do" 'install the package clang-22' out
finish
