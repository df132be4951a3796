#!/bin/bash
# A profiler may lose counts, but not without a word. Programs that get into troubles in which nothing can be opened or written
# any more, with threads and children that begin after that, end in every way: a run that `quincunx run` calls finished has exact
# counts, and any other is marked. What is demanded to be exact in spite of the trouble is named below.
. "$(dirname "$0")/../judges/common.sh"
$clang -O2 $blocks -pthread -o lost "$here/lost.c"
troubles="none nofile used fsize small closes renamed"
[ "$(id -u)" != 0 ] || troubles="$troubles jail nobody"
shapes="t1 t8 t64 f3 m4" ends="exit _exit quick execs killed aborts"
for trouble in $troubles; do for shape in $shapes; do for end in $ends; do
  n=${shape#?}
  case $shape in m*) calls=$((1000 + 2000 * n)) ;; *) calls=$((1000 + 1000 * n)) ;; esac
  printf '%s-%s-%s\t-\t%s %s %s\tcalls=%s\n' $trouble $shape $end $trouble $shape $end $calls
done; done; done >cases.tsv
set +e
"$quincunx" run -o lost.qx --cases cases.tsv -- ./lost >/dev/null 2>said
status=$?
set -e
check "status 3: some runs are marked" test $status = 3
# label, outcome, calls of tick that were counted, calls that there were
$judge blocks --quincunx "$quincunx" lost.qx >blocks
"$quincunx" corpus dump lost.qx >dump
awk -F'\t' 'FILENAME == "blocks" { if ($3 == 0 && $2 == "tick") counted[$1] += $4; next }
  $1 == "run" { label[$2] = $3; outcome[$2] = $4 } $1 == "feature" && $3 == "calls" { calls[$2] = $4 }
  END { for (r in label) print label[r], outcome[r], counted[label[r]] + counted[r], calls[r] }' blocks dump | sort >runs
all=$(wc -l <cases.tsv)
silent=$(awk '$2 == "finished" && $3 != $4' runs)
more=$(awk '$3 > $4' runs)
exact=$(awk '$2 == "finished" && $3 == $4' runs | wc -l)
marked=$(awk '$2 != "finished"' runs | wc -l)
left=$(sed -n 's/.* \([0-9]*\) left no record.*/\1/p' said | tail -n 1)
if [ -z "$silent$more" ]; then ok "$all runs: $exact exact, $marked marked, ${left:-0} not stored, 0 silent"; else bad "counts that are wrong without a word: $silent $more"; fi
check "each run is accounted for" test $((exact + marked + ${left:-0})) = "$all"
# whole WHAT PATTERN: runs that are exact although nothing could be opened when they ended
whole() {
  others=$(awk -v p="^($2)$" '$1 ~ p && !($2 == "finished" && $3 == $4)' runs)
  n=$(awk -v p="^($2)$" '$1 ~ p' runs | wc -l)
  if [ "$n" -gt 0 ] && [ -z "$others" ]; then ok "$1: $n exact"; else bad "$1: $n, not exact: $others"; fi
}
whole "without a trouble" 'none-.*-(exit|_exit|quick|execs)'
whole "threads begun without descriptors, a normal end" '(nofile|used|closes|fsize|small|jail|nobody)-t[0-9]+-exit'
printf 'children\t-\tnofile f3 exit\t\ncopies\t-\tnofile t8 _exit\t\nbare\t-\tnone t1 bare\t\n' >few.tsv
"$quincunx" run -o few.qx --cases few.tsv -- ./lost >/dev/null 2>few || :
check "how many children left nothing is said" grep -q 'run children: counts of 3 processes are missing' few
check "and what the runtime said" grep -q 'children.*it said: quincunx: cannot write .*Too many open files' few
check "a process that ends with counts outside of its file" grep -q 'run copies: counts of 1 process are missing' few
check "a program that was started with an emptied environment" grep -q 'run bare: a program was started with an emptied environment; its record is .*quincunx-lost-' few
check "which is no part of the run" grep -q 'run bare: counts of 1 process are missing' few
check "the last line counts them" grep -q '3 lack counts' few

# ---- causes ----
# because TEXT PATTERN COMMAND...: `quincunx run COMMAND` says why there is no record
because() {
  text=$1 pattern=$2
  shift 2
  "$quincunx" run -o none.qx -- "$@" ::: 1 >/dev/null 2>err </dev/null || :
  if grep -Eq "$pattern" err; then ok "$text"; else bad "$text: $(tail -n 3 err)"; fi
}
$plain -O2 -pthread -o lost.plain "$here/lost.c"
printf '#!/bin/sh\nexit 0\n' >script && chmod +x script
because "a plain program" 'lost.plain left no record: it was not built with the quincunx plugin' ./lost.plain none t1 exit
because "a script that starts none" 'script left no record: it is no program that was built' ./script
if [ "$(id -u)" = 0 ]; then
  chmod 755 . && cp lost lost.setuid && chown 65534 lost.setuid && chmod u+s lost.setuid
  because "a set-user-id program" 'left no record and is not stored: nothing is recorded in a set-user-id program' ./lost.setuid none t1 exit
else skip "a set-user-id program (needs root)"; fi
(ulimit -f 8; set +e; "$quincunx" run -o limited.qx --cases cases.tsv -- ./lost 2>&1 >/dev/null; echo "status $?") 2>&1 | cat >err
check "a limit of files that the corpus meets is a line, and status 1" bash -c "grep -Eq 'File too large|no space|cannot (read or )?write' err && grep -qx 'status 1' err"

# ---- names of runs and records ----
long=$(printf 'x%.0s' $(seq 100))
mkdir names
for last in a b; do QUINCUNX_OUT=names/ QUINCUNX_RUN=$long$last ./lost none t1 exit; done
"$quincunx" corpus add names.qx names/* 2>/dev/null
check "runs whose long names begin alike stay two" test "$("$quincunx" corpus dump names.qx | grep -c '^run')" = 2
mkdir fixed
QUINCUNX_OUT=fixed/x.qxraw ./lost none f3 exit
check "children keep their records where all have one name" test "$(ls fixed | wc -l)" = 4
"$quincunx" corpus add fixed.qx fixed/* 2>/dev/null
check "and counts are exact" test "$(entries fixed.qx tick)" = 4000
QUINCUNX_OUT=fixed/x.qxraw ./lost none t1 exit
check "the next run replaces the record" test "$(ls fixed | wc -l)" = 4
mkdir part && QUINCUNX_OUT=part/%p.qxraw ./lost none f3 exit
rm "$(ls part/*.qxraw | tail -n 1)"
"$quincunx" corpus add part.qx part/* 2>err
check "a record that was lost is told" grep -q 'counts of 1 process are missing' err
check "and the run is marked" bash -c "'$quincunx' corpus dump part.qx | grep -q '^run.*cut-short'"
finish
