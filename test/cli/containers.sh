#!/bin/bash
# A program of today's C++ (containers.cpp), with and without optimisation: tables fit, they speak of what the user wrote, and no
# name is one that only the library's authors write.
. "$(dirname "$0")/common"

for level in 0 2; do
  $clangxx -std=c++20 -O$level -g -w -o c$level "$here/containers.cpp" &
  pids="${pids-} $!"
done
for pid in $pids; do wait "$pid"; done

# What is not in a table: the heading, notes, what to do next, sentences, and lines of sources.
too_wide() { # too_wide FILE: lines of tables that are wider than 100 columns
  python3 - "$1" <<'END_OF_CODE'
import re, sys
for line in open(sys.argv[1], encoding="utf-8").read().splitlines()[1:]:
    if len(line) > 100 and not re.match(r"note: |next: |nothing that differs|cost follows|\(|  [a-z]+\(|      | .*\d\| ", line):
        print(line)
END_OF_CODE
}
plain() { # plain WORDS...
  LC_ALL=C.UTF-8 gives 0 "$*" "$@"
  same "fits into 100 columns" "" "$(too_wide out)"
  # Not what tells functions of one name apart, nor functions of libstdc++.so, which are no code of headers.
  sed 's/\[_Z[^]]*\]*//; /_M_need_rehash\|string::_M_replace/d' out >names
  lacks "has no name that nobody writes" '__cxx11|_M_|basic_string<|_ZN|std::allocator<' names
}
# leads TEXT COLUMN FILE: the rows of the first table whose last column is called so, but for code of headers, are the user's
leads() {
  same "$1" "" "$(sed -n "/ function\$/,/^(\\|^\$/p" "$2" | sed -n '2,6p' | grep -Ev 'shop::|lambda:| main$|\(header code\)$|\(library\)$')"
}

for level in 0 2; do
  LC_ALL=C.UTF-8 gives 0 "run -O$level" run -o c$level.qx -- ./c$level {} ::: $(seq 10 10 200)
  same "fits into 100 columns" "" "$(too_wide out)"
  plain report c$level.qx
  leads "functions of the user lead" out
  plain report --all c$level.qx
  plain explain c$level.qx
  leads "functions of the user lead" out
  next=$(sed -n 's/^next: quincunx //p' out)
  eval "plain $next" # it can be asked
  plain model c$level.qx
  leads "functions of the user lead" out
  has "says how many are of headers" 'more are code of headers.*--headers shows' out
  plain validate c$level.qx
  plain whatif c$level.qx 'cost(shop::Shop::take) *= 0.5'
done
gives 0 "explain --headers" explain --headers c2.qx
lacks "has no row of them" 'header code' out
gives 0 "model --headers" model --headers --top 0 c2.qx
has "has them each" ' priority_queue<long' out

# ---- rows of explain are those of report ----
gives 0 "report --json" report --json c2.qx
cp out report
gives 0 "explain --json" explain --json c2.qx
same "and have its shares" "" "$(python3 - <<'END_OF_CODE'
import json
a, b = ({(f["name"], f["file"], f["line"], f["image"]): f for f in json.load(open(name))["functions"]} for name in ("report", "out"))
for key in a:
    if key not in b or abs(a[key]["share"] - b[key]["mean"]) > 1e-9:
        print(key)
for what in "variance", "mean", "p99":
    if abs(sum(f[what] for f in b.values()) - 1) > 1e-6:
        print(what)
END_OF_CODE
)"
finish
