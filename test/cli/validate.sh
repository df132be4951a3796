#!/bin/bash
# quincunx validate: the default estimate is an identity on the runs it was made from, a half that equals the other is
# predicted without error, and models that do not apply say why.
. "$(dirname "$0")/common"
export Q=$quincunx

"$quincunx" run -q -o p.qx -- ./worker {} ::: $(seq 0 10 990)
gives 0 "validate" validate p.qx
has "shows the floor" 'floor +a perfect one' out
has "says which model does not apply" 'renewal, runs together does not apply: .*record=counts,calls,runs' out
gives 0 "--json" validate --json p.qx
cp out j
same "is a document that names its schema" "quincunx/validate/1 50 50" "$(json j 'j["schema"], j["profiled"], j["heldOut"]' | tr -d '(),')"
same "in-sample the default is exact" "0.0 0.0 0.0 0.0 0.0" "$(json j '*j["estimators"][0]["inSample"].values()')"
same "held out it is not" True "$(json j 'any(x != 0 for x in j["estimators"][0]["heldOut"].values())')"
same "the floor is no error of zero" True "$(json j 'all(x > 0 for x in j["floor"].values())')"
same "and its mean over splits is nearly none" True "$(json j 'abs(j["estimators"][0]["heldOut"]["mean"]) < j["estimators"][0]["heldOutSpread"]["mean"]')"
same "the spread is about the floor" True "$(json j '0.5 < j["estimators"][0]["heldOutSpread"]["mean"] / j["floor"]["mean"] < 1.6')"
"$quincunx" report --json p.qx >report
same "the truth is that of the report" True \
  "$(python3 -c 'import json; print(abs(json.load(open("j"))["truth"]["mean"] / json.load(open("report"))["program"]["mean"] - 1) < 1e-12)')"

"$quincunx" run -q -o again.qx -- ./worker {} ::: $(seq 990 -10 0)
gives 0 "the same inputs, recorded again in another order" validate --json again.qx
grep -v '"corpus"' out >again
grep -v '"corpus"' j >first
same "have the same answer" "$(cat first)" "$(cat again)"

"$quincunx" run -q -o same.qx -- ./worker {} ::: 500 500 500 500 500 500
gives 0 "one input again and again" validate --json same.qx
same "is predicted without error" True "$(json out 'all(x == 0 for x in j["estimators"][0]["heldOut"].values())')"

"$quincunx" run -q -o few.qx -- ./worker {} ::: 1 2 3
gives 1 "three runs" validate few.qx
has "are too few" 'at least four' err
gives 1 "a corpus that is not there" validate none.qx

$clang -O2 -g -fplugin-arg-quincunx-record=counts,calls,runs -o recorded "$here/worker.c"
"$quincunx" run -q -o q.qx -- ./recorded {} ::: $(seq 0 10 990)
gives 0 "with runs recorded" validate --json q.qx
same "all models apply" 0 "$(json out 'sum("why" in e for e in j["estimators"])')"
same "their means are those of the counts" True \
  "$(json out 'all(abs(e["inSample"]["mean"]) < 1e-9 for e in j["estimators"] if "empirical" not in e["name"])')"
finish
