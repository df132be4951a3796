#!/bin/bash
# quincunx report: that its figures are those of the runs, and what its options choose. How the table
# looks is left to test/unit/report.
. "$(dirname "$0")/common"

"$quincunx" run -q -o p.qx -- ./worker {} ::: $(seq 0 10 990)
names() { awk '/ function$/ { on = 1; next } / \(library\)$/ { next } on && !/^ *(>= +)?[0-9]/ { exit } on { print $NF }' "$1" | xargs; }

gives 0 "report" report p.qx
cp out plain
same "lists every function" "inner main outer rarely" "$(names plain | tr ' ' '\n' | sort | xargs)"
gives 0 "again" report p.qx
check "is the same, byte by byte" cmp out plain
lacks "has no colours when nobody sees them" "$(printf '\033')" plain

gives 0 "--json" report --json p.qx
cp out j
same "is a document that names its schema" "quincunx/report/1 p.qx" "$(json j 'j["schema"], j["corpus"]')"
same "all runs are used" "100 100 0 0" "$(json j '*(j["runs"][k] for k in ("used", "finished", "censored", "crashed"))')"
same "the call counts are the arguments" "495.0 0.0 990.0" \
  "$(json j '*({f["name"]: f for f in j["functions"]}["inner"]["calls"][k] for k in ("mean", "min", "max"))')"
same "shares of own cost add up to one" 1.0 "$(json j 'round(sum(f["share"] for f in j["functions"]), 9)')"
same "percentiles ascend" True "$(json j '(lambda p: p == sorted(p))([j["program"][k]["value"] for k in ("p50", "p90", "p99", "p99.9")])')"
same "a percentile is within its interval" True "$(json j '(lambda q: q["interval"][0] <= q["value"] <= q["interval"][1])(j["program"]["p50"])')"

gives 0 "--top" report --top 1 p.qx
same "shows that many" "main" "$(names out)"
gives 0 "--top 0" report --top 0 p.qx
same "shows all" 4 "$(names out | wc -w)"
gives 0 "--all" report --all p.qx
has "has what is not shown else" '^kurtosis ' out
gives 0 "without it" report p.qx
lacks "it is not there" '^kurtosis ' out
has "but what to ask next" '^next: quincunx explain p.qx$' out
gives 0 "--top with --json" report --json --top 2 p.qx
same "as well" 2 "$(json out 'len(j["functions"])')"

sorted() { # sorted KEY EXPRESSION: the expression of functions f, whose cost with all they call is t where it is known, does not ascend
  gives 0 "--sort $1" report --json --sort "$1" p.qx
  same "sorts by it" True "$(json out "(lambda v: v == sorted(v, reverse=True))([$2 for f in j['functions'] for t in [f.get('total', f['cost'])]])")"
}
sorted p99 't["p99"]["value"]'
sorted mean 't["mean"]'
sorted share 'f.get("totalShare", f["share"])'
sorted sd 't["sd"]'
sorted calls 'f["calls"]["mean"]'
gives 0 "--sort name" report --json --sort name p.qx
same "sorts by it" "inner main outer rarely" "$(json out '*(f["name"] for f in j["functions"])')"
gives 2 "--sort by what nobody knows" report --sort weight p.qx

gives 0 "--function" report --json --function 'in|out' p.qx
same "chooses by a regular expression" "inner main outer" "$(json out '*sorted(f["name"] for f in j["functions"])')"
same "the program stays as it is" "$(json j 'j["program"]')" "$(json out 'j["program"]')"
gives 1 "--function of none" report --function outr p.qx
has "says which it may have been" "none of the functions here matches 'outr'; did you mean 'outer'\?" err
gives 1 "--function with half an expression" report --function '(' p.qx
same "is one line" 1 "$(wc -l <err)"

gives 0 "--machine unit" report --json --machine unit p.qx
same "is named" unit "$(json out 'j["machine"]')"
if [ "$(json out 'j["program"]["mean"]')" != "$(json j 'j["program"]["mean"]')" ]; then ok "gives other figures"; else bad "gives other figures"; fi
cp "$root/machines/unit.machine" own.machine
gives 0 "--machine FILE" report --json --machine own.machine p.qx
same "prices by the file" "$("$quincunx" report --json --machine unit p.qx >u; json u 'j["program"]')" "$(json out 'j["program"]')"
printf 'name random\nunit cycles\nload moments(1, 9, 2, 9)\nadd moments(1, 4, 2, 9)\nmultiply moments(9, 400, 2, 9)\n' >random.machine
gives 1 "a machine nobody knows" report --machine abacus p.qx
has "is named" abacus err

# ---- what was called and not counted ----
cat >library.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile int sink;
__attribute__((noinline)) static char *make(int n) { char *p = malloc(n + 9); p[0] = (char)n; return p; }
int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < n; ++i) {
    char *p = make(i), *q = i % 2 ? make(n) : 0;
    sink = memcmp(p, argv[0], 1 + n % 2) > 0;
    free(p);
    if (q)
      free(q);
  }
  puts(argv[1]);
}
END
$clang -O2 -g -o library library.c
"$quincunx" run -q -o l.qx -- ./library {} ::: $(seq 0 2 98)
gives 0 "libraries" report --json l.qx
cp out l
library() { json "$1" "*(lambda f: [f[k] and f[k]['mean'] for k in ('calls', 'cost')])({f['name']: f for f in j['library']}['$2'])"; }
same "are called as often as the arguments say" "73.5 None 73.5 None 49.0 None 1.0 None" "$(for f in malloc free memcmp puts; do library out $f; done | xargs)"
check "as the judge counts" $judge identity --quincunx "$quincunx" l.qx
gives 0 "text" report l.qx
has "shows them below the functions" '^ +73.5 +malloc \(library\)$' out
{ cat "$root/machines/x86-64.machine"; echo 'callee malloc 1000'; } >priced.machine
gives 0 "with a price" report --json --machine priced.machine l.qx
same "they cost it" "73.5 73500.0" "$(library out malloc)"
same "in place of their callers" True "$(python3 -c '
import json
free, priced = json.load(open("l")), json.load(open("out"))
own = lambda j: {f["name"]: f["cost"]["mean"] for f in j["functions"]}
whole = sum(f["cost"]["mean"] for f in priced["functions"] + priced["library"] if f["cost"])
print(own(free) == own(priced) and abs(whole - priced["program"]["mean"]) < 1e-6)')"
gives 0 "--function" report --function '^malloc$' --machine priced.machine l.qx
has "shows the one that is asked for" ' 72000 .* 73.5 +malloc \(library\)$' out

# ---- few runs ----
"$quincunx" run -q -o one.qx -- ./worker {} ::: 7
gives 0 "one run" report --all one.qx
lacks "has no percentiles" '\bp90\b|99[.]9|(self|total|of|cost) p50' out
has "but its cost" '^program +[0-9]+$' out
same "and lists its functions" "main outer" "$(names out | tr ' ' '\n' | sort | grep -E 'main|outer' | xargs)"
gives 0 "in counts of random costs" report --machine random.machine one.qx
"$quincunx" run -q -o two.qx -- ./worker {} ::: 0 1000
gives 0 "two runs that differ much" report --json two.qx
same "no mean of costs may be below 0" 0 "$(json out 'sum(x["meanInterval"][0] < 0 for x in [j["program"]] + [f["cost"] for f in j["functions"]])')"
gives 0 "text" report two.qx
lacks "says so too" '-[0-9]+ [.][.]|[(]-' out
gives 0 "costs that are random" report --machine random.machine two.qx
same "no maximum is below p99.9" True "$(awk '$1 == "program" { gsub(">= ", ""); print ($5 >= $4) ? "True" : $0; exit }' out)"

# ---- runs that are not finished ----
"$quincunx" run -q -o q.qx -- ./worker {} ::: $(seq 0 10 90)
"$quincunx" run -q -o q.qx -- ./worker {} abort ::: 5 2>err || true
"$quincunx" run -q -o q.qx --timeout 0.5 -- ./worker {} sleep 9000 ::: 6 2>err || true
gives 0 "crashes and timeouts" report --json q.qx
same "are told apart" "10 1" "$(json out 'j["runs"]["finished"], j["runs"]["crashed"]' | tr -d '(),')"
gives 1 "a corpus that is not there" report none.qx
gives 2 "no corpus" report
finish
