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
# data-parallel programs on the machine of section 4.1. Times are in figures only there: here are closed forms, and what is said of them
machine="-D tc=2 -D tl=3 -D tg=5"
both() { # both MODEL EXPECTED OPTIONS...: nobody waits within a phase but for the processor that ends last, so the bound is the time
  bound "$@" $machine
  model=$1 expected=$2
  shift 2
  simulated "$model" "$expected" 1e-9 "$@" $machine
}
# matmul: N^2 P tg for the rows of A, N^3 / P (2 tc + 4 tl) for the products
both matmul $((32 * 32 * 4 * 5 + 32 * 32 * 32 / 4 * (2 * 2 + 4 * 3))) -D N=32 -D P=4
for size in 64 256; do for processors in 1 8 64; do
  bound matmul $((size ** 2 * processors * 5 + size ** 3 / processors * 16)) -D N=$size -D P=$processors $machine
done; done
# gauss, m rows being left: the largest share of m columns is ceil(m / P) when cyclic, min(N / P, m) in blocks
gauss() { # gauss TARGET N P SHARE UPDATE
  python3 -c 'import sys; N, P = map(int, sys.argv[1:3]); print(sum(m * (2 + P * 5) + m * eval(sys.argv[3]) * int(sys.argv[4]) for m in range(1, N)))' "${@:2}"
}
both gauss $(gauss cyclic 32 4 '-(-m // P)' 16) -D N=32 -D P=4 --target cyclic
both gauss $(gauss block 32 4 'min(N // P, m)' 16) -D N=32 -D P=4 --target block
for processors in 2 8 32; do
  width=$((processors < 4 ? processors : 4))
  bound gauss $(gauss cyclic 128 $processors '-(-m // P)' 16) -D N=128 -D P=$processors --target cyclic $machine
  bound gauss $(gauss block 128 $processors 'min(N // P, m)' 16) -D N=128 -D P=$processors --target block $machine
  bound gauss $(gauss cyclicrows 128 $processors '-(-m // P)' $((4 + 3 * width))) -D N=128 -D P=$processors --target cyclicrows $machine
  bound gauss $(gauss blockrows 128 $processors 'min(N // P, m)' 7) -D N=128 -D P=$processors --target blockrows $machine
done
# what the text says of them: cyclic is ahead in columns (better balance), blocks in rows (neighbours) as long as it computes more than
# it sends, rows ahead of columns, and cyclic rows gain late, as their elements move apart
times() { # times MODEL OPTIONS...: prints the bound
  model=$1
  shift
  "$quincunx" eval --json "$models/$model.pam" "$@" >out && value
}
says() { same "$1" True "$(python3 -c "print($2)")"; } # says TEXT EXPRESSION
for processors in 2 4 8 16; do
  for target in cyclic block cyclicrows blockrows; do
    declare $target=$(times gauss -D N=128 -D P=$processors --target $target -D tc=1 -D tl=3 -D tg=0.01)
  done
  says "gauss on $processors: cyclic before block" "$cyclic < $block < 1.5 * $cyclic"
  says "gauss on $processors: blocks before cyclic in rows" "$blockrows < $cyclicrows"
  says "gauss on $processors: rows before columns" "$blockrows < $block and $cyclicrows <= $cyclic"
  [ $processors != 4 ] || late=$cyclicrows
done
alone=$(times gauss -D N=128 -D P=1 --target cyclicrows -D tc=1 -D tl=3 -D tg=0.01)
says "gauss: cyclic rows gain late" "$alone / $late < 1.6 and $alone / $cyclicrows > 5"
# sorting: two sorts, P^2 samples to P processors, the same pivots for all; then the index vector and the elements themselves
sorting() { # sorting N P INDEX, with q = 1.39
  python3 -c 'import sys; from math import log2; N, P = map(int, sys.argv[1:3])
sort = lambda n: 1.39 * n * log2(n) * 2
print(2 * sort(N / P) + P ** 3 * 5 + sort(P * P) + eval(sys.argv[3]) + N / P ** 2 * (3 + (P - 1) * 5))' "$@"
}
both sorting "$(sorting 4096 8 'N * (2 + P * 5)')" -D N=4096 -D P=8 --target replicated
both sorting "$(sorting 4096 8 'N / P * (2 + 3)')" -D N=4096 -D P=8 --target partitioned
alone=$(times sorting -D N=819200 -D P=1 --target partitioned $machine)
for processors in 4 16; do
  slow=$(times sorting -D N=819200 -D P=$processors --target replicated $machine)
  fast=$(times sorting -D N=819200 -D P=$processors --target partitioned $machine)
  says "sorting on $processors: a partitioned index is better" "$fast < $slow"
  says "sorting on $processors: more than linear speedup, as the sorts are shorter, too" "$alone / $fast > $processors"
done
slower=$(times sorting -D N=819200 -D P=64 --target replicated $machine)
says "sorting: N P transfers undo what more processors gain" "$slower > 2 * $slow and $slower > 819200 * 64 * 5"
# skeletons, beside the golden tables: dealt out and level by level by evaluation, placed by chance by simulation
golden() { # golden TABLE FILTER COLUMNS...: these columns of the rows
  python3 -c 'import csv, sys
for row in csv.DictReader(l for l in open(sys.argv[1]) if l[0] != "#"):
    if eval(sys.argv[2], {}, row): print(*(row[c] for c in sys.argv[3:]))' "$root/test/data/golden/skeleton_$1.csv" "${@:2}"
}
moments() { # moments PATH: mean, variance, third and fourth cumulant of the result are those of $m1 $k2 $k3 $k4
  python3 -c 'import json, sys; j = json.load(open("out")); r = j["points"][0]; v = r["sd"] ** 2
got = [r["mean"], v, r["skewness"] * v ** 1.5, (r["kurtosis"] - 3) * v * v]
print(all(abs(a - float(b)) <= 1e-6 * abs(float(b)) for a, b in zip(got, sys.argv[1:])))' "$@"
}
sampled() { # sampled TEXT MEAN VARIANCE RUNS: the mean is within four of its standard errors
  same "$1" True "$(python3 -c 'import sys; a, m, v, n = map(float, sys.argv[1:]); print(abs(a - m) <= 4 * (v / n) ** 0.5)' "$(value)" "${@:2}")"
}
while read -r task n m m1 k2 k3 k4; do
  shape=${task#gamma(} shape=${shape%%,*}
  gives 0 "map of $n $task on $m" eval --json "$models/farm.pam" --target dealt -D n=$n -D m=$m -D s=$shape
  same "has the golden moments" True "$(moments $m1 $k2 $k3 $k4)"
  # The same tasks as queues: T^l takes the longest task for the critical path, and is below
  gives 0 "as queues" eval --json "$models/farm.pam" --target queued -D n=$n -D m=$m -D s=$shape
  says "the bound is below" "0.7 * $m1 < $(value) < $m1"
  gives 0 "as queues, simulated" simulate --json "$models/farm.pam" --target queued -D n=$n -D m=$m -D s=$shape -n 10000
  sampled "takes as long as dealt out" $m1 $k2 10000
done < <(golden parmap 'placement == "round-robin"' task n m m1 k2 k3 k4)
while read -r task n m m1 k2; do
  shape=${task#gamma(} shape=${shape%%,*}
  gives 0 "scattered $n $task on $m" simulate --json "$models/farm.pam" --target random -D n=$n -D m=$m -D s=$shape -n 10000
  sampled "has the golden mean" $m1 $k2 10000
done < <(golden parmap 'placement == "multinomial"' task n m m1 k2)
while read -r n m m1 k2; do
  gives 0 "scattered $n units on $m" simulate --json "$models/farm.pam" --target unit -D n=$n -D m=$m -n 10000
  sampled "has the golden mean" $m1 $k2 10000
done < <(golden occupancy 'float(k2) > 0' n m m1 k2)
gives 1 "a drawn place is not evaluated" eval "$models/farm.pam" --target random -D n=8 -D m=4
has "says where" 'skeletons.pam:7:.*takes constants' err
while read -r k n split combine m1 k2 k3 k4; do
  gives 0 "divide and conquer, $n levels of $k" eval --json "$models/divide.pam" --target unlimited -D k=$k -D n=$n -D split=$split -D combine=$combine
  same "has the golden moments" True "$(moments $m1 $k2 $k3 $k4)"
  # As many processors as leaves: all splits at once, so the levels do not show
  gives 0 "the same on as many processors as leaves" eval --json "$models/divide.pam" --target on -D k=$k -D n=$n -D m=$((k ** n)) -D split=$split -D combine=$combine
  says "without the levels" "abs($(value) - ($m1 - ($n - 1) * ($split + $combine))) < 1e-6"
done < <(golden dc True k n split combine m1 k2 k3 k4)
# the thesis, table 6.2: mean cycle times T_MOM, with its own numbers of iterations (5: 10.11, as its formulas give), and T_MVA, the
# exact ones by (6.11) with n R(n) for P R(n) (5 and 10: 10.10 and 10.11, one hundredth less than printed)
mva() { # mva CLIENTS n|P: R(n + 1) = [1 + n R(n) / (tl + R(n))] ts, R(0) = 0; the cycle is R(P) + tl
  python3 -c 'import sys; P, R = int(sys.argv[1]), 0
for n in range(P): R = (1 + eval(sys.argv[2]) * R / (10 + R)) * 0.1
print("%.2f" % (R + 10))' "$@"
}
while read -r clients cycle exact; do
  gives 0 "mrm with $clients clients" eval --json "$models/mrm.pam" -D P=$clients -D N=1000000
  same "a cycle takes $cycle" "$cycle" "$(python3 -c "import json; print('%.2f' % (json.load(open('out'))['points'][0]['mean'] / 1e6))")"
  same "by mean value analysis $exact" "$exact" "$(mva $clients n)"
done <<'END'
1 10.10 10.10
2 10.11 10.10
5 10.11 10.10
10 10.12 10.11
20 10.12 10.12
50 10.12 10.19
100 10.13 10.82
200 20.00 20.00
500 50.00 50.00
END
same "with P R(n), as printed, the table does not come out" "10.20 11.05 20.20" "$(echo $(mva 50 P) $(mva 100 P) $(mva 200 P))"
# psrs of the thesis, figure 6.2 in words: more processors help up to 32 or 64, and do harm beyond, where one sorts the samples
for processors in 16 32 64 128; do declare p$processors=$(times psrs -D N=81920 -D P=$processors); done
says "psrs: speedup rises up to 32 processors" "2 * $p32 < $p16"
says "psrs: and falls beyond 64" "$p128 > 5 * $p64"
# every model as expressions: a model again, laid out, that costs the same
drawn=
expressions() { # expressions MODEL TARGET OPTIONS...
  model=$1 target=$2
  shift 2
  gives 0 "$model $target: its expressions" eval --symbolic --target "$target" "$models/$model.pam"
  cp out result.pam
  gives 0 "are laid out" fmt --check result.pam
  known= # parameters that the result has
  for d in "$@"; do
    case $d in *=*) ! grep -q "^numeric parameter ${d%%=*}\b" result.pam || known="$known -D $d" ;; esac
  done
  for what in T phi omega; do
    gives 0 "$what of the expressions" eval --json --target "${what}_$target" result.pam $known
    cp out $what.json
  done
  gives 0 "and the model" eval --json --target "$target" "$models/$model.pam" "$@"
  same "cost the same" True "$(python3 -c '
import json
is_ = {w: json.load(open(w + ".json"))["points"][0] for w in ("T", "phi", "omega")}
model = json.load(open("out"))["points"][0]
near = lambda a, b: abs(a - b) <= 1e-6 * max(abs(b), 1e-9)
print(near(is_["T"]["mean"], model["mean"]) and near(is_["T"]["sd"], model["sd"])
      and near(is_["phi"]["mean"], model["phi"]) and near(is_["omega"]["mean"], model["omega"]))')"
  # where nothing is random, nothing is faster than the bound
  cp out model
  gives 0 "and its simulation" simulate --json -n 3 --target "$target" "$models/$model.pam" "$@" $drawn
  same "is not faster than the bound" True "$(python3 -c '
import json
model, time = json.load(open("model"))["points"][0], json.load(open("out"))
print(model["sd"] > 0 or time["mean"] >= model["mean"] * (1 - 1e-12))')"
}
expressions mrm main -D P=20 -D N=50
expressions pipeline main -D N=12 -D M=5
expressions branching main -D N=1000 -D p=0.3
expressions vector sequential -D N=20
expressions vector vectorized -D N=20
expressions vector parallel -D N=20
expressions chaining separate -D N=20 -D S=4
expressions chaining chained -D N=20 -D S=4
expressions banks main -D N=240 -D M=8 -D S=6
expressions adi columns -D N=64 -D P=8
expressions adi rows -D N=64 -D P=8
for target in a b aa bb ab aab abb aaabbb; do expressions network $target; done
expressions apsp main -D N=1000 -D P=10 -D tc=10 -D ts=1
# the rates of psrs are of bursts (a variance of 2 for a mean of 0.005), which nobody can draw: probabilities instead
drawn='-D c1=0.005 -D c2=0.01 -D c3=0.004' expressions psrs main -D N=256 -D P=4
expressions matmul main -D N=32 -D P=4 $machine
for target in cyclic block cyclicrows blockrows; do expressions gauss $target -D N=32 -D P=4 $machine; done
expressions sorting replicated -D N=4096 -D P=8 $machine
expressions sorting partitioned -D N=4096 -D P=8 $machine
expressions farm dealt -D n=20 -D m=4
expressions farm queued -D n=20 -D m=4
expressions divide unlimited -D k=2 -D n=4 -D m=4 -D split=1 -D combine=2
expressions divide on -D k=2 -D n=4 -D m=4 -D split=1 -D combine=2
finish
