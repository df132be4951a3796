#!/bin/bash
# The programs of examples/ that make their own data: with the flag they print what they print without it, every
# derived block count is the block's own counter, and each branch marked `// b1`, `// b2`, ... was evaluated and true as
# often as clang's coverage says. bench/thesis.py builds its tables on these branches. Those with threads print the same with one
# thread and with five, and what is known of them; bench/texts.py builds its tables on these.
. "$(dirname "$0")/common.sh"

commands="vscale|vscale 5000|vscale 1000 mixed|ssort|ssort 300 5|quicksort|quicksort 200|cache|cache 500 32|gauss|sssp
branches 5000 bernoulli 0.3|branches 5000 runs 1 4 2 9|branches 5000 counter 0.1 0.9|branches 5000 jump 0.2 0.9"

for name in vscale ssort quicksort cache gauss sssp branches chase; do
  c=$root/examples/$name/$name.c
  check "$name builds" eval "
    $plain -std=c11 -O2 -Wall -Wextra -Werror -o $name $c -lm &&
    $clang -std=c11 -O2 -g -o $name.fast $c -lm &&
    $clang -std=c11 -O0 -g $blocks -o $name.blocks $c -lm &&
    $clang -std=c11 -O0 -g -fplugin-arg-quincunx-record=counts,calls,runs -o $name.runs $c -lm &&
    $plain -std=c11 -O0 -fprofile-instr-generate -fcoverage-mapping -o $name.covered $c -lm"
done

# outputs COMMAND: the same with and without the flag, for three seeds
outputs() {
  set -- $1
  for seed in 1 2 3; do
    want=$("./$1" $seed "${@:2}")
    [ -n "$want" ] || return 1
    for way in fast blocks runs; do
      got=$(QUINCUNX_OUT= "./$1.$way" $seed "${@:2}")
      [ "$got" = "$want" ] || { echo "$1.$way $seed: $got, without the flag $want"; return 1; }
    done
  done
}
# branches COMMAND: evaluations and trues of the marked branches, here and by coverage
branches() {
  set -- $1
  rm -f marked.qx
  "$quincunx" run -q -o marked.qx -- "./$1.runs" {} "${@:2}" ::: 7 &&
    "$BUILD/bin/branch_table" --each marked.qx >ours &&
    LLVM_PROFILE_FILE=raw "./$1.covered" 7 "${@:2}" >"$1.out" &&
    llvm-profdata-$LLVM merge -o data raw &&
    llvm-cov-$LLVM export "./$1.covered" -instr-profile=data >theirs || return 1
  python3 - "$root/examples" <<'END'
import json, os, re, sys
ours = {}
for line in open("ours"):
    _, file, line, _, _, n, trues = line.rstrip("\n").split("\t")
    ours.setdefault((file, int(line)), []).append((int(n), int(trues)))
compared = 0
for function in json.load(open("theirs"))["data"][0]["functions"]:
    for b in function["branches"]:
        path = function["filenames"][b[6]]
        marked = re.search(r"// b\d+$", open(path).read().split("\n")[b[0] - 1])
        if marked:
            here = ours.get((os.path.basename(path), b[0]))
            if here != [(b[4] + b[5], b[4])]:
                sys.exit(f"{path}:{b[0]} {marked[0]}: coverage {b[4] + b[5]}, {b[4]} true; here {here}")
            compared += 1
sys.exit(0 if compared else "no marked branch")
END
}
IFS='|
'
for command in $commands; do
  unset IFS
  check "$command: prints what it prints without the flag" outputs "$command"
  check "$command: marked branches are as coverage has them" branches "$command"
done
check "chase 500 12345: prints what it prints without the flag" outputs "chase 500 12345"
for name in vscale ssort quicksort cache gauss sssp chase; do
  "$quincunx" run -q -o $name.qx -- ./$name.blocks {} ::: 1 2 3 >/dev/null
  check "$name: derived counts are the blocks' own" judged $name.qx
done
$plain -std=c11 -O2 -o text "$root/examples/compress/text.c" -lm
check "text writes 4000 letters" test "$(./text 1 | wc -c)" = 4000
for name in vscale ssort quicksort cache gauss sssp branches chase text; do
  ./$name 2>$name.err || true
  check "$name without a seed says how it is used" grep -q "^usage: $name SEED" $name.err
done

export OMP_WAIT_POLICY=passive
strands=-fplugin-arg-quincunx-record=counts,calls,strands
alike() { # alike PROGRAM WORDS...: without the flag and one thread, and with it and five
  local words=("${@:2}")
  OMP_NUM_THREADS=1 ./$1.plain "${words[@]}" >plain.out && OMP_NUM_THREADS=5 QUINCUNX_OUT= ./$1.strands "${words[@]}" >ours.out &&
    cmp plain.out ours.out && [ -s ours.out ]
}
ep() { ./ep.plain 0 256 65536 | grep -qx '13176389 -3.2478346520e+03 -6.9584070784e+03'; }
in_order() { OMP_NUM_THREADS=3 ./psrs.plain 1 "$1" 300 | grep -q ' 0$' && ./divide.plain 1 5000 4 | grep -q ' 0$' && ./pipeline.plain 1 3 2400 4 | grep -q ' 0$'; }
nobody_is_lost() { # fish and sharks are as many as before, and the born, without the eaten and the starved
  ./wator.plain "$1" 4 0 >before && OMP_NUM_THREADS=3 ./wator.plain "$1" 4 60 | cat before - |
    awk '{ all[NR] = $1 + $2; change = $3 - $4 - $5 } END { exit !(all[1] > 4000 && all[2] != all[1] && all[2] == all[1] + change) }'
}
same_paths() { # the distances from node 0 of one graph, as both programs have them
  [ "$(./sssp.plain "$1" 80 1)" = "$(./sssp.plain "$1" 80 3)" ] && [ "$(./sssp.plain "$1" 80 1)" = "$(./apsp.plain "$1" 80 1)" ]
}
while read -r name words; do
  c=$root/examples/threads/$name.c
  [ -e $name.strands ] || check "threads/$name builds" eval "
    $plain -std=c11 -O2 -Wall -Wextra -Werror -fopenmp -o $name.plain $c -lm && $clang -std=c11 -O2 -g -fopenmp $strands -o $name.strands $c -lm"
  check "threads/$name $words: prints the same with the flag and five threads" alike $name $words
done <<'END'
ep 3 8 2000
apsp 5 60 8
sssp 5 60 3
psrs 5 7 200
wator 5 4 12
pipeline 5 4 240 3
search 5 8 all
farm 5 3 20
divide 5 3000 3
matmul 5 30
gauss 5 30
gauss 5 30 block
adi 5 30
adi 5 30 rows
END
check "ep, class S: the accepted pairs and both sums of the NAS benchmark" ep
check "what is sorted is in order" eval "in_order 1 && in_order 2 && in_order 9"
check "fish and sharks: nobody is lost, and nobody comes from nowhere" eval "nobody_is_lost 1 && nobody_is_lost 2"
check "shortest paths are the same by both programs" eval "same_paths 1 && same_paths 2"
finish
