#!/bin/bash
# Each thing that goes wrong prints one clear line, ends with the documented status (1 error, 2 usage, 3 some runs failed, 130
# interrupted), and loses nothing. It checks the form of the line (it names the file or the cause), not its wording.
. "$(dirname "$0")/common.sh"

cat >p.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
__attribute__((noinline)) int tick(int x) { return x % 3 == 1 ? x * 2 : x + 1; }
int main(int argc, char **argv) {
  int x = 0, n = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < n; ++i)
    x = tick(x) & 1023;
  if (argc > 2) { /* milliseconds to wait */
    int ms = atoi(argv[2]);
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
  }
  if (n == 13)
    abort();
  printf("%d\n", x);
  return 0;
}
END
$clang -O2 -g -o p p.c
$plain -O2 -o plain p.c
sed 's/return x % 3 == 1/if (x == 77) return 5; return x % 5 == 1/' p.c >changed.c

# says STATUS PATTERN TEXT COMMAND...: the status, exactly one line on stderr, it matches, no crash
says() {
  want=$1 pattern=$2 text=$3
  shift 3
  set +e
  (ulimit -v 4000000; timeout 60 "$@") >says.out 2>says.err </dev/null
  got=$?
  set -e
  lines=$(wc -l <says.err)
  if [ "$got" != "$want" ]; then bad "$text: status $want, was $got"
  elif [ "$lines" != 1 ]; then bad "$text: one line, were $lines"
  elif ! grep -Eqi -- "$pattern" says.err; then bad "$text: the line says $pattern"
  else ok "$text: $(sed "s,$work,.,g" says.err | cut -c1-150)"; return 0; fi
  head -n 4 says.err | sed 's/^/     | /'
}
runs() { "$quincunx" corpus dump "$1" | grep -c $'^run\t' || true; }
fresh() { rm -f "$1"*; "$quincunx" run -q -o "$1" -- ./p {} ::: 1 2 3 4 5 >/dev/null 2>&1; }
fresh good.qx
[ "$(runs good.qx)" = 5 ] || { echo "errors.sh: error: cannot record at all"; exit 1; }
mkdir raw && (cd raw && ../p 5 >/dev/null)
good=$(ls raw/*.qxraw)

# ---- corpora ----
for verb in report "corpus dump" "corpus ls" "corpus show" "corpus scrub"; do
  # shellcheck disable=SC2086
  says 1 'missing.qx' "$verb: missing corpus" "$quincunx" $verb missing.qx
done
[ -e missing.qx ] && bad "a missing corpus is not created by readers" || ok "a missing corpus is not created by readers"
: >empty.qx
says 1 'empty.qx' "report: a file of no bytes" "$quincunx" report empty.qx
echo "this is a text, and rather a long one, so that it might be taken for a header" >text.qx
says 1 'text.qx' "report: not a corpus" "$quincunx" report text.qx
says 1 'text.qx' "run: not a corpus" "$quincunx" run -o text.qx -- ./p {} ::: 1
mkdir folder.qx
says 1 'folder.qx' "report: a folder" "$quincunx" report folder.qx
"$BUILD/bin/corpus_sql" other.qx 'CREATE TABLE mine (x)'
says 1 'other.qx' "report: someone else's database" "$quincunx" report other.qx
cp good.qx none.qx && "$BUILD/bin/corpus_sql" none.qx 'DELETE FROM counts; DELETE FROM feature; DELETE FROM run;'
says 1 'runs' "report: a corpus without runs" "$quincunx" report none.qx
cp good.qx version.qx && "$BUILD/bin/corpus_sql" version.qx 'PRAGMA user_version = 99'
says 1 'version' "report: a corpus of another version" "$quincunx" report version.qx
says 1 'version' "run: a corpus of another version" "$quincunx" run -o version.qx -- ./p {} ::: 1
head -c 3000 good.qx >cut.qx
says 1 'cut.qx' "report: a corpus that was cut off" "$quincunx" report cut.qx
n=0 wrong=
for at in 20 100 4200 8300 9000 12400 16500 20600 24700 28800; do # zeros over its pages: an answer or one line, never a crash
  cp good.qx dented.qx
  dd if=/dev/zero of=dented.qx bs=1 seek=$at count=64 conv=notrunc 2>/dev/null
  set +e
  timeout 20 "$quincunx" report dented.qx >/dev/null 2>dented.err
  s=$?
  set -e
  n=$((n + 1))
  case $s in 0) ;; 1) [ "$(wc -l <dented.err)" = 1 ] || wrong="$wrong $at(lines)" ;; *) wrong="$wrong $at(status $s)" ;; esac
done
if [ -z "$wrong" ]; then ok "report: $n damaged corpora, an answer or one line"; else bad "report: damaged corpora at$wrong"; fi

mkfifo pipe.qx # nobody writes to it
for verb in report model explain "corpus ls"; do
  # shellcheck disable=SC2086
  says 1 'pipe.qx' "$verb: a FIFO" "$quincunx" $verb pipe.qx
done
says 1 'pipe.qx' "annotate: a FIFO as a source" "$quincunx" annotate good.qx pipe.qx
says 1 '/dev/zero' "report: a device as a machine" "$quincunx" report --machine /dev/zero good.qx
beyond() { ulimit -f 8; exec "$quincunx" "$@"; }
export -f beyond; export quincunx
says 1 'small.qx' "run: a corpus beyond ulimit -f" bash -c 'beyond run -q -o small.qx -- ./p {} ::: 1 2 3'

hostile() { # hostile TEXT SQL
  cp good.qx evil.qx && "$BUILD/bin/corpus_sql" evil.qx "$2" || { bad "$1: cannot prepare"; return; }
  # what it does not trust it need not refuse: the right answer is as good as a line
  if (ulimit -v 4000000; timeout 60 "$quincunx" report --json evil.qx 2>/dev/null) | sed s/evil.qx/good.qx/ | cmp -s - good.json; then
    ok "report: hostile corpus, $1: the right answer"
    return
  fi
  says 1 'evil.qx|run|map' "report: hostile corpus, $1" "$quincunx" report evil.qx
}
"$quincunx" report --json good.qx >good.json
hostile "a map of an exabyte" "UPDATE map SET size = 1152921504606846976"
hostile "a map of negative size" "UPDATE map SET size = -1"
hostile "four thousand million counters" "UPDATE map SET counter_count = 4294967295; UPDATE image SET counter_count = 4294967295"
hostile "more counters in a run than in its map" "UPDATE image SET counter_count = counter_count + 1000"
hostile "huge frames" "UPDATE frame SET size = 4611686018427387904"
hostile "more hits than counters" "UPDATE counts SET hit = 1000000000"
hostile "count vectors of rubbish" "UPDATE counts SET bytes = randomblob(100)"
hostile "a map of rubbish" "UPDATE map SET bytes = randomblob(1000)"
hostile "an outcome nobody knows" "UPDATE run SET outcome = 'won'"
cp good.qx label.qx && "$BUILD/bin/corpus_sql" label.qx "UPDATE run SET label = 'x' || char(27) || '[31m' || char(10) || 'y'"
if "$quincunx" report label.qx >label.out 2>&1 && ! grep -q "$(printf '\033')" label.out; then ok "labels are escaped"; else bad "labels are escaped"; fi

# ---- raw records ----
mkdir bad && python3 "$here/hostile.py" "$good" bad
total=0 wrong=
cp good.qx kept.qx
for f in bad/*.qxraw; do
  total=$((total + 1))
  set +e
  (ulimit -v 2000000; timeout 20 "$quincunx" corpus add kept.qx "$f") >/dev/null 2>bad.err
  s=$?
  set -e
  e=$(grep -c 'error:' bad.err || true)
  case $f in
    bad/bad-*) [ "$s $e" = "1 1" ] || wrong="$wrong $(basename "$f"):$s:$e" ;;
    *) { [ "$s $e" = "1 1" ] || [ "$s $e" = "0 0" ]; } || wrong="$wrong $(basename "$f"):$s:$e" ;;
  esac
done
if [ -z "$wrong" ]; then ok "corpus add: $total damaged records, one line each"; else bad "corpus add: damaged records (file:status:error lines)$wrong"; fi
if "$quincunx" report kept.qx >/dev/null 2>&1 && [ "$(runs kept.qx)" -ge 5 ]; then ok "corpus add: the runs that were there are still there"; else bad "corpus add: the runs that were there are still there"; fi
rm -f some.qx
set +e
"$quincunx" corpus add some.qx bad/bad-cut-57.qxraw "$good" >/dev/null 2>some.err
s=$?
set -e
if [ "$s $(runs some.qx) $(grep -c error: some.err)" = "1 1 1" ]; then ok "corpus add: a damaged record does not stop the good one beside it"; else bad "corpus add: a damaged record beside a good one (status $s)"; fi
says 1 'no-such' "corpus add: no such file" sh -c "'$quincunx' corpus add some.qx no-such.qxraw 2>&1 | grep error: >&2; exit 1"

# ---- programs ----
says 1 'flag|plugin|built' "run: a program without the flag" "$quincunx" run -q -o w.qx -- ./plain {} ::: 1 2 3
[ ! -e w.qx ] && ok "run: no corpus is left behind" || bad "run: no corpus is left behind"
says 1 'no-such-program' "run: no such program" "$quincunx" run -q -o w.qx -- ./no-such-program {} ::: 1
says 2 'input' "run: no inputs" "$quincunx" run -o w.qx -- ./p
says 2 'input' "run: no inputs after :::" "$quincunx" run -o w.qx -- ./p {} :::
: >cases.tsv
says 2 'cases|input' "run: a table without cases" "$quincunx" run -o w.qx --cases cases.tsv -- ./p
says 2 'no-cases.tsv' "run: no such table" "$quincunx" run -o w.qx --cases no-cases.tsv -- ./p
set +e
"$quincunx" nosuchverb >/dev/null 2>&1; a=$?
"$quincunx" report >/dev/null 2>&1; b=$?
"$quincunx" run -o w.qx --no-such-option -- ./p {} ::: 1 >/dev/null 2>&1; c=$?
"$quincunx" run -q -o crash.qx -- ./p {} ::: 5 13 7 >/dev/null 2>crash.err; d=$?
set -e
if [ "$a $b $c" = "2 2 2" ]; then ok "usage errors end with 2"; else bad "usage errors end with 2 ($a $b $c)"; fi
if [ "$d $(wc -l <crash.err) $(runs crash.qx)" = "3 1 3" ] && grep -q 13 crash.err; then ok "run: a crash is one line, status 3, the others are kept"; else bad "run: a crash among three (status $d, $(wc -l <crash.err) lines, $(runs crash.qx) runs)"; fi
set +e
"$quincunx" run -q -o late.qx --timeout 0.5 -- ./p {} 5000 ::: 1 >/dev/null 2>late.err; d=$?
set -e
if [ "$d" = 3 ] && "$quincunx" corpus dump late.qx | grep '^run' | grep -q timed-out; then ok "run: a timeout is status 3 and kept as censored"; else bad "run: a timeout (status $d)"; fi

# ---- rebuilt since ----
mkdir old && cp p old/prog && (cd old && ./prog 7 >/dev/null) && $clang -O2 -g -o old/prog changed.c
says 1 'prog' "corpus add: the program was rebuilt since" sh -c "'$quincunx' corpus add old.qx old/*.qxraw 2>old.err; s=\$?; grep error: old.err >&2; exit \$s"
mkdir two && cp p two/p
(cd two && "$quincunx" run -q -o ../two.qx -- ./p {} ::: 11 >/dev/null 2>&1) && $clang -O2 -g -o two/p changed.c &&
  (cd two && "$quincunx" run -q -o ../two.qx -- ./p {} ::: 12 >/dev/null 2>&1)
if "$quincunx" report two.qx 2>&1 | grep -q '1 run is of older builds' && "$quincunx" report --build all two.qx 2>&1 | grep -qi rebuilt; then ok "report: says that the program was rebuilt between runs"; else bad "report: says that the program was rebuilt between runs"; fi

# ---- annotate ----
if "$quincunx" --help | grep -q '^ *annotate'; then
  check "annotate: the source as it was" "$quincunx" annotate good.qx p.c
  cp p.c kept.c && echo "/* changed */" >>p.c
  says 1 'changed' "annotate: a source changed since" "$quincunx" annotate good.qx p.c
  check "annotate --force: takes it" "$quincunx" annotate --force good.qx p.c
  cp kept.c p.c
  says 1 'nosuch.c' "annotate: no such source" "$quincunx" annotate good.qx nosuch.c
  says 1 'changed.c' "annotate: a source that is not in the program" "$quincunx" annotate good.qx changed.c
else skip "annotate (no such verb yet)"; fi

# ---- calibrations ----
says 1 'missing.qx' "calibrate: missing corpus" "$quincunx" calibrate missing.qx
says 1 'good.qx has no timed runs.*--timed' "calibrate: nothing was timed" "$quincunx" calibrate good.qx
says 1 'good.qx is not calibrated.*quincunx calibrate' "report --units time: not calibrated" "$quincunx" report --units time good.qx
says 1 'no runs|every run' "calibrate: timed, never counted" sh -c "'$quincunx' run -q -o times.qx --timed --repeat 1 -- ./plain {} ::: 1 2 3 4 5 2>/dev/null; '$quincunx' calibrate times.qx"
cp good.qx timed.qx && "$quincunx" run -q -o timed.qx --timed --repeat 1 -- ./plain {} ::: 1 2 3 >/dev/null 2>&1
says 1 '3 inputs .*needs 5.*--timed' "calibrate: three inputs are timed" "$quincunx" calibrate timed.qx
"$quincunx" run -q -o timed.qx --timed --repeat 1 -- ./plain {} ::: 4 5 >/dev/null 2>&1
"$BUILD/bin/corpus_sql" timed.qx 'UPDATE repetition SET user = 0.01, system = 0'
says 1 'differ by less.*other sizes' "calibrate: all inputs take as long" "$quincunx" calibrate timed.qx
"$BUILD/bin/corpus_sql" timed.qx 'UPDATE repetition SET user = 0.01 + 0.0005 * timed'
check "calibrate: times that grow with the inputs" "$quincunx" calibrate timed.qx
says 1 'nowhere' "calibrate -o: a folder that is not there" "$quincunx" calibrate -o nowhere/x.machine timed.qx
says 1 'write|space' "calibrate: standard output is full" sh -c "'$quincunx' calibrate timed.qx >/dev/full"
for text in "rubbish" "add 1e999" "" "function 0 main 1 2" "add 1
function 99 main nan"; do # what a stranger may have kept in a corpus: an answer or one line
  cp timed.qx strange.qx
  "$BUILD/bin/corpus_sql" strange.qx "UPDATE calibration SET machine = '$text'"
  if timeout 20 "$quincunx" report strange.qx >/dev/null 2>strange.err; then [ -z "$text" ] && s=ok || s="status 0"; else s=$?; [ "$s $(wc -l <strange.err)" = "1 1" ] && s=ok; fi
  if [ "$s" = ok ]; then ok "report: a calibration of '$(echo "$text" | head -n 1)': $(cut -c1-120 strange.err)"; else bad "report: a calibration of '$text': $s"; fi
done
cp timed.qx strange.qx # weights of blocks that are not there, and functions that are not there
"$BUILD/bin/corpus_sql" strange.qx "UPDATE calibration SET machine = machine || 'function 0 main 1 2 3 4 5 6 7' || char(10) || 'function 7 tick 1' || char(10) || 'function 0 nobody 1'"
check "report: a calibration of another build" "$quincunx" report strange.qx

# ---- places that cannot be written ----
says 1 'x.qx|/proc' "run: an unwritable folder" "$quincunx" run -q -o /proc/sys/x.qx -- ./p {} ::: 1
says 1 'nowhere' "run: a folder that is not there" "$quincunx" run -q -o nowhere/x.qx -- ./p {} ::: 1
(cd /proc && "$work/p" 5 >"$work/un.out" 2>"$work/un.err") && s=0 || s=$?
if [ "$s $(wc -l <un.err) $(cat un.out)" = "0 1 $(./plain 5)" ]; then ok "a program in an unwritable folder: one line, its output and status are its own"; else bad "a program in an unwritable folder: status $s, $(wc -l <un.err) lines"; fi
QUINCUNX_OUT=/dev/full/x ./p 5 >un.out 2>un.err && s=0 || s=$?
if [ "$s $(wc -l <un.err)" = "0 1" ]; then ok "QUINCUNX_OUT that cannot be: one line"; else bad "QUINCUNX_OUT that cannot be: status $s, $(wc -l <un.err) lines"; fi
(cd raw && rm -f ./* && QUINCUNX_OUT= ../p 5 >/dev/null && [ -z "$(ls)" ]) && ok "an empty QUINCUNX_OUT records nothing" || bad "an empty QUINCUNX_OUT records nothing"
says 1 'write|space' "report: standard output is full" sh -c "'$quincunx' report good.qx >/dev/full"
says 1 'write|space' "corpus dump: standard output is full" sh -c "'$quincunx' corpus dump good.qx >/dev/full"

mkdir disk
if mount -t tmpfs -o size=1m none disk 2>/dev/null; then
  undo="umount '$work/disk'"
  seq 101 3100 >many
  set +e
  "$quincunx" run -q -o disk/x.qx -- ./p {} :::: many >/dev/null 2>full.err
  s=$?
  set -e
  if [ "$s $(wc -l <full.err)" = "1 1" ] && grep -Eqi 'full|space' full.err; then ok "run: a full disk: $(sed "s,$work,.,g" full.err | cut -c1-120)"
  else bad "run: a full disk: status $s, $(wc -l <full.err) lines: $(head -n 2 full.err)"; fi
  n=$(runs disk/x.qx)
  if [ "$n" -gt 0 ] && "$quincunx" report disk/x.qx >/dev/null 2>&1; then ok "run: the $n runs before the disk was full are kept"; else bad "run: the runs before the disk was full are kept ($n)"; fi
  mount -o remount,size=100m disk
  "$quincunx" run -q --resume -o disk/x.qx -- ./p {} :::: many >/dev/null 2>&1 || true
  n=$(runs disk/x.qx)
  if [ "$n" = 3000 ]; then ok "run --resume: completes them when there is room"; else bad "run --resume: 3000 runs when there is room, are $n"; fi
  mkdir disk/tiny && mount -t tmpfs -o size=4k none disk/tiny 2>/dev/null && {
    undo="umount '$work/disk/tiny'; $undo"
    head -c 4096 /dev/zero >disk/tiny/fill 2>/dev/null || true
    (cd disk/tiny && "$work/p" 5 >"$work/un.out" 2>"$work/un.err") && s=0 || s=$?
    if [ "$s $(wc -l <un.err) $(cat un.out)" = "0 1 $(./plain 5)" ] && [ -z "$(ls disk/tiny | grep -v fill)" ]; then ok "a program on a full disk: one line, nothing half-written"
    else bad "a program on a full disk: status $s, $(wc -l <un.err) lines, left: $(ls disk/tiny)"; fi
  }
else skip "a full disk (mount is not permitted here)"; fi

# ---- two at once, killed, interrupted ----
rm -f q.qx*
"$quincunx" run -q -o q.qx -- ./p {} 100 ::: $(seq 100 119) >/dev/null 2>first.err &
first=$!
for _ in $(seq 50); do [ -e q.qx ] && break; sleep 0.05; done
sleep 0.3
says 1 'q.qx' "run: another run has this corpus" "$quincunx" run -q -o q.qx -- ./p {} ::: 1
if "$quincunx" report q.qx >/dev/null 2>&1; then ok "report: reads a corpus that is being written"; else bad "report: reads a corpus that is being written"; fi
wait $first && s=0 || s=$?
if [ "$s $(runs q.qx)" = "0 20" ]; then ok "run: the first one is not disturbed"; else bad "run: the first one is not disturbed (status $s, $(runs q.qx) runs)"; fi

for signal in KILL INT TERM; do
  rm -f k.qx*
  # started by python, so that a background job of a shell does not ignore SIGINT
  python3 - "$signal" "$quincunx" <<'END' >killed.status 2>killed.err
import os, signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[2], "run", "-q", "-o", "k.qx", "--", "./p", "{}", "50", ":::"] + [str(i) for i in range(100, 140)],
                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
time.sleep(1)
p.send_signal(getattr(signal, "SIG" + sys.argv[1]))
err = p.communicate(timeout=30)[1].decode()
print(p.returncode)
sys.stderr.write(err)
END
  s=$(cat killed.status) n=$(runs k.qx)
  case $signal in KILL) want=-9 ;; *) want=130 ;; esac
  if [ "$s" = $want ] && [ "$n" -ge 5 ] && [ "$n" -lt 40 ]; then ok "run: SIG$signal midway, $n of 40 runs are kept"
  else bad "run: SIG$signal midway: status $s (wanted $want), $n of 40 runs are kept"; head -n 3 killed.err | sed 's/^/     | /'; fi
  "$quincunx" report k.qx >/dev/null 2>&1 || bad "report after SIG$signal"
  "$quincunx" run -q --resume -o k.qx -- ./p {} 50 ::: $(seq 100 139) >/dev/null 2>resume.err && s=0 || s=$?
  labels=$("$quincunx" corpus dump k.qx | awk -F'\t' '$1 == "run" { print $3 }' | sort -u | wc -l)
  if [ "$s $(runs k.qx) $labels" = "0 40 40" ]; then ok "run --resume after SIG$signal: 40 runs, each input once"
  else bad "run --resume after SIG$signal: status $s, $(runs k.qx) runs, $labels inputs"; head -n 3 resume.err | sed 's/^/     | /'; fi
done

# ---- merge ----
fresh a.qx && rm -f b.qx && "$quincunx" run -q -o b.qx -- ./p {} ::: 6 7 >/dev/null 2>&1
"$quincunx" corpus merge ab.qx a.qx b.qx >/dev/null 2>&1 && "$quincunx" corpus merge ba.qx b.qx a.qx b.qx >/dev/null 2>&1 || true
if [ "$(runs ab.qx)" = 7 ] && cmp -s <("$quincunx" corpus dump ab.qx | grep -v '^fact') <("$quincunx" corpus dump ba.qx | grep -v '^fact'); then ok "corpus merge: any order, any number of times"; else bad "corpus merge: any order, any number of times ($(runs ab.qx) runs)"; fi
finish
