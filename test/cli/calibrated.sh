#!/bin/bash
# quincunx calibrate CORPUS: the whole way from counted and timed runs to reports in time, and what is said where there is
# nothing to calibrate from. How well times are predicted is no matter here but for nonsense (test/unit/estimate, bench/time.py).
# Alone: it times programs.
. "$(dirname "$0")/common"

source=$root/examples/quicksort/quicksort.c
# Another file has a function of the same name.
cat >twin.c <<'END'
__attribute__((noinline)) static int partition(int n) {
  volatile int s = 0;
  for (int i = 0; i < n; ++i)
    s += i;
  return s;
}
__attribute__((constructor)) static void twin(void) { partition(1000); }
END
$clang -O2 -g -o sort "$source" twin.c
$plain -O2 -g -o plain "$source" twin.c
# unit FILE: what a text report says its costs are in
unit() { grep -oE -m1 '\b(in|runs,) (us|ms|s|cost units)\b' "$1" | sed 's/^[a-z,]* //'; }
sizes="30000 42000 60000 80000 100000 130000 160000 200000 250000 300000 360000 420000 500000"

# shellcheck disable=SC2086
"$quincunx" run -q -o counted.qx -- ./sort 3 {} ::: $sizes
cp counted.qx p.qx
# shellcheck disable=SC2086
"$quincunx" run -q -o p.qx --timed --repeat 2 -- ./plain 3 {} ::: $sizes

# ---- calibrate ----
gives 0 "calibrate" calibrate p.qx
has "says of how many inputs" '^Calibration: 13 timed inputs of .* to .*; start of the process ' out
for row in 'each: median' 'each: p90' 'their p50' 'their p99'; do has "has a row $row" "^ *$row " out; done
has "says how far it can be trusted" '% of them lie in their 90 % intervals; every input was predicted by a fit without it' out
has "says that inputs are few" 'note: intervals and the residual law come from 13 inputs only' out
same "lists five inputs" 5 "$(sed -n '/inputs missed most/,/^$/p' out | grep -cE ' %  [0-9]+$')"
gives 0 "--top" calibrate --top 2 p.qx
same "lists fewer" 2 "$(sed -n '/inputs missed most/,/^$/p' out | grep -cE ' %  [0-9]+$')"
sql p.qx "SELECT machine FROM calibration" >kept
has "is kept in nanoseconds" '^unit ns$' kept
has "with what was found out about the program" '^function 0 main -?[0-9]' kept
gives 0 "--json" calibrate --json p.qx
same "has every input" "$(printf '%s\n' $sizes | sort | xargs)" "$(json out '*sorted(i["label"] for i in j["inputs"])')"
same "predicts no nonsense" "[]" "$(json out '[i for i in j["inputs"] if not 0.2 < i["predicted"] / i["measured"] < 5]')"
same "has intervals around predictions" "[]" "$(json out '[i for i in j["inputs"] if not i["interval"][0] <= i["interval"][1]]')"
same "has percentiles" "p50 p90 p99" "$(json out '*j["percentiles"]')"
gives 0 "once more" calibrate p.qx
same "keeps the same" "$(cat kept)" "$(sql p.qx "SELECT machine FROM calibration")"
gives 0 "from another guess" calibrate --guess unit p.qx
if [ "$(sql p.qx "SELECT machine FROM calibration")" != "$(cat kept)" ]; then ok "keeps another"; else bad "keeps another"; fi
gives 0 "-o" calibrate -o mine.machine p.qx
same "writes the machine" "name mine
unit ns" "$(head -n 2 mine.machine)"
lacks "without what is of this program" '^(function|scale|residual) ' mine.machine
gives 0 "a report with it" report --machine mine.machine --json counted.qx
same "has another unit" "mine ms" "$(json out 'j["machine"], j["unit"]' | tr -d "(),'" | sed 's/ us$/ ms/')"

# ---- compare in time ----
mkdir -p edited && cp "$root"/examples/quicksort/quicksort.* edited/ && cp "$root/examples/draw.h" . && mkdir -p more
sed -i 's/^    exchange(a, up, down);/    { static volatile long more; more += 3; }\n&/' edited/quicksort.h
$clang -O2 -g -o sort2 edited/quicksort.c twin.c
# shellcheck disable=SC2086
"$quincunx" run -q -o edited.qx -- ./sort2 3 {} ::: $sizes
gives 2 "an edit that was not timed" compare --json --unit time p.qx edited.qx
same "is priced, and nobody can tell" "unknown True True" "$(json out '*(lambda m: (j["verdict"], j["priceDeviation"] > 0.005, m["interval"][0] < 0 < m["interval"][1]))(j["program"]["mean"])')"
gives 1 "in counts" compare --json --unit counts p.qx edited.qx
same "it can be told, and has no such error" "slower 0.0" "$(json out '*(j["verdict"], j["priceDeviation"])')"
sed 's/insertionSort/sortBriefly/' edited/quicksort.h | grep -v 'volatile long more' >renamed.h
mkdir -p renamed && cp edited/quicksort.c renamed/ && mv renamed.h renamed/quicksort.h
$clang -O2 -g -o sort3 renamed/quicksort.c twin.c
# shellcheck disable=SC2086
"$quincunx" run -q -o renamed.qx -- ./sort3 3 {} ::: $sizes
"$quincunx" compare --json --unit time p.qx renamed.qx >out || true # page faults differ from run to run
same "a rename has no such error" "True []" "$(json out '*(j["priceDeviation"] < 0.001, j["functions"])')"
for _ in 1 2 3 4 5; do "$quincunx" compare --json --unit counts p.qx renamed.qx | tr -d ' ' | grep functionsCompared; done >again || true
same "what was inlined is found by its code, each time" 1 "$(sort -u again | wc -l)"
gives 0 "the same build" compare --json --unit time p.qx counted.qx
cp p.qx guessed.qx && "$quincunx" calibrate --guess unit guessed.qx >/dev/null
same "has none in time" "same 0.0" "$(json out '*(j["verdict"], j["priceDeviation"])')"
gives 0 "the same build, calibrated otherwise" compare --json --unit time p.qx guessed.qx
same "has the prices of one" "same 0.0" "$(json out '*(j["verdict"], j["priceDeviation"])')"

# ---- reports ----
gives 0 "report" report p.qx
same "speaks time" yes "$(unit out | grep -qE '^(us|ms)$' && echo yes)"
gives 0 "report --all" report --all p.qx
has "tells inputs" '^ *from inputs ' out
has "from the machine" '^ *from the machine ' out
gives 0 "report --json" report --json p.qx
same "has the two" "inputs machine" "$(json out '*j["spread"]')"
same "functions and the start make the mean" True \
  "$(json out '0 < sum(f["cost"]["mean"] if "cost" in f else f["mean"] for f in j["functions"]) < j["program"]["mean"]')"
gives 0 "report --units counts" report --units counts p.qx
same "speaks cost units" "cost units" "$(unit out)"
lacks "and of no machine's spread" 'from the machine' out
cp out counts.out
gives 0 "a corpus that is not calibrated" report counted.qx
same "is reported the same" "$(grep -v ^next: counts.out)" "$(grep -v ^next: out)"
for words in "model" "explain" "whatif 'cost(main)*=0.5'" "annotate $source" "validate"; do
  eval "set -- $words"
  verb=$1
  shift
  gives 0 "$verb in time" "$verb" p.qx "$@"
  same "$verb speaks time" yes "$(unit out | grep -qE '^(us|ms)$' && echo yes)"
  gives 0 "$verb in counts" "$verb" --units counts p.qx "$@"
  same "$verb speaks cost units" "cost units" "$(unit out)"
done
gives 0 "whatif --json" whatif --json p.qx 'cost(main)*=0.5'
gives 1 "blocks were fitted, and not classes" whatif p.qx 'price(load) *= 2'
has "it says what helps" 'ask cost\(FUNCTION\) \*= FACTOR, or by prices of a machine' err
gives 0 "start-up has a price" whatif --json p.qx 'price(start) *= 1'
same "which is what it was" True "$(python3 -c 'import json; j = json.load(open("out")); print(all(j["before"][p]["value"] == j["after"][p]["value"] for p in j["before"]))')"
gives 0 "--per call" report --per call p.qx
has "is in time, too" '^Cost per call .* in us ' out
has "and says that it is an estimate" 'calls were recorded in units of the build' out
gives 0 "--per call in counts" report --per call --unit counts p.qx
has "is in cost units" '^Cost per call .* in cost units ' out
lacks "which are exact" 'calls were recorded in units of the build' out

# ---- requests ----
cat >server.c <<'SERVER'
#include <quincunx/quincunx.h>
#include <stdlib.h>
__attribute__((noinline)) unsigned step(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
QUINCUNX_REQUEST unsigned handle(unsigned n) {
  unsigned x = n;
  for (unsigned i = 0; i < n; ++i)
    x = step(x + i);
  return x;
}
int main(int argc, char **argv) {
  unsigned x = (unsigned)argc;
  for (int i = 1; i <= atoi(argv[1]); ++i)
    x += handle(1000 + i % 1000);
  return x == 1;
}
SERVER
$clang -O2 -g -o server server.c
$plain -O2 -g -I"$root/include" -o serverplain server.c
requests="300 500 700 1000 1400 2000 3000"
# shellcheck disable=SC2086
"$quincunx" run -q -o s.qx -- ./server {} ::: $requests
# shellcheck disable=SC2086
"$quincunx" run -q -o s.qx --timed --repeat 2 -- ./serverplain {} ::: $requests
gives 0 "calibrate a program with requests" calibrate s.qx
gives 0 "--per request" report --per request s.qx
same "speaks microseconds" us "$(unit out)"
lacks "and of no residual, which is of whole runs" 'from the machine' out
gives 0 "--per request --json" report --per request --json s.qx
same "requests together take less than the runs" True \
  "$(json out 'j["program"]["mean"] * j["requests"]["ended"]' >requests; "$quincunx" report --json s.qx >out
    json out "$(cat requests) * {'us': 1, 'ms': 1e-3, 's': 1e-6}[j['unit']] < 5 * j['program']['mean'] * j['runs']['used']")"
gives 0 "--per request --units counts" report --per request --units counts s.qx
same "speaks cost units there" "cost units" "$(unit out)"

# ---- simulated misses ----
$clang -O2 -g -fplugin-arg-quincunx-record=predictor -o chase "$root/examples/chase/chase.c"
$plain -O2 -o chaseplain "$root/examples/chase/chase.c"
"$quincunx" run -q -o c.qx -- ./chase 1 {1} {2} ::: 1000 50000 200000 ::: 100000 300000 1000000
"$quincunx" run -q -o c.qx --timed --repeat 2 -- ./chaseplain 1 {1} {2} ::: 1000 50000 200000 ::: 100000 300000 1000000
gives 0 "calibrate where misses were simulated" calibrate --json c.qx
same "predicts no nonsense" "[]" "$(json out '[i for i in j["inputs"] if not 0.2 < i["predicted"] / i["measured"] < 5]')"
same "prices some of them" True "$(json out 'j["departures"]["event"] > 0')"
same "prices some, none below 0" yes "$(sql c.qx "SELECT machine FROM calibration" | awk '/^(mispredict|l2Hit|l3Hit|memoryAccess|prefetchedLine|pageWalk) / { n++; if ($2 + 0 < 0) n = -99 } END { print (n > 0) ? "yes" : "no" }')"
gives 0 "a report" report c.qx
same "speaks time of it" yes "$(unit out | grep -qE '^(us|ms)$' && echo yes)"
mv chase chasemisses
$clang -O2 -g -o chase "$root/examples/chase/chase.c"
"$quincunx" run -q -o c.qx -- ./chase 1 {1} {2} ::: 2000 ::: 100000
gives 1 "a build without misses among the runs" calibrate --build all c.qx
same "is refused in one line" "quincunx: error: some of the counted programs were built with record=predictor and some without; keep their runs in two corpora" "$(cat err)"

# ---- misses of some inputs, carried to others; prices of a machine, without any time ----
"$quincunx" run -q -o some.qx -- ./chasemisses 1 {1} {2} ::: 2000 100000 ::: 100000
"$quincunx" run -q -o ordinary.qx -- ./chase 1 {1} {2} ::: 2000 50000 ::: 100000 500000
printf 'name here\nunit ns\nload 0.3\nadd 0.1\nbranch 0.2\nmispredict 5\nl2Hit 3\nl3Hit 30\nmemoryAccess 200\nstart 500000\nprogramSpread 0.4\n' >here.machine
gives 0 "calibrate without any time" calibrate --guess here.machine ordinary.qx
has "says whose prices they are" 'no input is timed; prices are those of here' out
lacks "and of no misses" 'misses carried' out
gives 0 "a report" report --json ordinary.qx
json out 'j["program"]["mean"]' >alone
same "speaks time of it" True "$(json out 'j["unit"] in ("us", "ms")')"
has "says how far it may be off" 'all costs may be off by one factor, from 0.52 to 1.9 \(90 %\)' out
gives 0 "calibrate with misses" calibrate --json --guess here.machine --miss-rates-from some.qx ordinary.qx
same "says whose prices they are" "0 here" "$(json out '"%d %s" % (j["timed"], j["machine"])')"
same "and what misses were carried to" "True True" "$(json out '"%s %s" % (0 < j["misses"]["functions"] <= j["misses"]["of"], 0.5 < j["misses"]["work"] <= 1)')"
gives 0 "a report" report --json ordinary.qx
same "is dearer with them" True "$(json out "j['program']['mean'] > 1.2 * $(cat alone)")"
same "charges it to functions" True "$(json out 'sum(f["cost"]["mean"] if "cost" in f else f["mean"] for f in j["functions"]) > 0.5 * j["program"]["mean"]')"
has "may be off by less" 'all costs may be off by one factor, from 0.7 to 1.4 \(90 %\)' out
gives 0 "calibrate with misses, as text" calibrate -o others.machine --guess here.machine --miss-rates-from some.qx ordinary.qx
has "says what misses were carried to" '^misses carried from simulated runs to [1-9][0-9]* of [1-9][0-9]* functions, [0-9.]+ % of the work$' out
has "keeps the price of what is carried for other programs" '^mispredict 5$' others.machine
has "and how far these may be off" '^programSpread 0.4$' others.machine
lacks "and nothing of this one" '^(function|carried|carries|scale) ' others.machine
$clang -O2 -g -fplugin-arg-quincunx-record=predictor -o sortmisses "$source"
"$quincunx" run -q -o other.qx -- ./sortmisses 3 {} ::: 30000
gives 1 "misses of another program" calibrate --guess here.machine --miss-rates-from other.qx ordinary.qx
has "are refused" '^quincunx: error: the runs of --miss-rates-from are of another program or build: only [0-9]+ of [0-9]+ functions, [0-9.]+ % of the work, have the same name and blocks' err
same "in one line" 1 "$(wc -l <err)"
gives 1 "an empty name" calibrate --guess here.machine --miss-rates-from "" ordinary.qx
same "is refused in one line" "quincunx: error: --miss-rates-from needs the name of a corpus" "$(cat err)"
cp ordinary.qx elsewhere.qx
"$quincunx" run -q -o elsewhere.qx --timed --repeat 1 -- ./chaseplain 1 {1} {2} ::: 3000 ::: 100000
gives 1 "times of inputs that were not counted" calibrate --guess here.machine elsewhere.qx
same "are no reason to forget them" "quincunx: error: 0 inputs that were counted are timed; a calibration needs 5: time more with quincunx run --timed" "$(cat err)"
gives 1 "misses of a corpus that has none" calibrate --guess here.machine --miss-rates-from ordinary.qx ordinary.qx
same "are refused in one line" "quincunx: error: the runs of --miss-rates-from have no simulated misses; build the program with -fplugin-arg-quincunx-record=counts,predictor and run it again" "$(cat err)"
gives 1 "misses that are not there" calibrate --guess here.machine --miss-rates-from nowhere.qx ordinary.qx
same "are refused in one line" 1 "$(wc -l <err)"

# ---- errors: status, one line, what it says ----
refused() { # refused STATUS TEXT LINE WORDS...
  status=$1 text=$2 line=$3
  shift 3
  gives "$status" "refused: $text" "$@"
  same "in one clear line" "$line" "$(head -n 1 err)"
  if [ "$status" = 1 ]; then same "and no more" 1 "$(wc -l <err)"; fi
}
refused 1 "--units time, not calibrated" "quincunx: error: counted.qx is not calibrated: time the plain program (quincunx run --timed) and run quincunx calibrate counted.qx" \
  report --units time counted.qx
refused 1 "nothing timed" "quincunx: error: counted.qx has no timed runs: time the plain program over the same inputs with quincunx run --timed -o counted.qx, or take the prices of a machine that calibrate --machine measured (--guess)" \
  calibrate counted.qx
cp p.qx three.qx
sql three.qx "DELETE FROM repetition WHERE timed NOT IN (SELECT id FROM timed ORDER BY id LIMIT 3)"
refused 1 "three inputs" "quincunx: error: 3 inputs that were counted are timed; a calibration needs 5: time more with quincunx run --timed" \
  calibrate three.qx
cp p.qx same.qx
sql same.qx "UPDATE repetition SET user = 0.01, system = 0"
refused 1 "times that do not differ" "quincunx: error: the times of the inputs differ by less than they repeat (0 %), so they tell no prices; time inputs of other sizes too" \
  calibrate same.qx
same "what was known stays" "$(sql p.qx "SELECT machine FROM calibration")" "$(sql same.qx "SELECT machine FROM calibration")"
cp p.qx back.qx
sql back.qx "UPDATE repetition SET user = 2.0 - 20 * (user + system), system = 0"
sql back.qx "DELETE FROM start_up" # with it known, a fit need not go through the times
gives 1 "refused: times that fall" calibrate back.qx
has "says so" '^quincunx: error: times do not grow with what the runs did: were they of the same program and inputs\?$' err
refused 1 "no corpus" "quincunx: error: cannot open none.qx: No such file or directory" calibrate none.qx
refused 2 "corpus and machine" "quincunx: error: --machine excludes corpus (see quincunx calibrate --help)" calibrate --machine p.qx
refused 2 "neither" "quincunx: error: a corpus, or --machine is required (see quincunx calibrate --help)" calibrate
refused 2 "--machine and --units" "quincunx: error: --machine excludes --unit (see quincunx report --help)" report --machine unit --units time p.qx
refused 1 "a guess that is none" "quincunx: error: no machine 'x86': neither a readable .machine file nor built in" calibrate --guess x86 p.qx
before=$(sql p.qx "SELECT machine FROM calibration")
refused 1 "a folder that is not there" "quincunx: nowhere/x.machine: error: there is no folder for it; make one first" \
  calibrate -o nowhere/x.machine p.qx
same "before anything is kept" "$before" "$(sql p.qx "SELECT machine FROM calibration")"
cp p.qx bad.qx
sql bad.qx "UPDATE calibration SET machine = 'add 1' || char(10) || 'laod 2'"
refused 1 "a calibration that somebody broke" "quincunx: calibration of bad.qx:2: error: unknown class or event 'laod'; did you mean 'load'?" report bad.qx
gives 0 "in counts it can be reported" report --units counts bad.qx
sql p.qx "UPDATE timed SET label = label || 'x' WHERE id <= 2"
gives 0 "inputs that were not counted" calibrate p.qx
has "are told" 'note: 2 of the timed inputs were not counted, and are left out' out

# ---- the corpus ----
gives 0 "corpus dump" corpus dump p.qx
same "has the calibration" "$(sql p.qx "SELECT machine FROM calibration")" "$(sed -n 's/^calibration	//p' out)"
gives 0 "merge" corpus merge all.qx counted.qx p.qx
same "takes it along" "$(sql p.qx "SELECT machine FROM calibration")" "$(sql all.qx "SELECT machine FROM calibration")"
gives 0 "rm --timings" corpus rm --timings p.qx
gives 0 "then a report" report p.qx
same "speaks cost units again" "cost units" "$(unit out)"
finish
