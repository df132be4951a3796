#!/bin/bash
# quincunx run: what becomes of the words of its command line, and of runs that do not end well. How
# it behaves when it is interrupted is in interrupted.sh.
. "$(dirname "$0")/common"

# ---- templates ----
gives 0 "{} is the input" run -q -o a.qx -- ./worker {} x ::: 1 2
same "in its place" "1|finished|0|1 x
2|finished|0|2 x" "$(runs a.qx)"
gives 0 "without {} the input comes last" run -q -o b.qx -- ./worker 3 ::: x 'y z'
same "as one word" "x|finished|0|3 x
y z|finished|0|3 y z" "$(runs b.qx)"
mkdir in
printf 12345 >in/five.tar.gz
printf 1234567 >in/seven
gives 0 "all forms" run -q -o c.qx --label '{/.}#{#}' -- ./worker 5 {.} {/} {//} {/.} {#} a{}b ::: in/five.tar.gz in/seven
same "each in its way" "five.tar#1|finished|0|5 in/five.tar five.tar.gz in five.tar 1 ain/five.tar.gzb
seven#2|finished|0|5 in/seven seven in seven 2 ain/sevenb" "$(runs c.qx)"
same "the size of input files is a feature" "5.0 7.0" "$("$quincunx" corpus ls --json c.qx | python3 -c '
import json, sys
print(*(r["features"]["size"] for r in json.load(sys.stdin)["runs"]))')"
gives 0 "two :::" run -q -o d.qx -- ./worker 1 {2} {1/} ::: a/b c ::: 8 9
same "are all combinations, the last fastest" "a/b 8|finished|0|1 8 b
a/b 9|finished|0|1 9 b
c 8|finished|0|1 8 c
c 9|finished|0|1 9 c" "$(runs d.qx)"
printf '4\n5\n' >list
gives 0 "::::" run -q -o e.qx -- ./worker {} :::: list
same "takes lines of a file" "4|finished|0|4
5|finished|0|5" "$(runs e.qx)"
gives 0 "braces that are none of ours" run -q -o f.qx -- ./worker 1 '{x}' '[a,b]' '{3}' '{}' ::: 'a b'
same "stay as they are" "a b|finished|0|1 {x} [a,b] {3} a b" "$(runs f.qx)"
gives 0 "--feature" run -q -o g.qx --feature n={} --feature k=2.5 -- ./worker {} ::: 6
same "is stored" "{'k': 2.5, 'n': 6.0}" "$("$quincunx" corpus ls --json g.qx >g.json; json g.json 'j["runs"][0]["features"]')"
gives 0 "--stdin" run -q -o h.qx --stdin --keep-output kept -- ./worker 1 read ::: in/five.tar.gz in/seven
same "is what the program reads" "1 read
read 5
1 read
read 7" "$(cat kept/1-*.out kept/2-*.out)"

# ---- tables ----
mkdir tab
printf '123' >tab/three
printf '# id\tstdin\targuments\tparameters\n' >tab/cases.tsv
printf 'one\tthree\t7 read\tn=7 kind=text\n' >>tab/cases.tsv
printf "two\t-\t8 'a b'\tn=8\n" >>tab/cases.tsv
gives 0 "--cases" run -q -o t.qx --cases tab/cases.tsv --keep-output kept2 -- ./worker
same "id, arguments" "one|finished|0|7 read
two|finished|0|8 a b" "$(runs t.qx)"
has "runs in the folder of the table" '^read 3$' kept2/1-one.out
"$quincunx" corpus ls --json t.qx >t.json
same "numbers among the parameters are features, words are texts" "{'n': 7.0, 'size': 3.0, 'kind': 'text'} {'n': 8.0}" \
  "$(json t.json '*(r["features"] for r in j["runs"])')"
printf 'one\t-\t7\n' >bad.tsv
gives 2 "a table with a line of three columns" run -q -o u.qx --cases bad.tsv -- ./worker
has "is named with its line" 'bad.tsv:1' err

# ---- ends ----
gives 3 "a crash among others" run -q -o k.qx -- ./worker {1} {2} ::: 1 2 3 ::: abort
same "is kept as one" "1 abort|crashed|-6|1 abort
2 abort|crashed|-6|2 abort
3 abort|crashed|-6|3 abort" "$(runs k.qx)"
has "its line says the signal and what the program said" 'run 1 abort: killed by signal 6.*told to abort' err
gives 0 "any exit status is good" run -q -o l.qx -- ./worker 1 status {} ::: 0 1 2
gives 3 "--ok-status" run -q -o m.qx --ok-status 0,1 -- ./worker 1 status {} ::: 0 1 2
same "excludes others" "0|finished|0|1 status 0
1|finished|1|1 status 1
2|crashed|2|1 status 2" "$(runs m.qx)"
gives 3 "--timeout" run -q -o n.qx -j 2 --timeout 0.7 -- ./worker 1 sleep {} ::: 0 9000
same "ends a run and keeps it" "0|finished
9000|timed-out" "$(runs n.qx | cut -d'|' -f1,2 | sort)"
has "says so" 'run 9000: stopped after 0.7 s' err

# calls CORPUS: of inner, the mean of the runs that are used
calls() { "$quincunx" report --json "$1" >calls.json; json calls.json '{f["name"]: f for f in j["functions"]}["inner"]["calls"]["mean"]'; }
gives 0 "_exit" run -q -o x.qx -- ./worker {1} leave {2} ::: 30 ::: 0 7
same "is an exit like others" "30 0|finished|0|30 leave 0
30 7|finished|7|30 leave 7" "$(runs x.qx)"
same "with all counts" 30.0 "$(calls x.qx)"
gives 3 "signals" run -q -o y.qx -- ./worker {1} signal {2} ::: 40 ::: 9 15 2 11 8
same "from outside cut a run short, faults are crashes" "40 9|cut-short|-9|40 signal 9
40 15|cut-short|-15|40 signal 15
40 2|cut-short|-2|40 signal 2
40 11|crashed|-11|40 signal 11
40 8|crashed|-8|40 signal 8" "$(runs y.qx)"
has "the line says the signal and what it means" 'run 40 9: cut short by signal 9 \(Killed\); it counts as at least that much' err
gives 0 "a report of them" report --json y.qx
same "uses what was cut short as lower bounds" "0 3 2" "$(json out '*(j["runs"][k] for k in ("finished", "censored", "crashed"))')"
same "with what was counted" 40.0 "$(calls y.qx)"
same "all percentiles are open" "[True, True]" "$(json out '[j["program"][k]["open"] for k in ("p50", "p99")]')"
gives 0 "and as text" report y.qx
has "has a note" '3 runs were stopped by the time limit or cut short' out
gives 0 "corpus show" corpus show y.qx
has "counts them" '5: 0 finished, 0 timed out, 2 crashed, 3 cut short' out
gives 3 "stopped by --timeout" run -q -o w.qx --timeout 0.5 -- ./worker {} sleep 9000 ::: 50
same "has its counts" 50.0 "$(calls w.qx)"
gives 0 "a process that stays" run -o v.qx -- ./worker {} stay ::: 20
has "is named" 'run 20: 1 process of it still runs; counted up to now' err
same "with its counts so far" 40.0 "$(calls v.qx)"
gives 0 "one that begins when its run is over" run -q -o late.qx -- sh -c 'case $1 in first) ./worker 5; (sleep 0.4; ./worker 100) & ;; *) ./worker 6; sleep 1 ;; esac' sh {} ::: first second
same "is not taken for one of the next run" 5.5 "$(calls late.qx)"

# ---- what a folder of records may hold ----
mkdir made
QUINCUNX_OUT=made/ ./worker 5 >out
QUINCUNX_OUT=made/ ./worker 20 leave 3 >out || :
head -c 100 made/*.live.qxraw >made/cut.live.qxraw
cat >leaves.sh <<'END'
cp "$@" "$(dirname "$QUINCUNX_OUT")"
END
gives 3 "a live file that cannot be read" run -o u.qx -- sh leaves.sh made/cut.live.qxraw {} ::: made/*[0-9a-f].live.qxraw
has "is named" 'cut.live.qxraw is cut off' err
same "and the others are taken" 20.0 "$(calls u.qx)"
has "but the run is marked" 'counts of 1 process are missing' err
python3 - made/*[0-9a-f].live.qxraw <<'END'
import struct, sys
live = bytearray(open(sys.argv[1], "rb").read())
at, used = 64, struct.unpack_from("<Q", live, 16)[0]
while at < used:  # nothing was counted in its arenas and blocks yet
    kind, _, size = struct.unpack_from("<IIQ", live, at)
    empty = {7: 48, 12: 8}.get(kind, size)
    live[at + 16 + empty:at + 16 + size] = bytes(size - empty)
    at += 16 + (size + 7) // 8 * 8
open("made/a.live.qxraw", "wb").write(live)
END
gives 0 "an older file of the same process" run -q -o older.qx -- sh leaves.sh made/a.live.qxraw {} ::: made/*[0-9a-f][0-9a-f].live.qxraw
same "takes nothing away" 20.0 "$(calls older.qx)"
cat >lingers.sh <<'END'
python3 - "$1" "$(dirname "$QUINCUNX_OUT")" <<'PY'
import os, sys
for i in range(20000):  # takes long to read
    os.link(sys.argv[1], f"{sys.argv[2]}/{i}.qxraw")
PY
./worker 20 linger 150
END
record=$(ls made/*.qxraw | grep -v live)
gives 0 "a process that ends while its files are read" run -q -o linger.qx -- sh lingers.sh {} ::: "$record"
same "is counted" 45.0 "$(calls linger.qx)"

# ---- what is stored ----
gives 0 "--no-args" run -q -o o.qx --no-args --stdin --label n -- ./worker 7 secret ::: in/seven
same "stores no arguments" "n|finished|0|" "$(runs o.qx)"
"$quincunx" corpus dump o.qx >o.dump
lacks "nor paths" 'secret|in/seven' o.dump

# ---- resume ----
gives 0 "some runs" run -q -o r.qx -- ./worker {} ::: 1 2
gives 0 "--resume" run -q -o r.qx --resume -- ./worker {} ::: 1 2 3
same "makes the missing one" "1 2 3" "$(runs r.qx | cut -d'|' -f1 | xargs)"
gives 0 "--resume of other arguments" run -q -o r.qx --resume -- ./worker {} x ::: 3
same "is another run" "1 2 3 3" "$(runs r.qx | cut -d'|' -f1 | xargs)"
gives 0 "--resume with nothing to do" run -q -o r.qx --resume -- ./worker {} ::: 3 1 2
gives 0 "--resume of an input given twice" run -q -o r.qx --resume -- ./worker {} ::: 1 1
same "needs two runs" "1 2 3 3 1" "$(runs r.qx | cut -d'|' -f1 | xargs)"
gives 0 "without --resume" run -q -o r.qx -- ./worker {} ::: 1
same "all are made" "1 2 3 3 1 1" "$(runs r.qx | cut -d'|' -f1 | xargs)"

# ---- programs without inputs, and runs of each input ----
gives 0 "--repeat without inputs" run -q -o once.qx --repeat 3 -- ./worker 5 x
same "is so many runs of the command" "worker|finished|0|5 x
worker|finished|0|5 x
worker|finished|0|5 x" "$(runs once.qx)"
gives 0 "--resume of them" run -q -o once.qx --repeat 4 --resume -- ./worker 5 x
same "makes what is missing" 4 "$(runs once.qx | wc -l)"
gives 0 "--repeat with inputs" run -q -o twice.qx --repeat 2 -- ./worker {} ::: 1 2
same "is so many of each" "1 1 2 2" "$(runs twice.qx | cut -d'|' -f1 | sort | xargs)"
gives 2 "neither" run -q -o never.qx -- ./worker 5
has "says how" 'a program without any is run N times by --repeat N' err

# ---- exit statuses ----
gives 0 "all is well" run -o next.qx -- ./worker {} ::: 1
same "it ends with what to ask next" "next: quincunx report next.qx" "$(tail -n 1 err)"
gives 0 "statuses other than 0" run -o status.qx -- sh -c './worker 1; exit $0' ::: 0 3 3 1
has "are told, each with its inputs" '^quincunx: 2 runs ended with exit status 3 \(3\) and count like others \(--ok-status says which are good\)$' err
has "and the other one" '^quincunx: 1 run ended with exit status 1 \(1\) and counts like others ' err
gives 0 "report" report status.qx
statuses='note: runs with exit statuses other than 0 count like others: 1 with exit status 1 \(1\), 2 with exit status 3 \(3\); quincunx run --ok-status'
has "says so, with the inputs" "^$statuses" out
gives 0 "report --json" report --json status.qx
same "as well" "[(1, 'finished', False, ['1']), (3, 'finished', False, ['3', '3'])]" \
  "$(json out '[(e["status"], e["outcome"], e["good"], e["inputs"]) for e in j["exitStatuses"]]')"
same "in a note" 1 "$(json out 'sum(n["kind"] == "exit-status" for n in j["notes"])')"
gives 0 "nothing is left to do" run -o status.qx --resume --ok-status 3,0,3 -- sh -c './worker 1; exit $0' ::: 0 3 3 1
gives 0 "but what is good is known from then on" report --json status.qx
same "of that status" "[False, True]" "$(json out '[e["good"] for e in j["exitStatuses"]]')"
has "and not of others" 'like others: 1 with exit status 1 \(1\);' out
gives 0 "it is known when more is recorded" run -o status.qx -- sh -c './worker 1; exit $0' ::: 3 1
lacks "and not told again" 'exit status 3' err
has "but others are" '1 run ended with exit status 1' err
gives 0 "many inputs" run -q -o many.qx -- sh -c './worker 1; exit 4' ::: $(seq 9)
gives 0 "report of them" report many.qx
has "names a few" ': 9 with exit status 4 \(1, 2, 3 and 6 more\);' out
gives 3 "where they are known" run -o status2.qx --ok-status 0,1 -- sh -c './worker 1; [ $0 != 9 ] || kill -SEGV $$; exit $0' ::: 0 3 3 1 9
lacks "they are not told" 'ended with exit status' err
gives 0 "report" report status2.qx
has "names what was left out" '^note: 3 runs crashed and are left out: 1 by signal 11 \(9\), 2 with exit status 3 \(3\)$' out
lacks "and not what is good" 'count like others' out

# ---- command lines that cannot be ----
for words in "" "./worker" "./worker {} :::" "./worker {} :::+ 1" "./worker ::: a ::::+ b"; do
  # shellcheck disable=SC2086
  gives 2 "refused: run -- $words" run -q -o z.qx -- $words
  same "in one line" 1 "$(wc -l <err)"
done
gives 2 "refused: --cases and :::" run -q -o z.qx --cases tab/cases.tsv -- ./worker ::: 1
gives 0 "a feature that is no number is a text" run -q -o texts.qx --feature n={} -- ./worker ::: x
gives 2 "refused: --stdin and two :::" run -q -o z.qx --stdin -- ./worker ::: a ::: b
gives 2 "refused: an option nobody knows" run -q -o z.qx --no-such -- ./worker ::: 1
gives 2 "refused: no jobs" run -q -o z.qx -j 0 -- ./worker ::: 1
for list in x 1,x 1,,2 256 -1; do gives 2 "refused: --ok-status $list" run -q -o z.qx --ok-status "$list" -- ./worker ::: 1; done
gives 1 "a program that is not there" run -q -o z.qx -- ./none ::: 1
if [ -e z.qx ]; then bad "leaves no corpus"; else ok "leaves no corpus"; fi
same "no folder is left" "" "$(ls "$TMPDIR")"
finish
