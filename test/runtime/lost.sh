#!/bin/bash
# A profiler may lose counts, but not without a word. Programs get into troubles, most of them such that nothing can be opened or
# written any more, go on with 1, 8 and 64 threads, with children, with both and with children of threads, and end badly, in all
# the ways that the list below names. They know how often they called: a run that `quincunx run` calls finished has exact counts,
# and any other is marked. What is demanded to be exact in spite of all is named below. With QUINCUNX_FULL every trouble meets
# every end. Kills in the middle of threads that come and go, and of libraries, are in kills.sh.
. "$(dirname "$0")/../judges/common.sh"
$clang -O2 $blocks -pthread -o lost "$here/lost.c"
shapes="t1 t8 t64 f3 m4 c4"

# way | trouble | ends
cat >ways <<'LIST'
no trouble, a normal end               | none    | exit
_exit, with threads that still run     | none    | _exit
quick_exit                             | none    | quick
exit in a thread while others run      | none    | thread
SIGKILL                                | none    | killed
SIGKILL at a random moment             | none    | random
SIGTERM                                | none    | terminated
abort                                  | none    | aborts
a fault (SIGSEGV)                      | none    | segv
stack overflow                         | none    | overflow
no more CPU time (SIGXCPU)             | none    | cpu
exec                                   | none    | execs
exec with an emptied environment       | none    | bare
exec that fails                        | none    | execfails
longjmp out of handlers                | none    | jumps
children of children that are killed   | none    | bomb
vfork                                  | none    | vforks
_Fork, and both count at once          | none    | copies
a clone by number                      | none    | clones
a clone by clone()                     | none    | cloned
threads of libc's own, then SIGKILL    | none    | notified
a limit of no descriptors              | nofile  | exit _exit killed
all descriptors used up                | used    | exit _exit quick execs killed aborts notified
descriptors closed that are not known  | closes  | exit _exit killed
a limit of file size of 0              | fsize   | exit _exit killed copies
a limit that the live file has reached | small   | exit _exit killed
a disk that is full                    | full    | exit _exit killed
no memory (RLIMIT_AS)                  | memory  | exit _exit killed aborts
threads and children cannot start      | nproc   | exit _exit killed
the folder is renamed                  | renamed | exit _exit killed
the folder is removed                  | removed | exit _exit killed
chroot                                 | jail    | exit _exit killed
privileges given up                    | nobody  | exit _exit killed
a time limit (--timeout)               | none    | idles
LIST
[ "$(id -u)" = 0 ] || sed -i '/| *\(jail\|nobody\) *|/d' ways
if [ -n "${QUINCUNX_FULL:-}" ]; then
  ends=$(cut -d'|' -f3 ways | tr ' ' '\n' | grep -v '^cpu$\|^idles$\|^$' | sort -u | xargs)
  cut -d'|' -f2 ways | tr -d ' ' | sort -u | while read -r trouble; do echo "everything | $trouble | $ends"; done >>ways
fi
while IFS='|' read -r _ trouble ends; do for end in $ends; do for shape in $shapes; do
  label=${trouble// /}-$shape-$end
  printf '%s\t-\t%s %s %s %s\t\n' "$label" $trouble "$shape" "$end" "$work/truth/$label"
done; done; done <ways | sort -u >every.tsv
grep -Ev '\bfull |idles ' every.tsv >all.tsv
grep ' idles ' every.tsv >late.tsv
grep $'\tfull ' every.tsv >full.tsv
# tried NAME OPTION...: runs NAME.tsv, and adds what came of it to `runs`: label, outcome, calls that were counted, that were
# made, and that may have been under way
tried() {
  "$quincunx" run -o "$1.qx" --cases "$1.tsv" "${@:2}" -- ./lost >/dev/null 2>"$1.said" </dev/null || :
  added "$1"
}
added() {
  $judge blocks --quincunx "$quincunx" "$1.qx" >blocks
  "$quincunx" corpus dump "$1.qx" >dump
  python3 - "$1.tsv" >>runs <<'END'
import collections, struct, sys
counted, outcome = collections.Counter(), {}
for line in open("blocks"):
    run, function, block, n = line.split("\t")[:4]
    if function == "tick" and block == "0":
        counted[run] += int(n)
for line in open("dump"):
    f = line.split("\t")
    if f[0] == "run":
        outcome[f[2]] = f[3]
        counted[f[2]] += counted[f[1]] if f[1] != f[2] else 0
for line in open(sys.argv[1]):
    label = line.split("\t")[0]
    truth = struct.unpack("2Q", open("truth/" + label, "rb").read(16))
    print(label, outcome.get(label, "none"), counted[label], *truth)
END
}
mkdir truth
: >runs
tried all -j 2
tried late -j 2 --timeout 0.3
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=512k none small 2>/dev/null; then
  undo="umount '$work/small'"
  TMPDIR=$work/small tried full
else skip "a disk that is full (needs to mount one)"; fi
all=$(wc -l <runs)
silent=$(awk '$2 == "finished" && !($4 <= $3 && $3 <= $4 + $5) || $3 > $4 + $5' runs)
exact=$(awk '$2 == "finished"' runs | wc -l)
marked=$(awk '$2 != "finished" && $2 != "none"' runs | wc -l)
left=$(awk '$2 == "none"' runs | wc -l)
if [ -z "$silent" ]; then ok "$(grep -c '|' ways) ways, $all runs: $exact exact, $marked marked, $left not stored, 0 silent"
else bad "counts that are wrong without a word: $silent"; fi
check "each run that is not stored is told" test "$(sed -n 's/.* \([0-9]*\) left no record.*/\1/p' ./*.said | awk '{ n += $1 } END { print n + 0 }')" = "$left"
# whole WHAT PATTERN [OUTCOME]: runs that are exact, and end like that
whole() {
  others=$(awk -v p="^($2)$" -v o="^(${3:-finished})$" '$1 ~ p && !($2 ~ o && $4 <= $3 && $3 <= $4 + $5)' runs)
  n=$(awk -v p="^($2)$" '$1 ~ p' runs | wc -l)
  if [ "$n" -gt 0 ] && [ -z "$others" ]; then ok "$1: $n exact"; else bad "$1: $n, not exact: $others"; fi
}
whole "without a trouble, a status" 'none-.*-(exit|_exit|quick|thread|execs|execfails|jumps|bomb|vforks|copies|clones|cloned)'
whole "without a trouble, a signal" 'none-.*-(killed|random|terminated|cpu|notified)' cut-short
whole "without a trouble, a fault" 'none-.*-(aborts|segv|overflow)' crashed
whole "without a trouble, too late" 'none-.*-idles' timed-out
whole "without a trouble, another program" 'none-.*-bare' cut-short
whole "threads begun without descriptors, a normal end" '(nofile|used|closes|fsize|small|full|jail|nobody|nproc)-t[0-9]+-exit'

# ---- `quincunx run` itself ----
grep -E $'^none-[a-z0-9]+-(exit|_exit|thread|bomb|jumps|copies|clones|cloned)\t' every.tsv >killed.tsv
"$quincunx" run -q -o killed.qx --cases killed.tsv -- ./lost >/dev/null 2>&1 </dev/null &
victim=$!
for _ in $(seq 500); do [ "$("$quincunx" corpus dump killed.qx 2>/dev/null | grep -c '^run')" -lt 5 ] || break; sleep 0.01; done
kill -KILL $victim && wait $victim 2>/dev/null || :
check "a folder is left by a \`run\` that is killed" test -n "$(find tmp -name 'quincunx-run-*')"
: >runs
tried killed --resume
check "which goes on" test "$(awk '$2 == "finished"' runs | wc -l)" = "$(wc -l <killed.tsv)"
whole "what was done and what came then" '.*'
check "and the folder is swept" test -z "$(find tmp -name 'quincunx-run-*')"

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
(ulimit -f 8; set +e; "$quincunx" run -o limited.qx --cases all.tsv -- ./lost 2>&1 >/dev/null; echo "status $?") 2>&1 | cat >err
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
