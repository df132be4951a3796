#!/bin/bash
# quincunx eval: models for values of their parameters, and the models of programs as text.
. "$(dirname "$0")/common"
mrm=$root/examples/pamela/mrm.pam psrs=$root/examples/pamela/psrs.pam

cat >repair.pam <<'END'
numeric parameter P
numeric parameter N = 1000
numeric parameter tl = 10
numeric parameter ts = 0.1
resource s = fcfs(0, 1)
process main = par (p = 1, P) seq (i = 1, N) { delay(tl); use(s, ts) }
numeric cycle = tl + ts
END
gives 0 "a point" eval repair.pam -D P=200
has "shows bounds, critical path and contention" 'mean +20000 +30000 +10100 +20000' out
has "by their names" 'lower bound +upper bound' out
has "and the parameters" 'P = 200' out
gives 0 "--json" eval --json repair.pam -D P=50 --define N=10
same "is a document" "quincunx/eval/1 repair.pam main 101.0 0.0 50.0" \
  "$(json out 'j["schema"], j["model"], j["target"], round(j["points"][0]["mean"], 9), j["points"][0]["sd"], round(j["points"][0]["demands"][0]["mean"], 9)' | tr -d "(),'")"
gives 0 "--target with a number" eval --target cycle repair.pam
has "is that number" 'mean +10\.1' out
gives 0 "--sweep by factors" eval --tsv repair.pam --sweep P=1..1000:x10 --sweep N=1,2
same "has a line for each combination" 9 "$(wc -l <out)"
same "the last of which is" "1000 2 200.0" "$(tail -n 1 out | awk '{ printf "%s %s %.1f", $1, $2, $3 }')"
gives 0 "several sweeps in one" eval --tsv repair.pam --sweep P=1..1000:x10,N=1,2
same "are the same" 9 "$(wc -l <out)"
gives 0 "--sweep by steps" eval repair.pam --sweep P=50..150..50
same "is a table" 3 "$(grep -cE '^ *(50|100|150) ' out)"
gives 0 "the example of the thesis" eval --json "$mrm" -D P=1000 -D N=1000000
same "is what its closed form says" True "$(json out 'abs(j["points"][0]["mean"] / 1e8 - 1) < 1e-3')"
gives 0 "its other example" eval --json "$psrs" -D N=4096 -D P=4
same "has a spread" True "$(json out 'j["points"][0]["sd"] > 0 and j["points"][0]["p99"] > j["points"][0]["mean"]')"
gives 1 "a parameter without a value" eval repair.pam
has "is named" 'parameter .P. has no value; give it one, as in -D P=10' err
gives 1 "a parameter that is none" eval repair.pam -D P=1 -D Q=2
has "is named" "no parameter 'Q'" err
gives 2 "a definition that is none" eval repair.pam -D P
gives 2 "a sweep that is none" eval repair.pam --sweep P=5..1
gives 1 "a target that is none" eval repair.pam --target nobody
gives 1 "a file that is not there" eval nowhere.pam
echo 'process main = delay(1' >broken.pam
gives 1 "a text that is no model" eval broken.pam
has "has its place" 'broken.pam:[12]' err
printf 'process main =\n  delay(1 / 0)\n' >zero.pam
gives 1 "a division by zero" eval zero.pam
same "is shown where it stands" "quincunx: zero.pam:2:9: error: division by zero
    delay(1 / 0)
          ^" "$(cat err)"

# ---- expressions ----
gives 0 "--symbolic" eval --symbolic repair.pam -D tl=10
same "gives the expressions of the text" "% for P >= 1, N >= 0, ts >= 0
numeric T_main = max(N * (ts + 10), P * N * ts)
numeric phi_main = N * (ts + 10)
numeric delta_main = P * N * ts * unitvec(0)
numeric omega_main = P * N * ts
numeric theta_main = log(P * ts / (ts + 10))" "$(grep -E '^(%|numeric [Tpdot][a-z]*_)' out)"
cp out result.pam
gives 0 "fmt" fmt --check result.pam
gives 0 "eval of it" eval --json result.pam --target T_main -D P=200
same "is the time of the model" 20000.0 "$(json out 'j["points"][0]["mean"]')"
gives 0 "--symbolic --json" eval --symbolic --json "$psrs"
same "tells what it takes for granted" "True ['N', 'P']" \
  "$(python3 -c 'import json; j = json.load(open("out")); print("N / P whole" in j["provisos"], j["parameters"])')"
gives 0 "names of results" eval --tsv --target phi_main repair.pam -D P=5
same "are targets" 10100 "$(tail -n 1 out | cut -f 2 | cut -d . -f 1)"
cat >names.pam <<'END'
numeric parameter P
process one = seq (i = 1, 1000) delay(2)
process all = par (p = 1, P) seq (i = 1, 1000 / P) delay(2)
numeric speedup = T_one / T_all
END
gives 0 "and have a place in models" eval --tsv --target speedup names.pam -D P=8
same "as numbers" 8 "$(tail -n 1 out | cut -f 2)"
gives 0 "where a closed form does not hold" eval --tsv names.pam --target all --sweep P=-1,1
same "the model is gone through" "0 2000" "$(tail -n 2 out | cut -f 2 | xargs)"
# a billion turns that depend on their index cost what one does
printf 'numeric parameter N\nprocess main = seq (i = 1, N) seq (j = 1, i) delay(j)\n' >cubic.pam
gives 0 "a closed form" eval --tsv cubic.pam -D N=1e9
same "takes no time to go through" 1.66666667166666e+26 "$(tail -n 1 out | cut -f 2 | sed 's/\(\.[0-9]\{14\}\)[0-9]*/\1/')"
printf 'numeric parameter N\nprocess main = seq (i = 1, N) delay(floor(i / 3))\n' >floors.pam
gives 0 "what has none" eval floors.pam -D N=100
has "says so" 'note: not in closed form: time grows with the bounds' out

# ---- ranges, derivatives, formulas ----
cat >ranged.pam <<'END'
numeric parameter n >= 0 and <= 64 = 10
numeric parameter t >= 0 = 3
process main = seq (i = 1, n) if (i mod 4 == 0) delay(t) else delay(1)
END
gives 0 "fmt of ranges" fmt --check ranged.pam
gives 0 "a closed form with mod" eval --symbolic ranged.pam
has "is one" '^numeric T_main = t \* \(n div 4\) \+ n - n div 4$' out
has "and keeps its ranges" '^numeric parameter n >= 0 and <= 64 = 10$' out
has "which are not taken for granted again" '^% for n whole$' out
gives 0 "--symbolic --json" eval --symbolic --json ranged.pam
same "has them, too" "True {'least': '0', 'most': '64'}" "$(json out 'j["closed"], j["ranges"]["n"]')"
for words in eval "eval --symbolic" "eval --sweep t=1,2" "eval --derivative t" "simulate -n 2" "eval --solve main>1 --for t=1"; do
  # shellcheck disable=SC2086
  gives 1 "a value outside: $words" $words ranged.pam -D n=65
  has "is an error with its place" '^quincunx: ranged.pam:1:33: error: n = 65 is not in its range: the model says n <= 64$' err
done
gives 0 "--derivative" eval --json ranged.pam --derivative t -D n=8
same "is exact" "2.0 True smooth" "$(json out 'j["derivatives"][0]["derivative"], j["derivatives"][0]["exact"], j["derivatives"][0]["kind"]' | tr -d "(),'")"
gives 0 "at a step" eval ranged.pam --derivative n -D n=8
has "there is none, which is said" 'a step: none' out
gives 0 "--symbolic --derivative" eval --symbolic ranged.pam --derivative t
has "is an expression" '^numeric dT_main_dt = n div 4$' out
gives 1 "a derivative in what is no parameter" eval ranged.pam --derivative main
gives 0 "--as c" eval --symbolic --as c ranged.pam
has "is a function" '^double T_main\(double n, double t\) \{$' out
gives 0 "--as latex" eval --symbolic --as latex ranged.pam
has "is an equation" 'T_\{\\mathrm\{main\}\} &= ' out
gives 2 "--as without --symbolic" eval --as c ranged.pam
gives 1 "a function of random times" eval --symbolic --as c "$mrm"
has "is none, and why" 'the mean of the largest of random times is none; --as latex' err

# ---- the smallest parameter ----
gives 0 "--solve" eval repair.pam --solve 'main <= 10100' --for P=1..1000
same "finds the least" "P = 1: mean of main is 10100" "$(head -n 1 out)"
gives 0 "a limit from above" eval repair.pam --solve 'main <= 15000' --for P=1..1000 --largest
same "holds for the upper bound, of the largest" "P = 50: mean of main is 15000" "$(head -n 1 out)"
has "and says so" 'note: that is the upper bound' out
gives 0 "a limit from below" eval "$mrm" -D N=1000 --solve 'main.p99 > 20000' --for P
has "holds for the lower bound, without a range" '^P = 200: p99 of main is 2003' out
has "and says so" 'note: that is the lower bound' out
gives 0 "as JSON" eval --json "$mrm" -D N=1000 --solve 'main.p99 > 20000' --for P=1..1000
same "is a document" "200.0 lower" "$(json out 'j["value"], j["bound"]' | tr -d "(),'")"
gives 1 "a figure without bounds" eval repair.pam --solve 'main.sd < 1' --for P=10
has "is refused" 'sd of main has no bound: ask for the mean or a percentile, or simulate' err
gives 2 "--largest of nothing" eval repair.pam -D P=1 --largest
gives 1 "what cannot be" eval repair.pam --solve 'T_main.mean < 10' --for P=1,2,3
has "tells the best there is" 'no P from 1 to 3 will do: the least mean of T_main is 10100, at 1' err
gives 2 "a condition that is none" eval repair.pam --solve 'main ~ 10' --for P
gives 2 "a figure that is none" eval repair.pam --solve 'main.p101 < 10' --for P
gives 2 "a condition without a parameter" eval repair.pam --solve 'main < 10'
gives 1 "a parameter that is none" eval repair.pam -D P=1 --solve 'main < 10' --for Q

gives 0 "--plot" eval repair.pam --sweep P=1..1000:x10 --plot
same "has a bar for each point" 4 "$(grep -cE '^P = 10* +[#█]+' out)"
has "between bounds that it names" 'mean from the lower bound to the upper bound' out
gives 0 "a sweep of bounds" eval repair.pam --sweep P=50,100
has "names them" ' P +lower mean +upper mean +lower p50' out
gives 0 "a sweep of times" eval repair.pam --target cycle --sweep tl=1,2
has "has no bounds" 'tl +mean +sd +p50' out

# ---- several targets, and simulation beside bounds ----
gives 0 "several targets" eval names.pam --tsv --target one --target all --sweep P=1,4
same "stand together" "one 1 2000 all 1 2000 one 4 2000 all 4 500" \
  "$(tail -n 4 out | cut -f 1-3 | xargs)"
gives 0 "in JSON" eval names.pam --json --target one --target all -D P=4
same "each has its name" "['one', 'all'] all" "$(python3 -c 'import json; j = json.load(open("out")); print(j["targets"], j["points"][1]["target"])')"
gives 2 "and are not solved" eval names.pam --target one --target all --solve 'one < 1' --for P
gives 0 "--simulate" eval --json --simulate "$mrm" -D P=20 -D N=50
same "is between the bounds" True "$(python3 - <<'END'
import json
p = json.load(open("out"))["points"][0]
s = p["simulated"]
print(p["mean"] <= s["mean"] + 4 * s["standardError"] and s["mean"] - 4 * s["standardError"] <= p["upper"]
      and p["p90"] <= s["p90"]["value"] <= p["upper p90"])
END
)"
gives 0 "as text" eval --simulate repair.pam -D P=200 -D N=10
has "is a column with its error" 'lower bound +upper bound +simulated +standard error' out
gives 2 "of many points" eval --simulate repair.pam --sweep P=1..101

# ---- laws that are known ----
cat >modes.pam <<'END'
process main = if (0.3) delay(100) else delay(1)
numeric parts = histogram(1, 90, 2, 9, 10, 1)
numeric fitted = exponential(1) + exponential(2)
process rare = delay(500) || delay(histogram(1, 9999, 1000, 1))
END
gives 0 "what is rare and far away" eval --json modes.pam --target rare
same "counts beside a constant" 500.05 "$(json out 'round(j["points"][0]["mean"], 9)')"
gives 0 "two modes" eval --json modes.pam
same "stay two" "1.0 100.0 100.0 0" "$(json out 'j["points"][0]["p50"], j["points"][0]["p90"], j["points"][0]["p99.9"], len(j["notes"])' | tr -d "(),'")"
gives 0 "a histogram" eval --json modes.pam --target parts
same "ends with its largest value" "2.0 10.0" "$(json out 'j["points"][0]["p99"], j["points"][0]["p99.9"]' | tr -d "(),'")"
gives 0 "what is not known" eval modes.pam --target fitted
has "says so" 'note: percentiles are of laws that were fitted to moments' out

cat >alias.pam <<'END'
resource a = fcfs(0, 1)
resource b = fcfs(0, 2)
process main = use(a, 1); use(b, 2)
END
for verb in eval "eval --symbolic" simulate; do
  gives 1 "one resource with two multiplicities" $verb alias.pam
  has "is an error in $verb" 'alias.pam:2:14: error: resource fcfs\(0\) has multiplicity 2 here and 1' err
done

# ---- simulation ----
gives 0 "simulate" simulate --json repair.pam -D P=200 -D N=100
same "is exact where nothing is random, and never below the bound" "1 True" \
  "$(json out 'j["replications"], 2000 <= j["mean"] <= 2000 + 11' | tr -d "(),'")"
gives 0 "a random model" simulate --json "$mrm" -D P=20 -D N=50 -n 300 --seed 7
cp out first
gives 0 "the same seed" simulate --json "$mrm" -D P=20 -D N=50 -n 300 --seed 7
check "gives the same answer" cmp out first
gives 0 "eval" eval --json "$mrm" -D P=20 -D N=50
same "is close to it where nobody waits much" True "$(python3 - <<'END'
import json
is_, should = json.load(open("out"))["points"][0], json.load(open("first"))
print(abs(is_["mean"] / should["mean"] - 1) < 0.02 and is_["p99"] <= should["p99"]["value"] <= is_["upper p99"])
END
)"
gives 0 "as text" simulate "$mrm" -D P=20 -D N=50 -n 20
has "says who waited" 'mean wait +resource' out
gives 1 "a parameter without a value" simulate "$mrm" -D N=5
gives 2 "no replications" simulate "$mrm" -n 0

# ---- models of programs ----
"$quincunx" run -q -o p.qx -- ./worker {} ::: $(seq 0 10 990)
gives 0 "model --json" model --json p.qx
cp out model
gives 0 "model --pamela" model --pamela p.qx
cp out p.pam
has "has processes with their source" '^% inner \(worker\.c:[0-9]+\)$' p.pam
gives 0 "which are a model" eval --json p.pam
same "of a run, as long as one" True "$(python3 - <<'END'
import json
run = json.load(open("model"))["composedMean"]
print(abs(json.load(open("out"))["points"][0]["mean"] / run - 1) < 1e-9)
END
)"
for name in main outer inner; do
  gives 0 "--function" model --pamela --function "^$name\$" p.qx
  cp out f.pam
  gives 0 "a model of one function" eval --json f.pam
  same "has its moments" True "$(NAME=$name python3 - <<'END'
import json, os
functions = json.load(open("model"))["functions"]
f = [f for f in functions if f["name"] == os.environ["NAME"]][0]["inclusive"]
p = json.load(open("out"))["points"][0]
charged = os.environ["NAME"] == "main" and any("asMeasured" in f for f in functions) # the model has the parts
print(abs(p["mean"] / f[0] - 1) < 1e-9 and (charged or abs(p["sd"] ** 2 - f[1]) <= 1e-9 * max(f[1], f[0] ** 2 * 1e-6)))
END
)"
done
gives 0 "--branch observed" model --pamela --branch observed --function '^main$' p.qx
cp out f.pam
gives 0 "a model of counts that are what they are" eval --json f.pam
same "does not vary" True "$(json out 'j["points"][0]["sd"] == 0')"
gives 1 "runs that are kept apart" model --pamela --per-run p.qx
finish
