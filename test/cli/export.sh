#!/bin/bash
# quincunx model --pamela: bounds that are expressions, threads side by side, calls out of flow that is no tree, and what
# becomes of a model when a parameter is another: then the program is run like that, and the model has to agree.
. "$(dirname "$0")/common"

cat >loops.c <<'END'
#include <stdio.h>
#include <stdlib.h>
struct rows { int length; };
static volatile unsigned sink;
__attribute__((noinline)) void leaf(int k) { for (int i = 0; i < k; i++) sink += i; }
__attribute__((noinline)) void grid(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      leaf(3);
}
__attribute__((noinline)) void triangle(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) sink += j; }
__attribute__((noinline)) void pairs(int n) { for (int i = 0; i < n; i += 2) sink += i; }
__attribute__((noinline)) void loaded(struct rows *r) { int n = r->length; for (int i = 0; i < n; i++) leaf(3); }
__attribute__((noinline)) int find(int n, int x) {
  for (int i = 0; i < n; i++) {
    leaf(3);
    if (i == x)
      return i;
    if (sink == 7)
      break;
  }
  leaf(3);
  return -1;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  struct rows r = {n + 1};
  grid(n, 6);
  triangle(n);
  pairs(10);
  loaded(&r);
  sink += find(20, n + 5);
  return 0;
}
END
$clang -O1 -g -o loops loops.c
"$quincunx" run -q -o ten.qx -- ./loops {} ::: 10
"$quincunx" run -q -o seventy.qx -- ./loops {} ::: 70
"$quincunx" run -q -o several.qx -- ./loops {} ::: 3 10 30

# exported CORPUS WORDS...: its model, in `model.pam`, the model of quincunx in `model`
exported() {
  "$quincunx" model --json "$@" >model
  gives 0 "model --pamela $*" model --pamela "$@"
  cp out model.pam
  gives 0 "which is laid out as fmt does it" fmt --check model.pam
  gives 0 "and is a model" eval --json model.pam
}
# moments NAME FILE: mean and standard deviation of a call of NAME in the model FILE of quincunx, and those of the model of it in `out`.
# Of main the mean alone where it is charged what was measured in place of the parts.
moments() {
  NAME=$1 FILE=$2 python3 - <<'END'
import json, os
functions = json.load(open(os.environ["FILE"]))["functions"]
f = [f for f in functions if f["name"] == os.environ["NAME"]][0]["inclusive"]
p = json.load(open("out"))["points"][0]
charged = os.environ["NAME"] == "main" and any("asMeasured" in f for f in functions)
print(abs(p["mean"] / f[0] - 1) < 1e-9 and (charged or abs(p["sd"] ** 2 - f[1]) <= 1e-9 * max(f[1], f[0] ** 2)))
END
}
run_is='abs(j["points"][0]["mean"] / json.load(open("model"))["composedMean"] - 1) < 1e-9'

# ---- bounds ----
exported several.qx
same "as long as a run" True "$(json out "$run_is")"
for name in main leaf grid triangle pairs loaded find; do
  gives 0 "a call of $name" eval --json --target "${name}_call" model.pam
  same "has its moments" True "$(moments $name model)"
done
has "what was measured stands beside the parts" '^% in quincunx model callers are charged as measured, here by its parts$' model.pam
exported ten.qx
has "an argument that is a bound" '^numeric parameter grid_n = 10 +% argument n$' model.pam
has "and the loop" 'seq \(i = 1, max\(0, grid_n\)\)' model.pam
has "a value from memory" '^numeric parameter loaded_line13 = 11 +% computed on line 13$' model.pam
has "a bound by an index" 'seq \(i = 1, i0\)' model.pam
has "an expression" 'div 2\)' model.pam
has "where loops are" '% loop, loops\.c:7$' model.pam
same "callers in front of callees" True "$(python3 -c '
t = open("model.pam").read()
at = [t.index("\nprocess " + n) for n in ("main ", "main_call", "grid_call", "leaf_call")]
print(at == sorted(at))')"
"$quincunx" model --json seventy.qx >seventy
for name in grid triangle; do
  gives 0 "a larger n of $name" eval --json --target "${name}_call" -D "${name}_n=70" model.pam
  same "is what a run with it is" True "$(moments $name seventy)"
done
gives 0 "a longer row" eval --json --target loaded_call -D loaded_line13=71 model.pam
same "is what a run with it is" True "$(moments loaded seventy)"

# ---- trips that vary, with a histogram ----
$clang -O1 -g -fplugin-arg-quincunx-record=counts,calls,runs -o loopsr loops.c
"$quincunx" run -q -o varied.qx -- ./loopsr {} ::: 3 10 30
exported varied.qx
has "keep their cumulants beside the expression" '% loop, loops\.c:7: max\(0, n\) times back' model.pam
lacks "and have no parameter" 'grid_n' model.pam
has "others have one" '^numeric parameter grid_m = 6 ' model.pam
gives 0 "a call" eval --json --target grid_call model.pam
same "varies as in the model" True "$(moments grid model)"

# ---- flow that is no tree ----
has "says so" '% loop with several ways out, loops\.c:15: its own cost, then its calls, not in their order' model.pam
same "and has all calls" True "$("$quincunx" report --json varied.qx >r; python3 - <<'END'
import json, re
find = re.search(r"process find_call =\n(.*?)\n\n", open("model.pam").read(), re.S).group(1)
inLoop = float(re.search(r"seq \(i = 1, ([0-9.e]+)\) leaf_call", find).group(1))
print(abs(inLoop - (9 + 16 + 20) / 3) < 1e-9)  # n + 6 passes, at most 20
END
)"

cat >flow.c <<'END'
#include <stdlib.h>
static volatile unsigned sink;
__attribute__((noinline)) void leaf(int k) { for (int i = 0; i < k; i++) sink += i; }
__attribute__((noinline)) void other(int k) { for (int i = 0; i < k; i++) sink += i; }
__attribute__((noinline)) void one(int k) { for (int i = 0; i < k; i++) sink += i; }
__attribute__((noinline)) int entered(int x) { /* a loop with two ways in */
  if (x % 2)
    goto in;
  for (;;) {
    leaf(3);
    sink += x;
  in:
    other(5);
    if (x-- < 0)
      return x;
  }
}
__attribute__((noinline)) void ends(int x) { if (x > 7) exit(0); }
__attribute__((noinline)) void lost(int x) {
  one(3);
  for (int i = 0; i < 3; i++) {
    one(3);
    ends(x + i);
    one(3);
  }
  if (x % 2)
    ends(x + 3);
  one(3);
}
__attribute__((noinline)) void corner(int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      sink += j;
    leaf(3);
  }
}
__attribute__((noinline)) void corners(int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      sink += j;
    corner(n);
  }
}
__attribute__((noinline)) void cube(int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      sink += j;
    corners(n);
  }
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  sink = entered(n);
  if (argc > 2)
    cube(atoi(argv[2]));
  lost(n);
  return 0;
}
END
$clang -O1 -g -o flow flow.c
"$quincunx" run -q -o flow.qx -- ./flow {} ::: 4 5 6 9
exported flow.qx
same "as long as a run" True "$(json out "$run_is")"
has "flow that is no tree" '% flow that is no tree: its own cost, then its calls' model.pam
has "lost frames" '% frames were lost in it: its own cost, then its calls' model.pam
# once NAME CALLEE: how often the process of NAME calls CALLEE
once() {
  python3 - "$@" <<'END'
import re, sys
text = open("model.pam").read()
body = re.search(rf"process {sys.argv[1]}_call =(.*?)(\n\n|\Z)", text, re.S).group(1)
print(round(sum(float(n or 1) for n in re.findall(rf"(?:seq \(i = 1, (?:moments\()?([0-9.e-]+)[^)]*\)+ )?\b{sys.argv[2]}_call", body)), 9))
END
}
same "calls on one way around" 7.5 "$(once entered leaf)"
same "and on both" 8.0 "$(once entered other)"
same "calls in front of the end of a run, and behind it" "$(json model '[round(f["calls"], 9) for f in j["functions"] if f["name"] == "one"][0]')" "$(once lost one)"
for name in entered lost; do
  gives 0 "a call of $name" eval --json --target "${name}_call" model.pam
  same "has its moments" True "$(moments $name model)"
done
"$quincunx" run -q -o small.qx -- ./flow {} 20 ::: 4
"$quincunx" run -q -o large.qx -- ./flow {} 200 ::: 4
exported small.qx
same "indices are gone through" 3 "$(grep -c 'seq (i = 1, i0)' model.pam)"
exported large.qx
same "but not where that is too much" 3 "$(grep -c 'seq (i = 1, moments(99.5, 0, 0, 3))' model.pam)"
same "as long as a run" True "$(json out "$run_is")"
gives 0 "without runs" model --pamela --function '^corner$' flow --set n=12
has "the value that was given" '^numeric parameter corner_n = 12 ' out

# ---- calls through pointers: what a branch that calls by name would cost ----
cat >pointers.c <<'END'
#include <stdlib.h>
static volatile unsigned sink;
static void cheap(unsigned n) { sink += n; }
static void dear(unsigned n) { for (unsigned i = 0; i < 50; ++i) sink ^= i * n; }
static void (*const kinds[])(unsigned) = {cheap, cheap, cheap, dear};
__attribute__((noinline)) void through(unsigned k, unsigned n) { kinds[k](n); sink += 1; }
__attribute__((noinline)) void byName(unsigned k, unsigned n) {
  if (k == 3)
    dear(n);
  else
    cheap(n);
  sink += 1;
}
int main(int argc, char **argv) {
  srand(atoi(argv[1]));
  for (int i = 0, n = 50 + rand() % 100; i < n; ++i) {
    const unsigned k = rand() % 4;
    through(k, i);
    byName(k, i);
  }
  return 0;
}
END
$clang -O1 -fno-inline -g -o pointers pointers.c
"$quincunx" run -q -o pointers.qx -- ./pointers {} ::: $(seq 40)
exported pointers.qx
has "a call through a pointer is one of several" 'switch \{ 0\.2[0-9]+ : dear_call, 0\.7[0-9]+ : cheap_call \}' model.pam
same "as long as a run" True "$(json out "$run_is")"
for name in main through byName; do
  gives 0 "a call of $name" eval --json --target "${name}_call" model.pam
  same "has its moments" True "$(moments $name model)"
done
same "the deviation is that of calls by name" True "$(python3 -c '
import json
f = {f["name"]: f["inclusive"] for f in json.load(open("model"))["functions"]}
print(abs(f["through"][1] / f["byName"][1] - 1) < 0.02)')"
gives 0 "--branch observed" model --branch observed --pamela pointers.qx
cp out observed.pam
gives 0 "is a model" eval --json observed.pam
same "as long as a run" True "$(json out "$run_is")"

# ---- threads that are started one by one ----
cat >threads.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static volatile unsigned sink;
static void *job(void *p) { for (int i = 0; i < 100; i++) sink += i; return p; }
static void *other(void *p) { for (int i = 0; i < 70; i++) sink += i; return p; }
__attribute__((noinline)) void phase(int n) {
  pthread_t all[16], o;
  pthread_create(&o, 0, other, 0);
  for (int i = 0; i < n; i++)
    pthread_create(all + i, 0, job, 0);
  for (int i = 0; i < n; i++)
    pthread_join(all[i], 0);
  pthread_join(o, 0);
}
int main(int argc, char **argv) {
  pthread_t one;
  phase(atoi(argv[1]));
  pthread_create(&one, 0, job, 0);
  pthread_join(one, 0);
  pthread_create(&one, 0, other, 0);
  pthread_join(one, 0);
}
END
$clang -O1 -g -pthread -o threads threads.c
"$quincunx" run -q -o t.qx -- ./threads {} ::: 3
exported t.qx
# fork NAME FUNCTION CORPUS: mean until the last of the threads of NAME has ended, in the tree of FUNCTION
fork() {
  "$quincunx" model --json --function "^$2\$" "$3" |
    python3 -c 'import json, sys; print([n for n in json.load(sys.stdin)["function"]["tree"] if n["kind"] == "fork" and n["callee"] == sys.argv[1]][0]["cost"][0])' "$1"
}
has "as many processors as threads" '^numeric parameter P = 4 ' model.pam
has "threads that run beside each other" '^ +par \(t = 0, 0\) other_call\(t mod P\) \|\|$' model.pam
has "as many as the loop that starts them has passes" 'par \(t = 0, max\(0, phase_n\) - 1\) job_call\(\(t \+ 1\) mod P\);' model.pam
has "joined before others start" '^ +par \(t = 0, 0\) job_call\(t mod P\);$' model.pam
has "as long as the model says" "% threads of job, until the last has ended: $(fork job phase t.qx | sed 's/\.0*$//'), as in quincunx model" model.pam
same "what is used of all processors is the work of a run" True \
  "$(json out 'abs(sum(d["mean"] for d in j["points"][0]["demands"]) / json.load(open("model"))["composedMean"] - 1) < 1e-9')"
gives 0 "one processor" eval --json -D P=1 model.pam
same "does all of it" True "$(json out "$run_is")"
"$quincunx" run -q -o t8.qx -- ./threads {} ::: 8
"$quincunx" model --json t8.qx >model
gives 0 "more threads on one processor" eval --json -D P=1 -D phase_n=8 model.pam
same "are what a run with them is" True "$(json out "$run_is")"
gives 0 "--function" model --pamela --function '^phase$' t.qx
has "says that the model has no threads in it" '^% In quincunx model they are no part of the call\.$' out

# ---- teams ----
cat >team.c <<'END'
#include <stdlib.h>
static volatile unsigned sink[64];
__attribute__((noinline)) void work(int i) { for (int k = 0; k < 40; k++) sink[i % 64] += k; }
__attribute__((noinline)) void uneven(int i) { for (int k = 0; k < i % 7; k++) sink[i % 64] += k; }
__attribute__((noinline)) void even(int n, int p) {
#pragma omp parallel for num_threads(p)
  for (int i = 0; i < n; i++) {
    work(i);
    for (int k = 0; k < 5; k++)
      sink[i % 64] += k;
  }
}
__attribute__((noinline)) void turns(int n, int p) {
#pragma omp parallel for num_threads(p) schedule(dynamic, 2)
  for (int i = 0; i < n; i++)
    uneven(i);
}
__attribute__((noinline)) void each(int p) {
#pragma omp parallel num_threads(p)
  uneven(3);
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), p = atoi(argv[2]);
  even(n, p);
  turns(n, p);
  each(p);
}
END
if ! $clang -O1 -g -fopenmp -fplugin-arg-quincunx-record=counts,calls,runs -o team team.c 2>/dev/null; then
  skip "teams: no OpenMP"
  finish
  exit
fi
"$quincunx" run -q -o four.qx -- ./team {} 4 ::: 120
exported four.qx
has "a loop that is shared out" '^ +par \(i = 0, even_omp_outlined_N - 1\) \{$' model.pam
has "passes on their processors" 'work_call\(i mod P\)' model.pam
has "and what they repeat" 'seq \(j = 1, 5\) use\(cpu\(i mod P\), [0-9]+\)' model.pam
has "passes that vary are shared out" 'par \(p = 0, P - 1\)$' model.pam
has "the passes of all threads" '^numeric parameter even_omp_outlined_N = 120 ' model.pam
has "what each thread does" 'par \(p = 0, P - 1\) each_omp_outlined_call\(p\)' model.pam
has "says where it differs, and why" '% in quincunx model [0-9.e]+, as the passes of a thread are random there' model.pam
same "one comment for each fork" 3 "$(grep -c 'until the last has ended' model.pam)"
same "what is used of all processors is the work of a run" True \
  "$(json out 'abs(sum(d["mean"] for d in j["points"][0]["demands"]) / json.load(open("model"))["composedMean"] - 1) < 1e-9')"
# lasts FUNCTION CORPUS: is what `eval` says of FUNCTION its own cost and its fork, in that corpus?
lasts() {
  own=$("$quincunx" model --json "$2" | python3 -c 'import json, sys; print([f for f in json.load(sys.stdin)["functions"] if f["name"] == sys.argv[1]][0]["inclusive"][0])' "$1")
  json out "abs(j['points'][0]['mean'] / ($own + $(fork "$1.omp_outlined" "$1" "$2")) - 1) < 1e-9"
}
for name in even each; do
  printf 'include "model.pam"\nprocess fork = %s_call(0)\n' $name >fork.pam
  gives 0 "$name with its threads" eval --json --target fork fork.pam
  same "takes its own cost and that of the last one" True "$(lasts $name four.qx)"
done
"$quincunx" run -q -o two.qx -- ./team {} 2 ::: 60
printf 'include "model.pam"\nprocess fork = even_call(0)\n' >fork.pam
gives 0 "half the passes on two processors" eval --json --target fork -D P=2 -D even_omp_outlined_N=60 fork.pam
same "is what a run like that is" True "$(lasts even two.qx)"

# ---- tasks ----
cat >tasks.c <<'END'
static volatile unsigned sink[64];
int main(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < 12; i++) {
#pragma omp task
    for (int k = 0; k < 4000; k++)
      sink[i] += k;
  }
}
END
$clang -O1 -g -fopenmp -o tasks tasks.c
"$quincunx" run -q -o tasks.qx --repeat 1 -- ./tasks
exported tasks.qx
has "stand beside each other" 'par \(t = 0, 11\) _omp_task_entry__call\(t mod P\)$' model.pam
has "which the model says" '^% Tasks of OpenMP stand behind what makes them, beside each other;$' model.pam
work=$(python3 -c 'import json; print(json.load(open("model"))["composedMean"])')
same "what is used of all processors is the work of a run" True \
  "$(json out "abs(sum(d['mean'] for d in j['points'][0]['demands']) / $work - 1) < 1e-9")"
gives 0 "on one processor" eval --json -D P=1 model.pam
same "they take what they take together" True "$(json out "abs(j['points'][0]['mean'] / $work - 1) < 0.01")"
gives 0 "on three" eval --json -D P=3 model.pam
same "a third" True "$(json out "0.33 < j['points'][0]['mean'] / $work < 0.36")"
finish
