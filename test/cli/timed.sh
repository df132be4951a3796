#!/bin/bash
# quincunx run --timed: which repetitions there are and in which order, what is kept of them, what is
# refused, and that nothing recorded is lost. No time that is measured here decides anything.
# Alone: it times programs.
. "$(dirname "$0")/common"

$plain -O2 -g -o plain "$here/worker.c"
# repeated CORPUS: label and number of repetitions
repeated() { sql "$1" "SELECT label, count(*) FROM timed JOIN repetition ON timed = id GROUP BY id ORDER BY label" | xargs; }
startups() { sql "$1" "SELECT count(*) FROM start_up"; }

# ---- beside counted runs ----
gives 0 "counted runs" run -q -o a.qx -- ./worker {1} status {2} ::: 10 20 30 40 ::: 1
sql a.qx "UPDATE run SET user = 0.1, system = 0, wall = 0.2"
gives 0 "--timed" run -o a.qx --timed --repeat 4 -- ./plain {1} status {2} ::: 10 20 30 40 ::: 1
same "repeats every input" "10 1|4 20 1|4 30 1|4 40 1|4" "$(repeated a.qx)"
has "says that it is serial, and why" 'the program is serial: 0 of 4 counted runs' err
has "says where it is kept" 'timed runs are kept on processor [0-9]+' err
has "sums up" 'a.qx has 16 timed runs of 4 inputs: median .*, noise .* %' err
has "counts what was added" '16 timed runs added to a.qx$' err
lacks "warns of nothing" 'warning' err
same "counted runs stay" 4 "$(runs a.qx | wc -l)"
same "exit status, round, times" "1|4|1" "$(sql a.qx "SELECT exit_status, max(round), min(wall > 0 AND user + system > 0 AND user + system < 60 AND minor_faults > 0 AND peak_memory > 0) FROM repetition GROUP BY exit_status")"
same "arguments as those of counted runs" "$(sql a.qx "SELECT label, arguments FROM run ORDER BY label")" "$(sql a.qx "SELECT label, arguments FROM timed ORDER BY label")"
sql a.qx "SELECT round, label FROM timed JOIN repetition ON timed = id ORDER BY start" >order
same "rounds are outside" "1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4" "$(cut -d'|' -f1 order | xargs)"
same "inputs follow three others each" 4 "$(python3 -c '
order = [l.strip().split("|")[1] for l in open("order")]
before = {}
for a, b in zip(order, order[1:]): before.setdefault(b, set()).add(a)
print(sum(len(s) > 2 for s in before.values()))')"
if [ "$(uname -m)" != x86_64 ] || ! python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(0, 0, 0, 0) != 0)'; then
  has "says that start-ups are not measured" 'start-up of the process is not measured: ' err
  traced=
else
  traced=yes
  same "15 start-ups at least" 15 "$(startups a.qx)"
  same "among all rounds" 4 "$(sql a.qx "SELECT count(DISTINCT (SELECT max(round) FROM repetition r WHERE r.start < s.start)) FROM start_up s WHERE s.start > (SELECT min(start) FROM repetition)")"
fi
gives 0 "--resume with nothing to do" run -o a.qx --timed --repeat 4 --resume -- ./plain {1} status {2} ::: 10 20 30 40 ::: 1
same "adds nothing" "10 1|4 20 1|4 30 1|4 40 1|4" "$(repeated a.qx)"
gives 0 "--resume with more" run -o a.qx --timed --repeat 5 --resume -- ./plain {1} status {2} ::: 30 40 50 ::: 1
same "adds what is missing" "10 1|4 20 1|4 30 1|5 40 1|5 50 1|5" "$(repeated a.qx)"
[ -z "$traced" ] || same "start-ups are not missing" 15 "$(startups a.qx)"
same "rounds go on" 9 "$(sql a.qx "SELECT max(round) FROM repetition")"
gives 0 "without --resume" run -q -o a.qx --timed --repeat 1 -- ./plain {1} status {2} ::: 10 10 ::: 1
same "all are made, an input once a round" "10 1|5 20 1|4 30 1|5 40 1|5 50 1|5" "$(repeated a.qx)"

# ---- what the corpus shows ----
gives 0 "corpus show" corpus show a.qx
has "has the program" '^timed +.*/plain: 24 repetitions of 5 inputs' out
gives 0 "corpus show --json" corpus show --json a.qx
same "the same for programs" "24 5 False $(md5sum <plain | cut -d' ' -f1)" "$(json out '*(j["timed"][k] for k in ("repetitions", "inputs", "parallel", "md5"))')"
gives 0 "corpus ls" corpus ls --json a.qx
same "has the inputs" "10 1:5 20 1:4 30 1:5 40 1:5 50 1:5" "$(json out '*("%s:%d" % (t["label"], t["repetitions"]) for t in j["timed"])')"
gives 0 "corpus dump" corpus dump a.qx
cp out dump
same "has a line per repetition" "24 5 1" "$(for k in repetition timed timed-program; do grep -c "^$k	" dump; done | xargs)"
cp a.qx copy.qx
gives 0 "merge with a copy" corpus merge a.qx copy.qx
gives 0 "merge into nothing" corpus merge new.qx a.qx copy.qx
for f in a new; do
  gives 0 "dump of $f.qx" corpus dump $f.qx
  check "has the same bytes" cmp dump out
done
gives 0 "scrub" corpus scrub copy.qx
gives 0 "dump of it" corpus dump copy.qx
lacks "has no arguments and folders" "^timed-argument|$work" out
same "and all repetitions" 24 "$(grep -c '^repetition' out)"

# ---- whose timings ----
gives 1 "an instrumented program" run -q -o a.qx --timed -- ./worker {} ::: 10
has "is refused" 'worker is instrumented: time the plain build' err
$plain -O1 -o other "$here/worker.c"
gives 1 "another program" run -q -o a.qx --timed -- ./other {} ::: 10
has "is refused, with what to do" 'a.qx has timings of another program than .*/other; .*quincunx corpus rm --timings a.qx$' err
same "in one line" 1 "$(wc -l <err)"
gives 1 "also when nothing is missing" run -q -o a.qx --timed --resume --repeat 1 -- ./other {1} status {2} ::: 10 ::: 1
gives 0 "rm --timings" corpus rm a.qx --timings
has "says how many" '24 timed runs removed' err
same "runs stay" 4 "$(runs a.qx | wc -l)"
gives 0 "then it is taken" run -q -o a.qx --timed --repeat 1 -- ./other {1} status {2} ::: 10 ::: 1
gives 1 "merging timings of two programs" corpus merge a.qx new.qx
has "is refused" 'a.qx has timings of another program' err

# ---- the same program? ----
gives 0 "a counted run" run -q -o s.qx -- ./worker 5 status {} ::: 1
sql s.qx "UPDATE run SET exit_status = 0"
gives 0 "another exit status of the same arguments" run -q -o s.qx --timed --repeat 3 -- ./plain 5 status {} ::: 1
same "is stored" "1|3" "$(repeated s.qx)"
has "with a warning that has an example" 'warning: 3 timed runs have another exit status than the counted run \(1: 1, counted 0\)' err

# ---- parallel or not ----
gives 0 "runs" run -q -o p.qx -- ./worker {} ::: 1 2 3
sql p.qx "UPDATE run SET user = 0.3, system = 0, wall = 0.2 WHERE label <> '3'"
gives 0 "of a program that is parallel" run -o p.qx --timed --repeat 1 -- ./plain {} ::: 1 2 3
has "are known by their times" 'the program is parallel: 2 of 3 counted runs' err
has "and it is kept on no processor" 'kept on no processor: the program is parallel' err
sql p.qx "UPDATE run SET user = 0.1"
gives 0 "later" run -o p.qx --timed --repeat 1 -- ./plain {} ::: 1 2 3
has "the corpus remembers it" 'kept on no processor: the program is parallel' err
all=$(grep Cpus_allowed_list /proc/self/status | cut -f2)
last=$(python3 -c 'import os; print(max(os.sched_getaffinity(0)))')
gives 0 "a program that tells where it may run" run -o q.qx --timed --repeat 2 --keep-output kept -- grep Cpus_allowed_list {} ::: /proc/self/status
has "without counted runs a round shows what it is" 'no counted runs say whether .* a round that is not kept shows' err
same "is kept on one processor" "$last $last" "$(cut -f2 kept/*.out | xargs)"
same "output of every round" 2 "$(ls kept/*.out | wc -l)"
sql q.qx "UPDATE timed_program SET parallel = 1, pinned = NULL"
gives 0 "when it is parallel" run -q -o q.qx --timed --repeat 1 --keep-output kept2 -- grep Cpus_allowed_list {} ::: /proc/self/status
same "it is not" "$all" "$(cut -f2 kept2/*.out)"

# ---- start-ups ----
gives 0 "a program that leaves traces" run -q -o t.qx --timed --repeat 2 -- sh -c 'echo >>ran' ::: x
same "runs in the first round and in two that are kept, and in no start-up" 3 "$(wc -l <ran)"
for how in -static -no-pie "-fPIE -pie"; do
  # shellcheck disable=SC2086
  $plain -O1 $how -o how "$here/worker.c" 2>/dev/null || { skip "no programs with $how here"; continue; }
  rm -f how.qx
  gives 0 "a program built with $how" run -q -o how.qx --timed --repeat 1 -- ./how {} ::: 1
  [ -z "$traced" ] || same "starts up" 15 "$(startups how.qx)"
done
gives 0 "a corpus of inputs that were timed once" run -q -o once.qx -- ./worker {} ::: $(seq 20000 20000 120000)
gives 0 "each" run -q -o once.qx --timed --repeat 1 -- ./plain {} ::: $(seq 20000 20000 120000)
timeout 120 "$quincunx" calibrate once.qx >out 2>err || true
lacks "does not know its noise" '\bnan\b' out
gives 0 "more repetitions" run -q -o u.qx --timed --repeat 17 -- ./plain {} ::: 1
[ -z "$traced" ] || same "more start-ups" 17 "$(startups u.qx)"

# ---- ends, inputs, what is stored ----
gives 3 "crashes and time limits" run -o k.qx --timed --repeat 2 --timeout 0.7 -- ./plain 1 {} ::: abort 'sleep' x
same "of words that mean nothing" "sleep|2 x|2" "$(repeated k.qx)"
has "are told" 'run abort: killed by signal 6.*; left out; it said: worker: told to abort' err
has "and counted" '4 timed runs added to k.qx, 2 crashed, these are left out' err
gives 3 "a time limit" run -o k.qx --timed --repeat 1 --timeout 0.5 --resume -- ./plain 1 sleep {} ::: 0 9000
same "leaves the others" "0|1 sleep|2 x|2" "$(repeated k.qx)"
has "is told" 'run 9000: stopped after 0.5 s; left out' err
gives 3 "--ok-status" run -q -o l.qx --ok-status 0,1 --timed --repeat 1 -- ./plain 1 status {} ::: 0 1 2
same "excludes others" "0|1 1|1" "$(repeated l.qx)"
printf 12345 >five
printf 123 >three
gives 0 "--stdin and --no-args" run -q -o n.qx --no-args --timed --repeat 2 --stdin --keep-output in -- ./plain 1 read secret ::: five three
same "input is on standard input" "read 5 read 5 read 3 read 3" "$(cat in/1-* in/2-* | grep '^read' | xargs)"
gives 0 "dump" corpus dump n.qx
lacks "has no arguments and paths" "secret|$work" out
gives 0 "--resume knows inputs by label" run -q -o n.qx --no-args --timed --repeat 3 --resume --stdin -- ./plain 1 read secret ::: five three
same "and adds one" "five|3 three|3" "$(repeated n.qx)"
gives 1 "inputs that could not be told apart" run -q -o z.qx --no-args --timed --label same -- ./plain {} ::: 1 2
has "are refused" 'two inputs are both called same' err
printf '# id\tstdin\targuments\tparameters\none\tthree\t7 read\tn=7\n' >cases.tsv
gives 0 "--cases" run -q -o c.qx --timed --repeat 2 --cases cases.tsv -- ./plain
same "has their names" "one|2" "$(repeated c.qx)"

# ---- command lines that cannot be ----
gives 2 "refused: -j" run -q -o z.qx --timed -j 2 -- ./plain ::: 1
gives 2 "refused: --repeat 0" run -q -o z.qx --timed --repeat 0 -- ./plain ::: 1
gives 1 "refused: several programs" run -q -o z.qx --timed -- {} ::: ./plain ./other
gives 1 "refused: a program that is not there" run -q -o z.qx --timed -- ./none ::: 1
same "in one line" 1 "$(wc -l <err)"
gives 3 "a program that always crashes" run -q -o z.qx --timed --repeat 1 -- ./plain 1 abort ::: 1
if [ -e z.qx ]; then bad "leaves no corpus"; else ok "leaves no corpus"; fi

# ---- Ctrl-C ----
python3 - "$quincunx" <<'END' >status 2>err
import signal, sqlite3, subprocess, sys, time
def listen():  # who started the tests may ignore it
    signal.signal(signal.SIGINT, signal.SIG_DFL)
p = subprocess.Popen([sys.argv[1]] + "run -o i.qx --timed --repeat 5 -- ./plain 1 sleep {} ::: 100 101 102 103".split(), preexec_fn=listen)
def done():
    try:
        with sqlite3.connect("file:i.qx?mode=ro", uri=True) as c:
            return c.execute("SELECT count(*) FROM repetition").fetchone()[0]
    except sqlite3.Error:
        return 0
end = time.monotonic() + 60
while done() < 6 and p.poll() is None and time.monotonic() < end:
    time.sleep(0.02)
p.send_signal(signal.SIGINT)
print(p.wait(60))
END
same "Ctrl-C: status" 130 "$(cat status)"
has "tells how to go on" 'interrupted.*--resume' err
n=$(sql i.qx "SELECT count(*) FROM repetition")
if [ "$n" -ge 6 ] && [ "$n" -lt 20 ]; then ok "keeps $n of 20"; else bad "keeps $n of 20"; fi
gives 0 "--resume goes on" run -q -o i.qx --timed --repeat 5 --resume -- ./plain 1 sleep {} ::: 100 101 102 103
same "with what is missing" "100|5 101|5 102|5 103|5" "$(repeated i.qx)"
same "no folder is left" "" "$(ls "$TMPDIR")"
finish
