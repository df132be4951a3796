#!/bin/bash
# quincunx corpus: what goes in comes out, what is merged twice is there once, what is forgotten is gone.
. "$(dirname "$0")/common"

# ---- add: records without quincunx run ----
mkdir raw
QUINCUNX_OUT=raw/ ./worker 5 >out
QUINCUNX_OUT=raw/ ./worker 7 >out
gives 0 "add" corpus add a.qx raw/*.qxraw --label field --feature site=3
same "makes a run of each" "field|finished|0|
field|finished|0|" "$(runs a.qx)"
has "says how many" '2 runs added' err
gives 0 "add again" corpus add a.qx raw/*.qxraw
has "changes nothing" '0 runs added.*2 were there already' err
"$quincunx" corpus dump a.qx >a.dump
same "the feature is theirs" "site	3
site	3" "$(grep '^feature' a.dump | cut -f3,4)"
mkdir one
for n in 5 7; do QUINCUNX_OUT=one/ QUINCUNX_RUN=together ./worker $n >out; done
gives 0 "records of one run" corpus add b.qx one/*.qxraw
same "are added up" "1 2" "$("$quincunx" corpus ls --json b.qx >b.json; json b.json 'len(j["runs"]), j["runs"][0]["processes"]')"
gives 2 "a feature without a value" corpus add c.qx raw/*.qxraw --feature x
if [ -e c.qx ]; then bad "makes no corpus"; else ok "makes no corpus"; fi

gives 0 "features that are texts" corpus add t.qx raw/*.qxraw --feature kind=dry --feature n=4
same "are stored as such" "kind	dry kind	dry" "$("$quincunx" corpus dump t.qx | grep '^text-feature' | cut -f3,4 | paste -sd' ')"
gives 0 "ls" corpus ls t.qx
same "has them beside the numbers" "n=4 kind=dry" "$(awk 'NR == 2 { print $8, $9 }' out)"
same "also as JSON" "{'n': 4.0, 'kind': 'dry'}" "$("$quincunx" corpus ls --json t.qx >t.json; json t.json 'j["runs"][0]["features"]')"
gives 0 "show" corpus show t.qx
has "has their values" '^kind +dry +2$' out
same "also as JSON" "{'kind': {'dry': 2}}" "$("$quincunx" corpus show --json t.qx >t.json; json t.json 'j["texts"]')"

# ---- add: files that are not what they claim ----
mkdir live odd
QUINCUNX_OUT=live/ ./worker 20 leave 3 >out || :
python3 - live/*.live.qxraw raw/*.qxraw <<'END'
import struct, sys
live = open(sys.argv[1], "rb").read()
raw = open(sys.argv[2], "rb").read()
def write(name, head, size=None):
    with open("odd/" + name, "wb") as f:
        f.write(head)
        f.truncate(size or len(head))
most = 2**63 - 1
times = bytearray(live)
struct.pack_into("<qq", times, 64 + 16 + 16, most - 5, most)  # start and wall
write("times.live.qxraw", bytes(times))
write("other.live.qxraw", live[:24] + bytes(16) + live[40:])  # another process of that run
write("hollow.qxraw", raw, 2**42)  # a file of holes
write("claims.qxraw", raw[:16] + struct.pack("<Q", 2**42) + raw[24:], 2**42)
write("long.live.qxraw", live[:16] + struct.pack("<Q", 2**42) + live[24:], 2**42)
write("beyond.live.qxraw", live, 2**42)  # of which most is not in use
write("zeros.qxraw", b"", 2**42)
END
for f in hollow.qxraw claims.qxraw long.live.qxraw zeros.qxraw; do
  gives 1 "add of $f, 4 TB of holes" corpus add odd.qx odd/$f
  same "is refused in one line" 1 "$(grep -c 'error: .*'$f err)"
done
gives 0 "a live file with 4 TB behind it" corpus add beyond.qx odd/beyond.live.qxraw
same "is added" "worker|cut-short|0|" "$(runs beyond.qx)"
gives 0 "times that no clock shows" corpus add times.qx odd/times.live.qxraw odd/other.live.qxraw
same "do not wrap around" True "$("$quincunx" corpus dump times.qx | python3 -c '
import sys
print(*(float(l.split("\t")[6]) > 6e9 for l in sys.stdin if l.startswith("run\t")))')"

# ---- ls, show, dump ----
"$quincunx" run -q -o m.qx --feature n={} -- ./worker {} ::: 10 20
gives 0 "ls" corpus ls m.qx
same "has a line per run" "10 n=10
20 n=20" "$(awk 'NR > 1 && !/^next: |^\(/ { print $7, $8 }' out)"
has "says once what all have" "^\(all: .*host $(uname -n)\)\$" out
has "and what to do next" '^next: quincunx report m.qx$' out
gives 0 "show" corpus show m.qx
has "tells the command" '^command +\./worker \{\}$' out
has "the runs" '^runs +2: 2 finished, 0 timed out, 0 crashed$' out
has "the features" '^n +2 +10 +20$' out
has "the maps" 'worker$' out
sql m.qx "INSERT INTO fact VALUES('site', 'roof' || char(10) || 'cel' || char(27) || 'lar')"
gives 0 "show with a fact that others set" corpus show m.qx
has "shows it" '^site +roof$' out
has "escaped" '^site +cel\\x1blar$' out
gives 0 "show --json" corpus show --json m.qx
same "also as JSON" "command machine site" "$(json out '*sorted(j["facts"])')"
gives 0 "dump" corpus dump m.qx
cp out m.dump
has "and in the dump" '^fact	site	roof$' m.dump
same "starts with its version" "quincunx-corpus	1" "$(head -n 1 m.dump)"
same "has every argument" "10
20" "$(grep '^argument' m.dump | cut -f4 | sort)"
gives 0 "dump again" corpus dump m.qx
check "is the same, byte by byte" cmp out m.dump

# ---- check, salvage ----
gives 0 "check" corpus check m.qx
same "finds nothing" "m.qx: nothing is damaged, 2 runs" "$(cat out)"
gives 0 "check --json" corpus check --json m.qx
same "nor in JSON" "False True 2 []" "$(json out 'j["damaged"], j["checksums"], j["runs"], j["lost"]' | tr -d "(),'")"
# flipped CORPUS TABLE: one bit in the first page of that table
flipped() {
  cp "$1" flipped.qx && python3 -c '
import sqlite3, sys
with sqlite3.connect("flipped.qx") as c: page, = c.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", sys.argv[1:]).fetchone()
with open("flipped.qx", "r+b") as f:
    f.seek(4096 * page - 500)
    byte = f.read(1)[0]
    f.seek(-1, 1)
    f.write(bytes([byte ^ 4]))' "$2"
}
flipped m.qx map
gives 1 "report of a corpus with a flipped bit" report flipped.qx
has "names the page, and what helps" 'flipped.qx is damaged: page [0-9]+ .*quincunx corpus check.*salvage' err
same "in one line" 1 "$(wc -l <err)"
gives 1 "check of it" corpus check flipped.qx
has "names what is lost" '^  lost: map' out
gives 0 "salvage" corpus salvage flipped.qx -o rest.qx
gives 1 "into a file that is there" corpus salvage flipped.qx -o rest.qx
same "keeps the runs" "$(runs m.qx)" "$(runs rest.qx)"
gives 1 "report without a map" report rest.qx
has "says how it comes back" 'no map of .*worker.*record one more run' err
"$quincunx" run -q -o rest.qx -- ./worker {} ::: 30
gives 0 "after one more run" report rest.qx
flipped m.qx run
gives 1 "check where runs are damaged" corpus check --json flipped.qx
same "names them by the index" "2 True 0" "$(json out 'len([p for p in j["lost"] if p["kind"] == "run" and len(p["identity"]) == 32]), j["areAllKnown"], j["runs"]' | tr -d '(),')"
flipped m.qx sqlite_autoindex_counts_1
gives 1 "check where an index is damaged" corpus check flipped.qx
has "says that nothing is lost" 'nothing is lost: an index is damaged' out
gives 0 "salvage of it" corpus salvage flipped.qx -o whole.qx
same "has every run" "$("$quincunx" corpus dump m.qx | md5sum)" "$("$quincunx" corpus dump whole.qx | md5sum)"
cp m.qx flipped.qx && sqlite3 flipped.qx "UPDATE run SET label = 'x'" 2>/dev/null || true
gives 1 "a corpus that the sqlite3 shell changed" corpus ls flipped.qx

# ---- merge ----
"$quincunx" run -q -o x.qx -- ./worker {} ::: 1 2
"$quincunx" run -q -o y.qx -- ./worker {} y ::: 3
"$quincunx" run -q -o z.qx -- ./worker {} z ::: 4
gives 0 "merge" corpus merge all.qx x.qx y.qx z.qx
has "says how many are new" '4 runs in all.qx, 4 of them new' err
"$quincunx" corpus dump all.qx >all.dump
gives 0 "merge again, with itself" corpus merge all.qx z.qx all.qx x.qx
has "adds none" '4 runs in all.qx, 0 of them new' err
gives 0 "merge in another order" corpus merge other.qx z.qx x.qx y.qx
check "gives the same, byte by byte" diff <("$quincunx" corpus dump other.qx) all.dump
same "all commands are there" "./worker {}
./worker {} y
./worker {} z" "$(grep '^fact	command' all.dump | cut -f3)"
gives 1 "merge of what is no corpus" corpus merge all.qx worker
same "changes nothing" 4 "$(runs all.qx | wc -l)"
gives 1 "merge of what is no corpus, behind one" corpus merge new.qx x.qx worker
check "leaves nothing behind" test ! -e new.qx
cp x.qx some.qx
gives 1 "the same into one that is there" corpus merge some.qx y.qx worker
same "adds nothing" 2 "$(runs some.qx | wc -l)"

# ---- rm ----
gives 0 "rm --label" corpus rm all.qx --label 3
same "removes it" "1 2 4" "$(runs all.qx | cut -d'|' -f1 | sort | xargs)"
id=$("$quincunx" corpus dump all.qx | awk -F'\t' '$1 == "run" && $3 == "2" { print substr($2, 1, 12) }')
gives 0 "rm --run" corpus rm all.qx --run "$id"
same "removes one by the beginning of its name" "1 4" "$(runs all.qx | cut -d'|' -f1 | sort | xargs)"
gives 1 "rm of a label that nobody has" corpus rm all.qx --label 77
gives 1 "rm of a name that nobody has" corpus rm all.qx --run zzz
gives 1 "rm of a name that several have" corpus rm all.qx --run ""
gives 2 "rm of nothing" corpus rm all.qx
same "remove nothing" "1 4" "$(runs all.qx | cut -d'|' -f1 | sort | xargs)"
gives 0 "what was removed can be merged again" corpus merge all.qx x.qx y.qx
same "and is there" 4 "$(runs all.qx | wc -l)"

# ---- scrub ----
mkdir -p secret && echo 1 >secret/in.txt
"$quincunx" run -q -o s.qx -- ./worker 5 password {} ::: secret/in.txt
"$quincunx" report --json s.qx >before
gives 0 "scrub" corpus scrub s.qx
same "keeps the run and the file's name" "in.txt|finished|0|" "$(runs s.qx)"
if grep -aqE 'secret|password' s.qx; then bad "leaves nothing in the file"; else ok "leaves nothing in the file"; fi
"$quincunx" report --json s.qx >after
same "the figures are the same" "$(json before 'j["program"]')" "$(json after 'j["program"]')"

# ---- what is not there ----
for verb in ls show dump scrub; do
  gives 1 "$verb of a corpus that is not there" corpus $verb none.qx
  same "in one line" 1 "$(wc -l <err)"
done
gives 1 "rm in a corpus that is not there" corpus rm none.qx --label x
if [ -e none.qx ]; then bad "none is made"; else ok "none is made"; fi
gives 2 "corpus alone" corpus
gives 2 "corpus with a verb nobody knows" corpus paint m.qx
finish
