#!/bin/bash
# Corpora, records and live files of every format (test/data/formats) say what they have counted: what is known of the
# program and its inputs, by arithmetic. One of them is of the formats that are written now.
. "$(dirname "$0")/common"

data=$root/test/data/formats
cat >told.py <<'END'
import json, sys

def load(name):
    return json.load(open(name))

def calls(name):
    return " ".join(str({f["demangled"]: f["calls"]["mean"] for f in load(name)["functions"]}[f]) for f in ("main", "serve", "odd"))

if sys.argv[1] == "known":  # of a run in the mean; of an input n the program calls serve with r = 1 to n
    inputs = (3, 6, 9, 12, 15)
    mean = lambda of: sum(sum(of(r) for r in range(1, n + 1)) for n in inputs) / len(inputs)
    odd, body = mean(lambda r: (r + 2) // 3), mean(lambda r: r)
    print(len(inputs), f"1.0 {mean(lambda r: 1)} {odd}", body, sum(inputs), f"1.0 {mean(lambda r: 1)} {odd}", sep=", ")
elif sys.argv[1] == "told":
    body = [n for n, line in enumerate(open(sys.argv[2]), 1) if "/* BODY */" in line]
    lines = {l["line"]: l["mean"] for l in load("annotate")["files"][0]["lines"]}
    print(load("report")["runs"]["used"], calls("report"), lines[body[0]], load("requests")["runs"]["used"], calls("copy"), sep=", ")
else:
    print(load("report")["runs"]["used"], calls("report"), sep=", ")
END
known=$(python3 told.py known)
for corpus in "$data"/*.qx; do
  name=$(basename "$corpus")
  cp "$corpus" old.qx
  chmod a-w old.qx # nothing here writes to it
  for question in "report --json" "annotate --json" "report --per request --json" "corpus dump" "corpus check" explain "whatif --json" "export folded --unit counts"; do
    set -- $question
    case $question in
      annotate*) gives 0 "$name: $question" "$@" old.qx "$data/counted.c"; mv out annotate ;;
      whatif*) gives 0 "$name: $question" "$@" old.qx 'cost(odd) *= 2' ;;
      *) gives 0 "$name: $question" "$@" old.qx ;;
    esac
    case $question in *request*) mv out requests ;; report*) mv out report ;; *dump) mv out dump ;; esac
  done
  gives 0 "merged into a new one" corpus merge new.qx old.qx
  "$quincunx" report --json new.qx >copy
  same "runs, calls, executions of a line, requests, and calls in the copy" "$known" "$(python3 told.py told "$data/counted.c")"
  same "a loop of three rounds, and a feature of each run" "1 5" "$(grep -cP '^trips\t.*\t3:1$' dump) $(grep -cP '^feature\t[0-9a-f]*\tn\t' dump)"
  rm -f new.qx old.qx
done
for record in "$data"/record-*.qxraw; do
  version=${record##*-} version=${version%.qxraw}
  gives 0 "a record of version $version" corpus add record.qx "$record"
  gives 0 "and a live file" corpus add record.qx "$data/live-$version.qxraw"
  "$quincunx" report --json record.qx >report
  same "are a run of the input 9, and one that was killed at its end" "2, 1.0 9.0 18.0" "$(python3 told.py record)"
  rm -f record.qx
done

# Who changes a format adds what is written then.
number() { sed -n "s/.*$1 = *\([0-9]*\);.*/\1/p" "$root/$2"; }
written=corpus-$(number formatVersion lib/profile/Schema.cpp)-map-$(number recordFormat include/quincunx/map/Encode.h).qx
check "there is a corpus of the formats that are written now ($written)" ls "$data/$written"
written=$(sed -n 's/^#define QX_RAW_VERSION *\([0-9]*\).*/\1/p' "$root/include/quincunx/abi/record.h")
check "and a record ($written)" ls "$data/record-$written.qxraw"
finish
