#!/bin/bash
# Names of functions in all that is shown, and tables that fit: a program of today's C++ (names.cpp). What a name is
# shortened to is left to test/unit/report/ShortNameTest.cpp.
. "$(dirname "$0")/common"

$clangxx -std=c++20 -O1 -g -w -o names "$here/names.cpp" -pthread
"$quincunx" run -q -o n.qx -- ./names {} ::: $(seq 10 10 300)

# ---- no table is wider than 100 columns ----
# What is not in a table: the heading, notes, and the sentence that says why runs differ.
too_wide() { # too_wide FILE WIDTH: lines of tables that are wider
  python3 - "$@" <<'END'
import re, sys
text, width = open(sys.argv[1], encoding="utf-8").read(), int(sys.argv[2])
for line in text.splitlines()[1:]:
    if len(line) > width and not re.match(r"note: |independence does not carry it: |nothing that differs|  [a-z]+\(|      |names\.cpp", line):
        print(line)
END
}
fits() { # fits WORDS...
  LC_ALL=C.UTF-8 gives 0 "$*" "$@"
  same "fits into 100 columns" "" "$(too_wide out 100)"
  lacks "has no name that nobody writes" ' (void )?std::__cxx11|basic_string<|std::vector<.*std::allocator<' out
}
fits report n.qx
fits report --top 0 --sort name n.qx
fits report --per call --top 0 n.qx
fits explain --top 0 n.qx
fits model --top 0 n.qx
fits model --function dictionaries n.qx
fits whatif n.qx 'cost(take) *= 2'
fits whatif n.qx 'cost(take) *= x' --sweep x=1..3
fits whatif n.qx 'calls(take) *= x' 'cost(main) *= y' --sweep x=1..3 --sweep y=1,2,3,4,5,6,7,8,9,10,11,12
fits validate n.qx
fits model ./names --top 0
LC_ALL=C gives 0 "in ASCII" report --top 0 n.qx
same "fits into 100 columns" "" "$(too_wide out 100)"
lacks "are only ASCII" "$(printf '[\200-\377]')" out

# ---- short by default, whole where that is wanted ----
LC_ALL=C.UTF-8 gives 0 "short names" explain --headers --top 0 n.qx
has "standard containers are as people write them" ' map<string, int>::operator\[\]$' out
has "functions have no parameters where none are needed" ' dictionaries$' out
has "lambdas have their line" "lambda:$(grep -n '\[weight = i' "$here/names.cpp" | cut -d: -f1)" out
gives 0 "report" report --top 0 n.qx
has "functions have parameters where others are called so" ' warehouse::weigh\(int\)$' out
for verb in "report --headers" "explain --headers" "model --headers"; do
  gives 0 "$verb --names full" $verb --names full --top 0 n.qx
  has "has names in full" 'std::vector<warehouse::v2::Item, std::allocator<warehouse::v2::Item> >::_S_relocate\(' out
done
gives 0 "whatif --names full" whatif --names full n.qx 'total(dictionaries) *= 2'
gives 2 "--names nobody knows" report --names long n.qx
gives 0 "--json" report --json n.qx
same "has names in full" True "$(json out 'any(f["name"] != f["demangled"] and "std::allocator<" in f["demangled"] for f in j["functions"])')"

# ---- on a terminal ----
on_terminal() { # on_terminal COLUMNS WORDS...: what is shown on a terminal so wide
  COLUMNS= LC_ALL=C.UTF-8 NO_COLOR=1 python3 - "$@" <<'END'
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
data = b""
while True:
    try:
        piece = os.read(fd, 65536)
    except OSError:
        break
    if not piece:
        break
    data += piece
os.waitpid(pid, 0)
sys.stdout.buffer.write(data.replace(b"\r\n", b"\n"))
END
}
on_terminal 140 "$quincunx" report n.qx >out
same "a terminal of 140 columns is not left" "" "$(too_wide out 140)"
if [ -n "$(too_wide out 100)" ]; then ok "and used"; else bad "and used"; fi
on_terminal 400 "$quincunx" report --top 0 n.qx >out
same "no name is of two functions" "" "$(sed -n '/ function$/,/^$/p' out | sed -E 's/^( *(>= )?[0-9.e+]+){6} +[0-9.]+ % +[0-9.]+  //' | sort | uniq -d)"

"$quincunx" report n.qx | grep '^note: ' >notes
on_terminal 70 "$quincunx" report n.qx >out
same "notes go on in further lines" "$(cat notes)" "$(awk '/^note: / { note = 1; printf "%s%s", n++ ? "\n" : "", $0; next } note && sub(/^      /, " ") { printf "%s", $0; next } { note = 0 } END { print "" }' out)"
if [ -s notes ] && grep -q '^      ' out; then ok "there were some"; else bad "there were some"; fi
same "none is wider than the terminal" "" "$(python3 -c 'import re, sys
for line in open("out", encoding="utf-8"):
    if re.match("note: |      [^ ]", line) and len(line) > 71: print(line)')"

# Sentences go on between words; what is to be copied stands whole, on a line of its own.
cp n.qx a_corpus_of_which_the_path_is_long_for_a_terminal_of_a_hundred_columns.qx
long=a_corpus_of_which_the_path_is_long_for_a_terminal_of_a_hundred_columns.qx
for words in "whatif $long total(dictionaries)*=2" "whatif $long machine=x86-64" "model $long" "model --function dictionaries $long" "explain $long"; do
  # shellcheck disable=SC2086
  on_terminal 100 "$quincunx" $words >out
  if [ -s out ]; then ok "$words"; else bad "$words"; fi
  same "no sentence is wider than the terminal" "" "$(grep -v '^  quincunx ' out | python3 -c 'import sys
print("".join(l for l in sys.stdin if len(l) > 101), end="")')"
done
on_terminal 100 "$quincunx" whatif "$long" 'total(dictionaries) *= 2' >out
same "a command stands whole" "  quincunx run -o $long --tag changed ..." "$(grep -A1 '^next:$' out | tail -1)"

# ---- whoever sees a name can use it ----
name=$("$quincunx" report --json n.qx | python3 -c '
import json, sys
for f in json.load(sys.stdin)["functions"]:
    if f["demangled"].startswith("std::map<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, int,"):
        print(f["name"], f["demangled"], sep="\n")
        break')
linkage=$(sed -n 1p <<<"$name") whole=$(sed -n 2p <<<"$name") short='map<string, int>::operator[]'
gives 0 "whatif by the linkage name" whatif --json n.qx "cost($linkage) *= 2"
expected=$(json out 'j["after"]["mean"]["value"]')
for said in "$whole" "$short"; do
  gives 0 "whatif by $said" whatif --json n.qx "cost($said) *= 2"
  same "is the same function" "$expected" "$(json out 'j["after"]["mean"]["value"]')"
done
for said in "$linkage" "$whole" "$short"; do
  gives 0 "--function $said" report --json --function "$said" n.qx
  same "chooses it alone" "$linkage" "$(json out '*(f["name"] for f in j["functions"])')"
  gives 0 "model --function" model --json --function "$said" n.qx
  same "chooses it alone" 1 "$(json out 'len(j["functions"])')"
done
for said in 'map<string,…>::operator[]' 'map<string,...>::operator[]' weigh; do
  gives 1 "a name of several, $said" whatif n.qx "cost($said) *= 2"
  same "is one line" 1 "$(wc -l <err)"
  has "that has them" "'(map<string, int>::operator\[\]', 'map<string, map<int, string>>::operator|warehouse::weigh\(int\)', 'warehouse::weigh\(string const&\))" err
done
finish
