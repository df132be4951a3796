#!/bin/bash
# quincunx law: that people and programs get the same answers, that they are right where mathematics
# knows them, and that what cannot be answered gets a reason.
. "$(dirname "$0")/common"

near() { # near TEXT FILE EXPRESSION VALUE [RELATIVE]
  python3 - "$2" "$3" "$4" "${5:-1e-9}" <<'END' >.near 2>&1 && ok "$1" || { bad "$1"; sed 's/^/     | /' .near; }
import json, math, sys
j = json.load(open(sys.argv[1]))
got, want, tolerance = eval(sys.argv[2]), eval(sys.argv[3]), float(sys.argv[4])
got, want = (x if isinstance(x, list) else [x] for x in (got, want))
print(got, "is not", want)
sys.exit(not (len(got) == len(want) and all(abs(g - w) <= tolerance * max(1, abs(w)) for g, w in zip(got, want))))
END
}

# ---- fit ----
gives 0 "fit: the exponential" law fit --json --moments 1,1,2,9 --quantile .5,.99 --cdf 1,3 --bounds
near "has its quantiles" out 'j["quantiles"]' '[math.log(2), math.log(100)]'
near "and its cdf" out 'j["cdf"]' '[1 - math.exp(-1), 1 - math.exp(-3)]'
same "within the bounds" True "$(json out 'all(b[0] <= q <= b[1] for b, q in zip(j["bounds"], j["quantiles"]))')"
near "which are sharp" out '(j["bounds"][1][1] - 1)' 5.34 2e-3
gives 0 "fit as text" law fit --moments 1,1,2,9 --bounds
has "names the family" pearson out
has "shows the percentiles" '^ *0\.99 +4\.60517 +' out
gives 0 "a support that the law would leave" law fit --moments 0.5,0.09,0,1.8 --support 0,1
has "has a law inside" 'the pearson law would go beyond the support' out
gives 1 "a support that no law keeps" law fit --moments 1,1,0,3 --support 0,
has "is refused" 'the pearson law with these moments has 0.158[0-9]* of its mass outside' err
gives 0 "--support" law fit --json --moments 1,1,2,9 --quantile .99 --bounds --support 0,
same "narrows the bounds" True "$(json out 'j["bounds"][0][1] < 1 + 5.35')"
gives 0 "--unimodal" law fit --json --moments 0,1,0,3 --quantile .9,.99 --bounds --unimodal
near "narrows them too" out '[b[1] for b in j["bounds"]]' '[1.513352, 2.879789]' 1e-6
same "and says so" True "$(json out 'j["unimodal"]')"
gives 0 "--unimodal as text" law fit --moments 1,1,2,9 --bounds --unimodal
has "says what it assumes" 'any law with these moments, if it has one mode' out
gives 1 "moments that take two modes" law fit --moments 0,1,0,1.5 --bounds --unimodal
has "say so" 'no law with one mode has these moments' err
gives 0 "a support that ends far away" law fit --json --moments 10,3,0.667,2 --quantile .9 --bounds --unimodal --support 0,1e18
near "says no more than one that does not end" out 'j["bounds"][0]' '[12.744222571, 12.796649102]' 1e-3
gives 2 "--unimodal without bounds" law fit --moments 0,1,0,3 --unimodal
gives 0 "a constant" law fit --json --moments 7,0,0,3
near "is always the same" out 'j["quantiles"]' '[7, 7, 7, 7]'
gives 1 "impossible moments" law fit --moments 1,1,2,4
has "say why" 'no law has these moments' err
gives 1 "a family that does not exist" law fit --moments 1,1,0,3 --family gaus
gives 2 "moments that are no numbers" law fit --moments 1,x,2,9
gives 1 "three moments" law fit --moments 1,1,2
gives 1 "a probability above one" law fit --moments 1,1,0,3 --quantile 1.5

# ---- join ----
gives 0 "join: the last of 128 exponentials" law join --json --max 128 --moments 1,1,2,9 --quantile 0.5
near "takes the harmonic number on average" out 'j["cumulants"][:2]' \
  '[sum(1 / i for i in range(1, 129)), sum(1 / i**2 for i in range(1, 129))]'
near "and has its median" out 'j["quantiles"][0]' '-math.log(-math.expm1(math.log(0.5) / 128))'
gives 0 "join: the first of 128" law join --json --min 128 --moments 1,1,2,9
near "is 128 times as fast" out 'j["moments"]' '[1 / 128, 1 / 128**2, 2, 9]'
gives 0 "join: the third of five" law join --json --kth 3/5 --moments 1,1,2,9
near "is a sum of three gaps" out 'j["cumulants"][0]' '1/5 + 1/4 + 1/3'
gives 0 "join: different tasks" law join --json --max 3 --moments '2*1,1,2,9' --moments 0,0,0,3
near "a constant 0 does not matter" out 'j["cumulants"][0]' 1.5
gives 2 "join: which of them" law join --moments 1,1,2,9
gives 2 "join: how many are they" law join --max 5 --moments '2*1,1,2,9' --moments 1,1,2,9
gives 0 "join as text" law join --max 128 --moments 1,1,2,9
has "shows moments" 'mean 5\.43315' out

# ---- skeleton ----
gives 0 "parallel map" law skeleton parmap --json --tasks 8 --processors 4 --moments 1,1,2,9
near "of exponential tasks" out 'j["cumulants"][:2]' '[4.244713410428522, 3.4779613233151741]'
gives 0 "dealt out evenly" law skeleton parmap --json --tasks 8 --processors 4 --moments 1,1,2,9 --placement fixed
near "is faster" out 'j["cumulants"][0]' 3.5471643518518519
gives 0 "with probabilities" law skeleton parmap --json --tasks 8 --placement 1,1,1,1 --moments 1,1,2,9
near "that are equal" out 'j["cumulants"][0]' 4.244713410428522
gives 0 "divide and conquer" law skeleton dc --json --depth 3 --moments 1,1,2,9 --split .5,0,0,3 --combine .25,0,0,3
near "waits for the last leaf" out 'j["cumulants"][0]' 4.9678571428571429
gives 1 "no processors" law skeleton parmap --tasks 8 --processors 0 --moments 1,1,2,9

# ---- batch ----
cat >requests <<'END'
{"op":"compose","n":[10,0,0,0],"x":[1,1,2,6]}
{"op":"mix","weights":[0.5,0.5],"parts":[[0,0,0,0],[2,0,0,0]]}
{"op":"branch","rate":[0.3,0.21,0.084,-0.0546],"then":[1,0,0,0],"else":[0,0,0,0]}
{"op":"convert","from":"raw","to":"moments","values":[1,2,6,24]}
{"op":"renewal","up":[2,2,6,26],"down":[2,2,6,26]}
{"op":"eliminate","graph":{"entry":0,"exits":[9],"edges":[[0,0,"0.5",[1,0,0,0]],[0,9,"0.5",[0,0,0,0]]]}}
{"op":"join","kind":"max","k":null,"tasks":[{"mixture":[{"weight":1,"moments":[1,0,0,3]},{"weight":1,"moments":[3,0,0,3]}],"count":2}],"quantiles":[0.5]}

not json
{"op":"fitt"}
{"op":"fit","moments":[1,1,0,"NaN"]}
{"op":"compose","n":[1e300,0,0,0],"x":[1e300,1,0,0]}
[]
{"op":"skeleton","kind":"parmap","moments":[1e77,10,2,9],"tasks":100,"placement":[0.5,0.5]}
{"op":"convert","from":"moments","to":"raw","values":[1e100,1,0,3]}
END
gives 0 "batch" law batch requests
same "answers every request, in order" 14 "$(wc -l <out)"
line() { sed -n "$1p" out >line; }
line 1; near "compose" line 'j["cumulants"]' '[10, 10, 20, 60]'
line 2; near "mix" line 'j["cumulants"]' '[1, 1, 0, -2]'
line 3; near "branch" line 'j["cumulants"]' '[0.3, 0.21, 0.084, -0.0546]'
line 4; near "convert" line 'j["moments"]' '[1, 1, 2, 9]'
line 5; near "renewal of geometric runs is Bernoulli" line 'j["rates"]' '[0.5, 0.25, 0, -0.125]'
line 6; near "eliminate" line 'j["exits"][0]["cumulants"]' '[1, 2, 6, 26]'
same "names the exit and its probability" "9 1.0" "$(json line 'j["exits"][0]["exit"], j["exits"][0]["probability"]' | sed 's/9\.0/9/')"
line 7; near "a mixture in a join" line 'j["raw"][0]' 2.5
for n in 8 9 10 11 12; do line $n; has "line $n is a reason" '^\{"error":"[a-z].*"\}$' line; done
for n in 13 14; do line $n; has "line $n is out of range" '^\{"error":"the result is out of the range of a double"\}$' line; done
line 9; has "with a proposal" 'did you mean \\"fit\\"' line
gives 1 "a file that is not there" law batch nowhere.jsonl

# A conversation: each answer comes before the next request.
python3 - "$quincunx" >talk <<'END'
import json, subprocess, sys
p = subprocess.Popen([sys.argv[1], "law", "batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
x = [1, 1, 2, 6]
for _ in range(3):
    p.stdin.write(json.dumps({"op": "compose", "n": [2, 0, 0, 0], "x": x}) + "\n")
    p.stdin.flush()
    x = json.loads(p.stdout.readline())["cumulants"]
p.stdin.close()
print(x, p.wait())
END
same "a conversation" "[8.0, 8.0, 16.0, 48.0] 0" "$(cat talk)"
finish
