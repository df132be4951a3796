#!/bin/bash
# quincunx run is stopped from outside, or not alone: what was done stays, what was left is found again,
# and nobody's records get into another's corpus.
. "$(dirname "$0")/common"

# stopped SIGNAL CORPUS RUNS WORDS...: starts quincunx WORDS..., sends the signal once the corpus has
# that many runs, leaves the exit status in `status`. By python, because a shell's background jobs
# ignore SIGINT.
stopped() {
  python3 - "$quincunx" "$@" <<'END' >status 2>err
import signal, sqlite3, subprocess, sys, time
quincunx, name, corpus, runs, *words = sys.argv[1:]
def listen():  # who started the tests may ignore some of them (nohup does)
    for s in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(s, signal.SIG_DFL)
p = subprocess.Popen([quincunx] + words, preexec_fn=listen)
def done():
    try:
        with sqlite3.connect(f"file:{corpus}?mode=ro", uri=True) as c:
            return c.execute("SELECT count(*) FROM run").fetchone()[0]
    except sqlite3.Error:
        return 0
end = time.monotonic() + 60
while done() < int(runs) and p.poll() is None and time.monotonic() < end:
    time.sleep(0.02)
p.send_signal(getattr(signal, "SIG" + name))
try:
    print(p.wait(60))
except subprocess.TimeoutExpired:
    p.kill()
    print("did not end")
END
}
folders() { find "$TMPDIR" -mindepth 1 -maxdepth 1 -name 'quincunx-run-*' | wc -l; }
labels() { runs "$1" | cut -d'|' -f1 | sort -n | xargs; }

for signal in INT TERM HUP; do
  stopped $signal $signal.qx 3 run -o $signal.qx -- ./worker {} sleep 100 ::: $(seq 30)
  same "SIG$signal: status" 130 "$(cat status)"
  has "tells how to go on" 'interrupted.*--resume' err
  n=$(runs $signal.qx | wc -l)
  same "keeps what is done, in order" "$(seq "$n" | xargs)" "$(labels $signal.qx)"
  if [ "$n" -ge 3 ] && [ "$n" -lt 30 ]; then ok "which is $n of 30"; else bad "which is $n of 30"; fi
  same "leaves no folder" 0 "$(folders)"
done
gives 0 "--resume goes on" run -q --resume -o INT.qx -- ./worker {} sleep 1 ::: $(seq 30)
same "arguments differ: they are other runs" "$((n = $(runs INT.qx | wc -l), n > 30))" 1
gives 0 "--resume goes on" run -q --resume -o TERM.qx -- ./worker {} sleep 100 ::: $(seq 12)
same "each input once" "$(seq 12 | xargs)" "$(labels TERM.qx | cut -d' ' -f1-12)"

# ---- SIGKILL leaves a folder, and the next run finds it ----
stopped KILL kill.qx 2 run -q -o kill.qx -- ./worker {} sleep 100 ::: $(seq 30)
same "SIGKILL" -9 "$(cat status)"
same "leaves its folder" 1 "$(folders)"
n=$(runs kill.qx | wc -l)
if [ "$n" -ge 2 ] && [ "$n" -lt 30 ]; then ok "keeps $n of 30 runs"; else bad "keeps $n of 30 runs"; fi
# what else was left: by one that was killed before it had done anything, or while it removed its folder; and what looks similar
# and is not ours
mkdir -m 700 "$TMPDIR/quincunx-run-abcdef" "$TMPDIR/quincunx-run-toolong" "$TMPDIR/other"
mkdir -m 755 "$TMPDIR/quincunx-run-opened" && touch "$TMPDIR/quincunx-run-opened/lock"
touch "$TMPDIR/quincunx-run-toolong/lock" "$TMPDIR/other/lock" "$TMPDIR/quincunx-run-ghijkl"
mkdir -m 700 "$TMPDIR/quincunx-run-locked" && exec 8>"$TMPDIR/quincunx-run-locked/lock" && flock 8 # of an earlier version, at work
mkdir kept && touch kept/lock kept/mine && chmod 700 kept && ln -s "$PWD/kept" "$TMPDIR/quincunx-run-linked"
mkdir -m 700 "$TMPDIR/quincunx-run-within" && ln -s "$PWD/kept/lock" "$TMPDIR/quincunx-run-within/lock"
gives 0 "the next run" run -o next.qx -- ./worker {} ::: 1
has "says that it removes it" 'removed what 3 killed processes left' err
same "and nothing else" "other
quincunx-run-ghijkl
quincunx-run-linked
quincunx-run-locked
quincunx-run-opened
quincunx-run-toolong" "$(ls "$TMPDIR")"
same "also behind links" "lock
mine" "$(ls kept)"
exec 8>&-
rm -r "$TMPDIR"/quincunx-run-locked "$TMPDIR"/quincunx-run-opened "$TMPDIR"/quincunx-run-toolong "$TMPDIR"/other
rm "$TMPDIR"/quincunx-run-linked "$TMPDIR"/quincunx-run-ghijkl

# ---- two at once in one TMPDIR ----
"$quincunx" run -q -j 2 -o one.qx -- ./worker {} sleep 20 ::: $(seq 1 20) 2>one.err &
one=$!
"$quincunx" run -q -j 2 -o two.qx -- ./worker {} sleep 20 ::: $(seq 101 120) 2>two.err &
two=$!
sleep 0.3
gives 0 "a third starts and ends between" run -o three.qx -- ./worker {} ::: 201
lacks "it takes nobody's folder away" removed err
wait $one && a=0 || a=$?
wait $two && b=0 || b=$?
same "both end well" "0 0" "$a $b"
same "the first has its runs" "$(seq 1 20 | xargs)" "$(labels one.qx)"
same "the second has its runs" "$(seq 101 120 | xargs)" "$(labels two.qx)"
same "each with one process, its own" 40 \
  "$({ "$quincunx" corpus ls --json one.qx; "$quincunx" corpus ls --json two.qx; } | grep -c '"processes": 1')"
# the counts follow the argument: inner is called as often as it says
calls() { "$quincunx" report --json "$1" | python3 -c '
import json, sys
f = {f["name"]: f for f in json.load(sys.stdin)["functions"]}["inner"]
print(f["calls"]["mean"], f["calls"]["max"])'; }
same "and the right counts" "10.5 20.0
110.5 120.0" "$(calls one.qx; calls two.qx)"
same "no folder is left" 0 "$(folders)"

# ---- a folder for records that cannot be ----
export TMPDIR=$work/none
gives 1 "TMPDIR that is not there" run -q -o no.qx -- ./worker ::: 1
has "is named" 'none/quincunx-' err
same "in one line" 1 "$(wc -l <err)"
finish
