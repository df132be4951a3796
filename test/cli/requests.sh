#!/bin/bash
# --per request: from a marked function to its report, in text and JSON, beside the source, and what is said when there is
# nothing to report. What requests count is judged by test/judges/requests.sh.
. "$(dirname "$0")/common"

cat >server.c <<'END'
#include <quincunx/quincunx.h>
#include <stdlib.h>
__attribute__((noinline)) unsigned step(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
QUINCUNX_REQUEST unsigned handle(unsigned n) {
  unsigned x = n;
  quincunx_feature("n", n);
  for (unsigned i = 0; i < n; ++i)
    x = step(x + i);
  return x;
}
QUINCUNX_REQUEST unsigned ping(unsigned n) { return step(n); }
int main(int argc, char **argv) {
  unsigned x = 0;
  for (int i = 1; i <= atoi(argv[1]); ++i)
    x += handle(i % 1000);
  if (argc > 2)
    x += ping(1);
  return x == 1;
}
END
$clang -O2 -g -o server server.c
"$quincunx" run -q -o s.qx -- ./server {} ::: 100

gives 0 "--per request" report --per request s.qx
has "says of which function, and how many" 'Cost per request of handle .* 100 of 100 requests' out
has "the slowest are named, with their features" ' 100#100  n=100$' out
lacks "nothing is said of a sample when there is none" 'drawn at random' out
has "asks next about requests" '^next: quincunx explain s.qx --per request$' out
gives 0 "explain --per request" explain --per request s.qx
has "and so does that" '^next: quincunx (whatif|annotate) s.qx .*--per request$' out
gives 0 "--per request --json" report --per request --json s.qx
same "the document says what it is about" "request handle 100 100 100" \
  "$(json out 'j["per"], j["request"], j["requests"]["kept"], j["requests"]["ended"], j["requests"]["begun"]' | tr -d "(),'")"
same "calls of step are the features" "50.5 1.0 100.0" \
  "$(json out '*({f["name"]: f for f in j["functions"]}["step"]["calls"][k] for k in ("mean", "min", "max"))')"
same "costs ascend with them" True "$(json out '(lambda r: [x["cost"] for x in r] == sorted(x["cost"] for x in r))(sorted(j["perRequest"], key=lambda x: x["features"]["n"]))')"
same "each stands for itself" "{1.0}" "$(json out 'set(x["weight"] for x in j["perRequest"])')"
gives 0 "runs are as they were" report --json s.qx
same "and one" "1 run" "$(json out 'j["runs"]["used"], "run" if "per" not in j else "?"' | tr -d "(),'")"

"$quincunx" run -q -o many.qx -- ./server {} ::: 5000 3000
gives 0 "more requests than are kept" report --per request --json many.qx
same "all are known of" "2048 8000" "$(json out 'j["requests"]["kept"], j["requests"]["ended"]' | tr -d '(),')"
same "means are over all of them" 499.5 "$(json out 'round({f["name"]: f for f in j["functions"]}["step"]["calls"]["mean"], 9)')"
same "each stands for as many as its process had" "[2.9296875, 4.8828125]" "$(json out 'sorted(set(x["weight"] for x in j["perRequest"]))')"
same "the sample gives percentiles near the truth" True \
  "$(json out '(lambda q: abs(q["value"] - 500) < 60 and q["interval"][0] <= q["value"] <= q["interval"][1])({f["name"]: f for f in j["functions"]}["step"]["calls"]["p50"])')"
gives 0 "text says so" report --per request many.qx
has "in a note" '2,048 of 8,000 requests were kept, drawn at random; means are over all of them' out

gives 0 "annotate --per request" annotate --per request s.qx server.c
has "says how many" '100 requests' out
at=$(grep -n 'x = step' server.c | cut -d: -f1)
same "the mean number of executions is beside the line" 50.5 "$(awk -F'[|]' -v n="$at" '$1 ~ " " n "$" { split($1, f, " "); print f[1] }' out)"

"$quincunx" run -q -o two.qx -- ./server {} x ::: 10
gives 1 "several marked functions" report --per request two.qx
has "are named" 'choose one with --function: handle, ping' err
gives 0 "--function chooses" report --per request --function '^p' two.qx
has "one of them" 'Cost per request of ping .* 1 of 1 request' out
gives 1 "a name that none has" report --per request --function zap two.qx
has "those there are" "no marked function matches 'zap'; there is handle, ping" err
gives 1 "half an expression" report --per request --function '(' two.qx
"$quincunx" run -q -o none.qx -- ./worker {} ::: 5
gives 1 "a program without marks" report --per request none.qx
has "what to do" 'no requests; mark a function' err
gives 2 "--per what nobody knows" report --per second s.qx

gives 0 "merging" corpus merge all.qx s.qx many.qx
gives 0 "takes requests along" report --per request --json all.qx
same "all of them" "2148 8100" "$(json out 'j["requests"]["kept"], j["requests"]["ended"]' | tr -d '(),')"
gives 0 "removing a run" corpus rm all.qx --label 5000
gives 0 "takes its requests away" report --per request --json all.qx
same "and no others" "1124 3100" "$(json out 'j["requests"]["kept"], j["requests"]["ended"]' | tr -d '(),')"
finish
