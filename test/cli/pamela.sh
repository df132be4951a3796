#!/bin/bash
# The models of the texts (examples/pamela) beside what was published: the bound by its closed form, and the simulation.
. "$(dirname "$0")/common"
models=$root/examples/pamela
gives 0 "they are laid out" fmt --check "$models"/*.pam

# bound MODEL EXPECTED OPTIONS...: the bound is that; simulated...: so is the time
value() { python3 -c 'import json, sys; j = json.load(open("out")); print(j["points"][0]["mean"] if "points" in j else j["mean"])'; }
close() { python3 -c 'import sys; a, b = map(float, sys.argv[1:3]); print(abs(a - b) <= float(sys.argv[3]) * abs(b))' "$@"; }
bound() {
  model=$1 expected=$2
  shift 2
  gives 0 "$model $*: bound" eval --json "$models/$model.pam" "$@"
  same "is $expected" True "$(close "$(value)" "$expected" 1e-9)"
}
simulated() {
  model=$1 expected=$2 within=$3
  shift 3
  gives 0 "$model $*: simulation" simulate --json "$models/$model.pam" "$@"
  same "takes $expected" True "$(close "$(value)" "$expected" "$within")"
}

# T^l = max(M t, N t), T = (M + N - 1) t: at N = M the bound is (nearly) half of the time
bound pipeline 16 -D N=16 -D M=16
simulated pipeline 31 1e-12 -D N=16 -D M=16
bound pipeline 1000 -D N=1000 -D M=4
simulated pipeline 1003 1e-12 -D N=1000 -D M=4
# T^l = p N t
bound branching 300 -D N=1000 -D p=0.3
simulated branching 300 0.02 -D N=1000 -D p=0.3 -n 200
# N ts, max(S tv, N tv), ts
bound vector 400 -D N=100 --target sequential
bound vector 100 -D N=100 --target vectorized
simulated vector 104 1e-12 -D N=100 --target vectorized
bound vector 4 -D N=100 --target parallel
# 2 max(S tv, N tv) and max(2 S tv, N tv): chaining doubles the bandwidth
bound chaining 200 -D N=100 -D S=4 --target separate
bound chaining 100 -D N=100 -D S=4 --target chained
simulated chaining 107 1e-12 -D N=100 -D S=4 --target chained
# N gcd(M, S) tm / M, until the port decides
for stride in 1 2 4 8; do bound banks $((240 * stride)) -D N=240 -D M=8 -D S=$stride; done
bound banks 480 -D N=240 -D M=8 -D S=6
bound banks 240 -D N=240 -D M=16 -D S=1
# (N - 2) N / P tu and (N - 2) N tu
bound adi $((62 * 64 / 8)) -D N=64 -D P=8 --target columns
bound adi $((62 * 64)) -D N=64 -D P=8 --target rows
# Table 1, T^l in seconds; T is as published but for abb (3.3: who is served first was left open there, here it is who came first)
table() { # table TARGET BOUND
  gives 0 "network $1" eval --json --target "$1" "$models/network.pam"
  same "bound as published" "$2" "$(printf %.1f "$(value)")"
  gives 0 "network $1" simulate --json --target "$1" "$models/network.pam"
  same "simulation" "$2" "$(printf %.1f "$(value)")"
}
table a 0.9
table b 1.5
table aa 1.8
table bb 3.0
table ab 1.8
table aab 2.7
table abb 3.0
table aaabbb 5.4
# the machine repair model with other names: max(N / P (tc + ts), N ts)
bound apsp 1100 -D N=1000 -D P=10 -D tc=10 -D ts=1
bound apsp 1000 -D N=1000 -D P=20 -D tc=10 -D ts=1
# the thesis, table 6.2: mean cycle times, with its own numbers of iterations (5: 10.11, as its formulas give)
while read -r clients cycle; do
  gives 0 "mrm with $clients clients" eval --json "$models/mrm.pam" -D P=$clients -D N=1000000
  same "a cycle takes $cycle" "$cycle" "$(python3 -c "import json; print('%.2f' % (json.load(open('out'))['points'][0]['mean'] / 1e6))")"
done <<'END'
1 10.10
2 10.11
5 10.11
10 10.12
20 10.12
50 10.12
100 10.13
200 20.00
500 50.00
END
finish
