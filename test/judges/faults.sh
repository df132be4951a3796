#!/bin/bash
# Who judges the judges: plants faults, one at a time, and demands that a test sees each. Faults go into a copy of one
# source file, which is compiled and linked with the commands the build used, so nothing of the tree or of the build changes.
# (a) where counters are placed: the counts judge, torture.py and cxx_programs.py, what is recorded of runs: runs.sh, and what assembly holds: assembly.py; (b) the runtime: test/runtime/exits.sh, simulated.sh, peak.sh, requests.sh and races.sh; (c) formulas of lib/: unit tests and
# the identity judge; (d) rooms: scripts/rooms; (e) vectors that are passed: scripts/lanes; (f) what strangers' files show and take: strangers.py. It does not prove that every fault is seen.
# PART of PARTS (from 0; by default all): only every so many-th fault, so that several processes share them.
. "$(dirname "$0")/common.sh"
export CCACHE_DISABLE=1
faults=0
mine() { faults=$((faults + 1)); [ $((faults % ${PARTS:-1})) = "${PART:-0}" ]; }

cat >p.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int table[256];
__attribute__((noinline)) int leave(int x) { if (x > 90) exit(0); return x - 1; }
__attribute__((noinline)) int walk(int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) { /* data dependent branches, an early exit */
    if (table[i & 255] > 100)
      s += 3;
    else if (table[i & 255] & 1)
      s ^= i;
    if (s > 100000)
      break;
    switch (s & 3) { case 0: s += 5; break; case 1: s ^= 9; break; case 2: s += leave(n); break; default: s -= 1; }
  }
  return s;
}
__attribute__((noinline)) void fill(int n, int m) {
  for (int i = 0; i < 256; ++i)
    table[i] = (i * n + m) % 211;
}
__attribute__((noinline)) int sum(const int *p, int n) { /* counted: no counter in the loop */
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i] * i;
  return s;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 50;
  fill(n, 17);
  printf("%d\n", sum(table, n) + walk(n));
}
END
inputs="5 17 31 40 62 77 88 89 91 120"

# planted NAME FILE SED-SCRIPT: a copy of FILE with the fault; FILE must hold what the script changes
planted() {
  mkdir -p "$1" && sed "$3" "$root/$2" >"$1/$(basename "$2")"
  ! cmp -s "$root/$2" "$1/$(basename "$2")" || { bad "$1: cannot plant, $2 has changed (adapt $(basename "$0"))"; return 1; }
}
# linked NAME TARGET OUTPUT FILE...: builds TARGET again with the planted copies, as OUTPUT
linked() {
  local name=$1 target=$2 output=$3 commands link extra source copy unit
  shift 3
  commands=$(ninja -C "$BUILD" -t commands "$target" | grep -v '^ninja:')
  link=$(printf '%s\n' "$commands" | tail -n 1)
  for f in "$@"; do
    source=$root/$f copy=$work/$name/$(basename "$f")
    compile=$(printf '%s\n' "$commands" | grep -F -- "$source" | grep -F -- ' -c ' | head -n 1)
    if [ -z "$compile" ]; then # compiled with others of its folder: the fault goes into a copy of what includes them
      unit=$(printf '%s\n' "$commands" | grep -o ' -c [^ ]*/Unity/[^ ]*' | cut -c5- | xargs -r grep -lF "\"$source\"" | head -n 1)
      [ -n "$unit" ] || { echo "no command compiles $f for $target"; return 1; }
      compile=$(printf '%s\n' "$commands" | grep -F -- " -c $unit" | head -n 1)
      [ -e "$work/$name/$(basename "$unit")" ] || cp "$unit" "$work/$name/"
      sed -i "s,\"$source\",\"$copy\"," "$work/$name/$(basename "$unit")"
      source=$unit copy=$work/$name/$(basename "$unit")
    fi
    base=$(basename "$source")
    object=$(printf '%s\n' "$compile" | sed 's/.* -o \([^ ]*\.o\) .*/\1/')
    compile=$(printf '%s\n' "$compile" | sed "s,$source,$copy,; s, -o $object , -I$root/$(dirname "$f") -o $work/$name/$base.o ,; s, -MF [^ ]*, -MF $work/$name/d,; s, -MT [^ ]*,,")
    (cd "$BUILD" && eval "$compile") || return 1
    case $link in
      *" $object "*) link=$(printf '%s\n' "$link" | sed "s, $object , $work/$name/$base.o ,") ;;
      *) extra="${extra:-} $work/$name/$base.o" ;; # from a library: the object comes before it
    esac
  done
  link=$(printf '%s\n' "$link" | sed "s, -o [^ ]*,${extra:-} -o $output,; s,-Wl[,]-soname[^ ]*,,; s, && ninja.*,,")
  case $link in *' && cd '*) link=${link%% && cd *} ;; esac
  (cd "$BUILD" && eval "$link")
}

# sees_counts CFG: the counts judge is content with programs built with this config file
sees_counts() {
  "clang-$LLVM" --config="$1" -O2 $blocks -o p p.c || return 3
  rm -f p.qx*
  # shellcheck disable=SC2086
  "$quincunx" run -q -o p.qx -- ./p {} ::: $inputs || return 3
  judged p.qx
}
if sees_counts "$cfg" >out 2>&1; then ok "without a fault the counts judge is content: $(tail -n 1 out)"
else bad "without a fault the counts judge is content"; tail -n 5 out; finish; exit 1; fi
cp p.qx true.qx

placement() { # placement NAME TEXT FILE SED-SCRIPT
  planted "$1" "$3" "$4" && mine || return 0
  cp "$cfg" "$(dirname "$cfg")"/libquincunx* "$1/"
  cp "$(dirname "$cfg")/quincunx-pass.so" "$1/" 2>/dev/null || true
  if ! linked "$1" lib/quincunx/quincunx.so "$work/$1/quincunx.so" "$3" >"$1.log" 2>&1; then
    bad "$2: cannot build the fault"; tail -n 5 "$1.log" | sed 's/^/     | /'; return 0
  fi
  if sees_counts "$work/$1/$cfgname" >"$1.log" 2>&1; then s=0; else s=$?; fi
  if [ $s = 1 ] && grep -q WRONG "$1.log"; then ok "$2: seen ($(grep -c WRONG "$1.log") lines, $(grep WRONG "$1.log" | head -n 1))"
  else bad "$2: not seen (status $s)"; tail -n 5 "$1.log" | sed 's/^/     | /'; fi
}
placement dropped "a counter left out" passes/Instrument.cpp \
  's/if (counterOf(e) != noIndex \&\& local\[e\] == nullptr)/if (counterOf(e) != noIndex \&\& local[e] == nullptr \&\& e % 5 != 3)/'
placement offbyone "a trip count that is one too high" passes/Instrument.cpp \
  's/expander.expandCodeFor(trips, i64, before)/expander.expandCodeFor(evolution.getAddExpr(trips, evolution.getOne(i64)), i64, before)/'
placement unguarded "calls that are taken to return" passes/IrFlow.cpp 's/    if (block.mayNotReturn)$/    if (false)/'

programs() { # programs NAME TEXT FILE SED-SCRIPT JUDGE OPTION...: of programs that others wrote, one is wrong
  planted "$1" "$3" "$4" && mine || return 0
  cp "$cfg" "$(dirname "$cfg")"/libquincunx* "$1/"
  if ! linked "$1" lib/quincunx/quincunx.so "$work/$1/quincunx.so" "$3" >"$1.log" 2>&1; then
    bad "$2: cannot build the fault"; tail -n 5 "$1.log" | sed 's/^/     | /'; return 0
  fi
  if CFG=$work/$1/$cfgname LLVM=$LLVM BUILD=$BUILD "$here/$5" "${@:6}" >"$1.log" 2>&1; then bad "$2: not seen by $5"
  elif grep -q '^FAIL' "$1.log"; then ok "$2: seen by $5 ($(grep -m1 '^FAIL' "$1.log"))"
  else bad "$2: $5 fails in another way"; tail -n 5 "$1.log" | sed 's/^/     | /'; fi
}
programs inlined "a jump to what is always inlined" passes/Register.cpp 's/passes.addPass(llvm::AlwaysInlinerPass());/;/' torture.py 1 --from 86 --levels Os
programs suspended "coroutines that go on where they were not suspended" passes/IrFlow.cpp 's/return intrinsic->getIntrinsicID() == llvm::Intrinsic::coro_suspend ||/return/' \
  cxx_programs.py 1 --from 7 --levels O1

recorders() { # recorders NAME TEXT FILE SED-SCRIPT: runs.sh sees lengths that are not true
  planted "$1" "$3" "$4" && mine || return 0
  cp "$cfg" "$(dirname "$cfg")"/libquincunx* "$1/"
  if ! linked "$1" lib/quincunx/quincunx.so "$work/$1/quincunx.so" "$3" >"$1.log" 2>&1; then
    bad "$2: cannot build the fault"; tail -n 5 "$1.log" | sed 's/^/     | /'; return 0
  fi
  if CFG=$work/$1/$cfgname bash "$root/test/judges/runs.sh" 1 1 truth >"$1.log" 2>&1; then bad "$2: not seen by runs.sh"
  elif grep -q WRONG "$1.log"; then ok "$2: seen by runs.sh ($(grep -c '^FAIL' "$1.log") lines)"
  else bad "$2: runs.sh fails in another way"; tail -n 5 "$1.log" | sed 's/^/     | /'; fi
}
recorders early "runs that begin before the loop" passes/Recorders.cpp 's/at.CreateStore(at.getInt64(0), v, inMemory);/at.CreateStore(at.getInt64(1), v, inMemory);/'
recorders uncut "runs that are not cut at one of the exits" passes/Recorders.cpp \
  's/    for (const RecorderExit \&exit : p.exits)/    for (const RecorderExit \&exit : llvm::drop_begin(p.exits))/'
recorders mixed "trips that are not told apart by the way out" passes/RecorderPlaces.cpp 's/uint64_t{QX_BINS} \* l.exits.lookup(b)/0/'

assembled() { # assembled NAME TEXT FILE SED-SCRIPT: assembly.py sees other instructions than there are
  planted "$1" "$3" "$4" && mine || return 0
  cp "$cfg" "$(dirname "$cfg")"/libquincunx* "$1/"
  source=$root/test/passes/assembly.c
  if ! { linked "$1" lib/quincunx/quincunx.so "$work/$1/quincunx.so" "$3" && "clang-$LLVM" -O1 -c -o "$1/plain.o" "$source" &&
    "clang-$LLVM" --config="$work/$1/$cfgname" -O1 -o "$1/p" "$source" && "$quincunx" run -q -o "$1/p.qx" -- "$1/p" {} ::: 1; } >"$1.log" 2>&1; then
    bad "$2: cannot build the fault"; tail -n 5 "$1.log" | sed 's/^/     | /'; return 0
  fi
  if "$root/test/judges/assembly.py" --quincunx "$quincunx" --objdump "llvm-objdump-$LLVM" "$1/p.qx" "$1/plain.o" >"$1.log" 2>&1; then
    bad "$2: not seen by assembly.py"
  elif grep -q 'are in the object file' "$1.log"; then ok "$2: seen by assembly.py ($(grep -c 'are in the object file' "$1.log") lines)"
  else bad "$2: assembly.py fails in another way"; tail -n 5 "$1.log" | sed 's/^/     | /'; fi
}
assembled sections "assembly of other sections that counts" passes/assembly/Assembly.cpp 's/return begun \&\& getCurrentSection() == home;/return begun;/'

compiled() { # compiled NAME TEXT FILE SED-SCRIPT PATTERN: exits.sh, of programs so compiled, fails in a line that matches
  planted "$1" "$3" "$4" && mine || return 0
  cp "$cfg" "$(dirname "$cfg")"/libquincunx* "$1/" && cp -r "$(dirname "$cfg")/include" "$1/"
  if ! linked "$1" lib/quincunx/quincunx.so "$work/$1/quincunx.so" "$3" >"$1.log" 2>&1; then
    bad "$2: cannot build the fault"; tail -n 5 "$1.log" | sed 's/^/     | /'; return 0
  fi
  if CFG=$work/$1/$cfgname ONLY=$5 bash "$root/test/runtime/exits.sh" >"$1.log" 2>&1; then bad "$2: not seen by exits.sh"
  elif grep -Eq "^FAIL $5" "$1.log"; then ok "$2: seen by exits.sh ($(grep -m1 '^FAIL' "$1.log"))"
  else bad "$2: exits.sh fails in another way"; tail -n 5 "$1.log" | sed 's/^/     | /'; fi
}
compiled unasked "functions that libc calls in threads of its own, and that do not ask" passes/Counters.cpp \
  's/^  return f.getReturnType()->isVoidTy() /  return false /' "a thread of libc's own, SIGKILL"
compiled unwatched "copies of which the runtime is not told" passes/Instrument.cpp 's/^  watchCopies(m);//' '_Fork'

# runtime NAME TEXT FILE SED-SCRIPT PATTERN [SCRIPT]: exits.sh (in those ways that match), or SCRIPT, fails in a line that matches
runtime() {
  seer=${6:-test/runtime/exits.sh}
  planted "$1" "$3" "$4" && mine || return 0
  cp -r "$(dirname "$cfg")"/* "$1/"
  for source in "$root"/runtime/*/*.c; do
    planted_source=$1/$(basename "$source")
    [ -e "$planted_source" ] || planted_source=$source
    cc -std=gnu11 -O2 -fPIC -fvisibility=hidden -I"$root/include" -I"$root/runtime" -c -o "$1/$(basename "$source").o" "$planted_source" || return 1
  done
  rm -f "$1/libquincunx_rt.a" && ar rcs "$1/libquincunx_rt.a" "$1"/*.c.o
  if CFG=$work/$1/$cfgname ONLY=$5 bash "$root/$seer" >"$1.log" 2>&1; then bad "$2: not seen by $seer"
  elif grep -Eq "^FAIL $5" "$1.log"; then ok "$2: seen by $seer ($(grep -c '^FAIL' "$1.log") lines, $(grep -m1 '^FAIL' "$1.log"))"
  else bad "$2: $seer fails in another way"; grep '^FAIL' "$1.log" | head -n 5 | sed 's/^/     | /'; fi
}
runtime unseen "chunks that are never declared whole" runtime/record/live_file.c \
  's/__atomic_store_n(&live.head->used, live.used, __ATOMIC_RELEASE);/if (live.head->used == 0) live.head->used = live.used;/' 'threads alive at SIGKILL'
runtime shared "a child that counts in its parent's pages" runtime/control/fork.c \
  's/^    qx_map_arena(a);/    ;/' 'fork'
runtime dropped_section "an unloaded library whose arenas are forgotten" runtime/control/registry.c \
  's/^  image->loaded = NULL;/  image->loaded = NULL, image->arenas = NULL;/' 'dlclose'

runtime unmoved "what ran before constructors left where it is" runtime/control/registry.c \
  's/^      qx_empty_section(loaded->known);/      ;/' '_exit'
runtime severed "a thread that loses its arena before its end" runtime/counting/arenas.c \
  's/^    hand_on(a, call_thread());/    *a->image->loaded->delta() = 0, hand_on(a, 0);/' "a thread's last destructors"
runtime hasty "an arena that is taken before its thread is gone" runtime/counting/arenas.c \
  's/^  return arena->leaver == 0;/  return true;/' 'a thread that begins in another'
runtime unattached "threads of libc's own without an arena" runtime/control/image.c \
  's/if (qx_delta == 0 && qx_is_known())/if (false)/' "a thread of libc's own, SIGKILL"
runtime strange "strangers that are not told" runtime/control/registry.c 's/^  look_for_strangers();//' 'one that runs a function'
runtime copied "copies that go on as their parents" runtime/control/fork.c 's/^  if (qx_ready \&\& result == 0)/  if (result == 99)/' '_Fork'

runtime ungathered "counts outside of the live file that are left there" runtime/counting/arenas.c \
  's/all = (a->live || move_counts(a->counters, to, n)) \&\& all;/;/' 'counts that are wrong without a word' test/runtime/lost.sh
runtime childless "children that are not counted" runtime/control/fork.c \
  's/^  qx_process.forked += !failed;//' 'counts that are wrong without a word' test/runtime/lost.sh

runtime inherited "peak memory of whoever started the program" runtime/os/peak_memory.c \
  's,/proc/self/status,/proc/self/none,' 'its record' test/runtime/peak.sh

runtime early_sample "a sample that keeps the first requests" runtime/requests/request_log.c \
  's/if (m->kept\[slot\].number <= number)/if (m->kept[slot].number == 0)/' '.* 20000 requests: counts, sums' test/judges/requests.sh
runtime unsubtracted "sums of what was counted before" runtime/requests/requests.c \
  's/const uint64_t x = now\[c\] - then\[c\];/const uint64_t x = now[c];/' '.* requests: counts, sums' test/judges/requests.sh

runtime unfolded "a history of the predictor that nothing leaves" runtime/simulated/branch_predictor.c \
  's/ & p->leaves\[t\])/ \& 0)/' 'correlated' test/runtime/simulated.sh
runtime unstrided "streams of neighbours only" runtime/simulated/caches.c \
  's/line + step : ~line/line + 1 : ~line/' 'every-fifth-line' test/runtime/simulated.sh
runtime ordered "a third level that evicts the oldest" runtime/simulated/caches.c \
  's/touch_third(c, line) ?/touch(c->third[line % qx_third_sets], qx_third_ways, line \/ qx_third_sets) ?/' 'cycle-of-24M' test/runtime/simulated.sh
runtime elsewhere "a third level whose draws begin with an address" runtime/simulated/machine.c \
  's/caches.random = UINT64_MAX;/caches.random = (uintptr_t)made | 1;/' 'the same in every process' test/runtime/simulated.sh
runtime piecemeal "a simulated machine whose pages are met one by one" runtime/simulated/machine.c \
  's/ | MAP_POPULATE//' 'pages-all-at-once' test/runtime/simulated.sh
runtime unfresh "fresh pages that are far away" runtime/simulated/caches.c \
  's/if (qx_is_fresh(.*))$/if (!qx_is_fresh(\&c->seen, page))/' 'fresh-pages' test/runtime/simulated.sh

runtime uncounted "iterations of which one in a stretch is counted" runtime/strands/loops.c 's/add(l, l->next, iteration + 1 - l->next);/add(l, l->next, 1);/' '.* from shares to static' test/judges/loops.sh
runtime halffolded "sections that are folded and hold their lock as long as one" runtime/strands/folded.c 's/l->held : f->held + l->held;/l->held : f->held;/' '.*' test/judges/folded.sh
runtime memberless "threads of teams that do not say so" runtime/strands/openmp.c 's/qx_strand_made(QX_STRAND_MEMBER, team->value, index);/;/' '.*' test/judges/openmp.sh

unordered() { # who holds the lock is alone, but sees what others wrote by luck only
  cp -r "$root/runtime" race
  planted race/process runtime/process/lock.c 's/^  pthread_mutex_lock(&mutex);/  while (__atomic_exchange_n(\&alone, 1, __ATOMIC_RELAXED)) sched_yield();/
    s/^  pthread_mutex_unlock(&mutex);/  __atomic_store_n(\&alone, 0, __ATOMIC_RELAXED);/
    s/^.*void qx_lock(void) {/static int alone;\n#include <sched.h>\n&/' || return 1
  ! RUNTIME=$work/race timeout 120 bash "$here/races.sh" "threads.sh posix" >race.log 2>&1 && grep '^FAIL .*: no report' race.log && grep 'data race' race.log
}
mine && check "a lock of the runtime that orders nothing: seen by races.sh" unordered

units_see() { # units_see NAME TEXT FILE: the unit tests fail with the planted copy of FILE
  if [ ! -e "$BUILD/test/unit_tests" ]; then skip "$2: unit tests (not built)"; return 0; fi
  if ! linked "$1" test/unit_tests "$work/$1/unit_tests" "$3" >"$1.log" 2>&1; then
    bad "$2: cannot build the unit tests with it"; tail -n 5 "$1.log" | sed 's/^/     | /'
  elif "$1/unit_tests" --gtest_brief=1 ${4:+--gtest_filter="$4"} >"$1.log" 2>&1; then bad "$2: not seen by the unit tests"
  else ok "$2: seen by the unit tests ($(grep -c '\[  FAILED  \]' "$1.log") lines)"; fi
}
formula() { # formula NAME TEXT FILE SED-SCRIPT
  planted "$1" "$3" "$4" && mine || return 0
  if ! linked "$1" bin/quincunx "$work/$1/quincunx" "$3" >"$1.log" 2>&1; then
    bad "$2: cannot build the fault"; tail -n 5 "$1.log" | sed 's/^/     | /'; return 0
  fi
  if $judge identity --quincunx "$work/$1/quincunx" true.qx >"$1.log" 2>&1; then bad "$2: not seen by the identity judge"
  else ok "$2: seen by the identity judge ($(grep -m1 WRONG "$1.log" || tail -n 1 "$1.log"))"; fi
  units_see "$1" "$2" "$3"
}
calculus() { # calculus NAME TEXT FILE SED-SCRIPT TESTS: no report uses it; the judge is these tests
  planted "$1" "$3" "$4" && mine || return 0
  units_see "$1" "$2" "$3" "$5"
}
if $judge identity --quincunx "$quincunx" true.qx >out 2>&1; then ok "without a fault the identity judge is content: $(tail -n 1 out)"
else bad "without a fault the identity judge is content"; tail -n 5 out | sed 's/^/     | /'; fi
formula kurtosis "kurtosis counted from 0" lib/numeric/Moments.cpp 's,k\.k4 / (k\.k2 \* k\.k2) + 3},k.k4 / (k.k2 * k.k2)},'
formula quantile "a percentile one run too high" lib/dist/Steps.cpp 's/return weightUpTo(n) \/ total >= least;/return weightUpTo(n) \/ total > least;/'
formula library "calls of libraries counted twice" lib/estimate/price/LibraryCosts.cpp 's/to.calls += times\[s\];/to.calls += 2 * times[s];/'
formula flow "a sign in the conservation of flow" lib/model/FlowSolver.cpp 's/gradient\[e\] -= sign;/gradient[e] += sign;/'
calculus escape "a loop's escape by subtraction" lib/cost/Eliminate.cpp \
  's,star(1 / escape \* series\[s.self\]\, 1),inverse(PowerSeries{{1}} - series[s.self]) * PowerSeries{{escape}},' 'Eliminate.*'
calculus loop "a loop left out of elimination" lib/cost/Eliminate.cpp 's,around = s.self == noIndex ,around = true ,' 'Calculus.*'
calculus range "an interval that leaves out an arm" lib/cost/Rules.cpp 's,if (weights\[i\] > 0),if (weights[i] > 1),' 'Calculus.*'
calculus unjoined "tasks for which nobody waits" lib/strands/LogicalThreads.cpp '/more.pop_back();/{n;s/joinTask(e, id);//}' 'Strands*'
calculus unreleased "locks that nobody gave up" lib/strands/StrandGraph.cpp 's/^    writer = m.node;//' 'CriticalPath*'
calculus cut "runs cut by the loop's end left out" lib/cost/RunLaw.cpp \
  's,atRisk += static_cast<double>(count);,atRisk += 0;,; s,atRisk -= static_cast<double>(cut->second);,atRisk -= 0;,' 'BranchModels.*'
calculus third "a sign in the third rate of runs" lib/cost/Renewal.cpp 's,+ 3 \* l.k2 \* skew,- 3 * l.k2 * skew,' 'BranchModels.*'
calculus insample "a calibration judged by inputs it was fitted to" lib/estimate/calibrate/Calibrate.cpp \
  's,if (foldOf\[i\] != fold),if (foldOf[i] != folds),' 'Calibrate.*'
calculus below "blocks below nothing that make their bodies too dear" lib/estimate/calibrate/SampledFeatures.cpp \
  's,code\[b\] \*= factor;,,' 'SampledCalibration.Bodies*'
calculus unmissed "misses that the fit of a run forgets" lib/estimate/price/PricedMap.cpp \
  's,row(c.counter)\[width - 1\] += ,row(c.counter)[width - 1] += 0 * ,' 'Calibrate.*:MissRates.*'
calculus spreads "one spread for all groups of prices" lib/numeric/VarianceComponents.cpp \
  's,      v \*= factor;,      v *= g == 0 ? factor : 1;,' 'VarianceComponents.*'
calculus trusted "pages that are read without a look at their checksums" lib/profile/PageChecksums.cpp 's/stored == checksum(/stored != 1 || stored == checksum(/' 'Corpus.Notices*'
calculus ended "sums of calls that never ended taken for totals" lib/estimate/counts/TotalCosts.cpp 's,sums\[d\] = whole ?,sums[d] = calls > 0 ?,' 'TotalCosts.*'
calculus nowhere "calls elsewhere taken for calls under a function" lib/estimate/whatif/CallShares.cpp \
  's,under\[i\].all = false;,under[i].all = true;,; s,^        more = true;,        more = false;,' 'TotalChanges.*'
calculus charged "measured calls that move the mean of a run" lib/estimate/compose/Independence.cpp \
  's,c.charged.k1 = c.inclusive.k1;,,' 'Independence.*'
calculus within "calls within a recursion charged as outermost ones" lib/model/Compose.cpp \
  's,return graph.componentOf\[caller\] == .*,return c.charged;,' 'Independence.*'
calculus periods "a period too few in a sum of remainders" lib/pamela/algebra/PeriodicSums.cpp \
  's,return add(multiply(periods\, upTo(p))\, upTo(rest));,return add(multiply(periods\, upTo(rest))\, upTo(rest));,' 'PamelaPeriodicSums.*'
calculus chain "a chain rule without the inner derivative" lib/pamela/algebra/Derivative.cpp \
  's,return all.multiply(id\, d);,return id;,' 'PamelaDerivatives.*'
calculus bounds "a largest value of a parameter that is not looked at" lib/pamela/evaluate/ParameterRanges.cpp \
  's,if (below || (bound == d.most \&\& \*x > \*limit)),if (below),' 'PamelaRanges.*'
calculus growing "growth that is judged by a law of all sizes" lib/estimate/budget/GrowthBound.cpp \
  's,j < m \&\& n\[d\] <= middle; ++j,j < m; ++j,; s,^      else$,,' 'GrowthBound.*'
calculus chance "what does not repeat taken for what does" lib/estimate/budget/Decision.cpp 's,deviations = 5;,deviations = 0.5;,' 'BudgetDecision.*'
calculus unordered "folded loops that lose the order of their iterations" lib/parallel/FoldedLoop.cpp \
  's,segments = std::max<size_t>(1\, std::min(segments\, costs.size()));,segments = 1;,' 'FoldedLoop.*'
calculus queued "a queue of chunks in place of stealing" lib/parallel/StealingSchedule.cpp \
  's,return std::make_unique<StealingSchedule>(,return dealQueue(,' 'StealingSchedule.*'
calculus unread "writers that do not wait for readers" lib/parallel/Tasks.cpp 's,^      comesAfter(reader);,      ;,' 'Tasks.*'
calculus unlocked "a lock that is forgotten" lib/parallel/Locks.cpp 's,if (l.owner != noIndex || .*,if (false) {,' 'Locks.*'
calculus undealt "chunks that stay with who had them" lib/strands/StrandDescription.cpp 's,if (l.isChanged || chunks == Chunks::dealt) {,if (l.isChanged) {,' 'SharedLoops.*'
calculus evenly "iterations that are all taken to be alike" lib/strands/SharedLoops.cpp 's,costs\[group\] += cost \* (to - from);,costs[group] += to - from;,' 'SharedLoops.*'
calculus unmoved "what a thread did that is taken away" lib/strands/TeamSizes.cpp 's,to.work\[meeting\] += stretch.work.*,;,' 'SharedLoops.*'
calculus unchained "chains that end with what came last" lib/estimate/critical/RunFates.cpp 's,p = s.pieces\[p\].previous),p = noIndex),' 'ParallelTimesTest.*'
calculus latest "threads that end with the last of them" lib/strands/FirstToEnd.cpp 's,end = std::min(end\, s.late + s.work);,end = s.late + s.work;,' 'FirstToEnd.*'
calculus shared "what one thread of a team does, as if all shared it" lib/strands/TeamSizes.cpp 's,works.size() > 1 ?,works.size() > 0 ?,' 'SharedLoops.*'
calculus alike "locks that make no difference" lib/strands/StrandDescription.cpp 's,(!known->hasLocks &&,(,' 'StrandDescription.*'
calculus unpriced "prices that scale as counts do" lib/estimate/price/PriceChange.cpp 's,scaled(value.k1\, was),value.k1 * was,' 'WhatIf.*'
calculus unready "futures that are there before they are" lib/strands/StrandGraph.cpp 's,^ *add(parts\[p - 1\].met->node\, m.node);,continue;,' '*WhoAwaits*:StrandsAtRandom.*'
calculus lined "tasks that wait in one line, whoever made them" lib/parallel/Seats.cpp 's,if (t.isTask && !hasWorked),if (false),' 'Seats.*'
calculus together "locks of several of which one is had" lib/parallel/Simulation.cpp 's,return lockAll(id\, s);,return lock(id\, d.together[s.object]\, false);,' 'Locks.*'
calculus untaken "waits between threads that are dropped" lib/strands/Meetings.cpp 's,^ *met.atNode\[e.to\].before.push_back(parallel::take(channel\, is.*,,' 'StrandsAtRandom.*'
calculus unput "jobs that are taken before they are put" lib/strands/Meetings.cpp 's,^ *met.atNode\[queue.puts\[k\]\].after.push_back(,(void)(,' 'JobQueues.*'
calculus lastcomer "barriers in which who came last in the run is waited for" lib/strands/ConditionWaits.cpp 's,^    if (!counted)$,    if (true),' 'CountedWaits.*'
calculus toolate "who comes to a phase and waits for all that were over when he came" lib/strands/AtomicWaits.cpp 's,needed\[k\] += d.node < .*,++needed[k];,' 'AtomicWaits.*'
calculus unlocked "locks of atomics that are had in the order of the run" lib/strands/StrandDescription.cpp 's,ran = withLocks ? \*withLocks : marked;,ran = marked;,' 'AtomicWaits.*'
calculus misgiven "what is done for all, by who comes first" lib/parallel/Barriers.cpp 's,arrived == d.barriers\[s.object\]),arrived == 1),' 'AtomicWaits.*:Barriers.*'
calculus unlimited "semaphores of a lock and a counter that limit nobody" lib/strands/Permits.cpp 's,^  return value \&\& \*value >= 0.*,  return std::nullopt;,' 'Permits.*'
calculus sameagain "what is done once and stays with who did it" lib/strands/DoneOnce.cpp 's,if (isOnce \&\& !part.others.empty()),if (false),' 'StrandDescription.*'
calculus regular "sections that were folded and come regularly" lib/strands/FoldedSections.cpp 's,from.empty() ? Example{1\, 1},true ? Example{1\, 1},' 'FoldedSections.*'
calculus unslowed "mutexes that are given to who waits, in slow motion" lib/strands/ThreadBodies.cpp 's,beforeWaking \* slowMotion,beforeWaking,' 'FoldedSections.*'
calculus never "that there are no more jobs, which nobody is told" lib/parallel/Pools.cpp 's,pool.isAwaited\[s.count\] = false;,;,' 'Pools.*'
calculus undone "who waits for jobs and goes on before they are done" lib/strands/Meetings.cpp 's,^ *met.atNode\[node\].before.push_back(parallel::take(channel));,(void)node;,' 'JobQueues.*'
calculus unnumbered "numbers of jobs that are not looked at" lib/strands/JobQueues.cpp 's,a.number < b.number,a.order < b.order,;s,a.number > b.number,a.order < b.order,' 'JobQueues.*'
calculus miscut "jobs that begin where results are kept" lib/strands/JobQueues.cpp 's,return isOfSameJobs ?,return false ?,' 'JobQueues.*'
calculus misnumbered "iterations that are told together and count as one" lib/strands/SerialLoops.cpp 's,done += e.order;,done += 1;,' 'SerialLoops.*'
calculus ahead "mutexes that are given to who waits, though he sleeps" lib/strands/ThreadBodies.cpp 's,step.nowait = returns.comesAgain(.*,step.nowait = false;,' 'StrandDescription.*'
calculus unfairly "locks of OpenMP that others get ahead of" lib/strands/ThreadBodies.cpp 's, \&\& !out.isQueued\[step.object\],,' 'StrandDescription.*'
calculus nobody "tasks that begin where nobody is to execute them" lib/parallel/Seats.cpp 's,return !threads\[id\].isTask ||,return true ||,' 'Seats.*'
calculus unknowns "unknowns that are taken off with the wrong sign" lib/numeric/Sparse.cpp 's,x\[t.row\] -= ,x[t.row] += ,' 'Sparse.*'
calculus kept "locks that are not there and keep others waiting" lib/strands/LockChanges.cpp 's,return newFor(e.object);,return e.object;,' 'StrandsAtRandom.*'
calculus unlearnt "prices of strands that are learnt and not taken" lib/estimate/critical/StrandPrices.cpp 's,^  if (prices.empty())$,  if (true),' 'ParallelTimes*'
calculus leaky "inputs that are told by themselves with other threads" lib/estimate/calibrate/Calibrate.cpp 's,inputOf(matrix.rows\[rows\[i\]\].label),std::to_string(i),' 'Calibrate.*'
calculus unslowed "threads that do not slow each other down" lib/estimate/critical/ParallelTimes.cpp 's,const double factor = (--at)->second;,const double factor = (--at)->first * 0 + 1;,' 'ParallelTimesTest.*'
strange() { # strange NAME TEXT FILE SED-SCRIPT QUESTIONS: strangers.py is not content
  planted "$1" "$3" "$4" && mine || return 0
  mkdir -p "$1/bin" && ln -s "$BUILD/bin/corpus_sql" "$1/bin/"
  if ! linked "$1" bin/quincunx "$work/$1/bin/quincunx" "$3" >"$1.log" 2>&1; then
    bad "$2: cannot build the fault"; tail -n 5 "$1.log" | sed 's/^/     | /'; return 0
  fi
  if BUILD=$work/$1 CFG=$cfg "$here/strangers.py" --only "$5" >"$1.log" 2>&1; then bad "$2: not seen by strangers.py"
  elif grep -q '^FAIL' "$1.log"; then ok "$2: seen by strangers.py ($(grep -c '^FAIL' "$1.log") lines)"
  else bad "$2: strangers.py fails in another way"; tail -n 5 "$1.log" | sed 's/^/     | /'; fi
}
strange joined "joiners and tags that are taken for text" lib/base/Text.cpp 's/^  case UTF8PROC_CATEGORY_CF:$//; s/ignorable == 0/ignorable < 2/' '^corpus (ls|show)'
strange uncut "texts that are not cut" lib/base/Text.cpp 's/^  return text.replace(head, tail - head, gap);/  return text;/' '^corpus (ls|show)'
strange driven "JSON that drives a terminal" lib/report/layout/JsonText.cpp 's/ensure_ascii=\*\/true/ensure_ascii=*\/false/' '^corpus ls --json'
strange repeated "a name that is kept wherever it stands" lib/map/Decode.cpp 's/^    if (!names.take(/    if (false \&\& !names.take(/' 'called 5000 times'
strange unmeasured "a length that is believed" lib/profile/Codec.cpp 's/ || size > limit)/ || size > limit + maxBlob)/' '8 kB'
strange spread "names that are demangled at any length" lib/report/layout/Names.cpp 's/mostBytes(mangled) > mostDemangled/mostBytes(mangled) < 0/' '^report --top'

code_is_judged() {
  planted code lib/report/pamela/FormulaCode.cpp 's/rest < 0) != (b < 0) ? rest + b : rest/rest < 0) != (b < 0) ? rest : rest/' || return 1
  mkdir -p code/bin && linked code bin/quincunx "$work/code/bin/quincunx" lib/report/pamela/FormulaCode.cpp || return 1
  ! BUILD="$work/code" "$here/formulas.py" && BUILD="$BUILD" "$here/formulas.py"
}
mine && check "remainders in C with another sign: seen by formulas.py" code_is_judged

calls_are_judged() {
  planted calls lib/estimate/counts/TotalCosts.cpp 's/context\[f\] = contextOf(.*/context[f] = 1;/' || return 1
  mkdir -p calls/bin && ln -s "$BUILD/lib" calls/lib && linked calls bin/quincunx "$work/calls/bin/quincunx" lib/estimate/counts/TotalCosts.cpp || return 1
  ! BUILD="$work/calls" "$here/../cli/calls.sh" && BUILD="$BUILD" "$here/../cli/calls.sh"
}
mine && check "callees that cost the same below each caller: seen by test/cli/calls.sh" calls_are_judged

rooms_are_seen() {
  mkdir -p rooms && for top in lib include passes plugin printer runtime tools; do cp -R "$root/$top" rooms/; done
  python3 "$root/scripts/rooms" --root rooms || return 1
  sed -i '1i #include "quincunx/report/Terminal.h"' rooms/lib/model/FlowSolver.cpp
  ! python3 "$root/scripts/rooms" --root rooms
}
mine && check "an include that no room allows: seen by scripts/rooms" rooms_are_seen
lanes_are_seen() {
  "$root/scripts/lanes" "$root/lib/dist/Panels.cpp" || return 1
  sed 's/ QUINCUNX_INLINED//' "$root/lib/dist/Panels.cpp" >lanes.cpp
  sed -i "s,#include \"\(Panels.h\)\",#include \"$root/lib/dist/\1\"," lanes.cpp
  ! "$root/scripts/lanes" lanes.cpp
}
mine && check "a function of lanes that is not always inlined: seen by scripts/lanes" lanes_are_seen
finish
