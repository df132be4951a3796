#!/bin/bash
# The programs of examples/ that make their own data: with the flag they print what they print without it, every
# derived block count is the block's own counter, and each branch marked `// b1`, `// b2`, ... was evaluated and true as
# often as clang's coverage says. bench/thesis.py builds its tables on these branches.
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
finish
