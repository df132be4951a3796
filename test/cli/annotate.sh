#!/bin/bash
# quincunx annotate: counts stand beside their lines, comments are written once and brought up to date,
# and a source that is not the one that ran is refused.
. "$(dirname "$0")/common"

cp "$here/worker.c" w.c
$clang -O2 -g -o w w.c
"$quincunx" run -q -o w.qx -- ./w {} ::: 10 20 30
line() { grep -n "$1" w.c | head -n 1 | cut -d: -f1; } # the number of the first line that matches

gives 0 "annotate" annotate w.qx w.c
at=$(line 'x = inner')
same "the mean number of executions is beside the line" 20 "$(awk -F'[|]' -v n="$at" '$1 ~ " " n "$" { split($1, f, " "); print f[1] }' out)"
for f in inner outer rarely main; do has "$f has its percentiles" "qx: $f: total p50 [0-9].*; self p50 [0-9]" out; done
same "every line of the source is there" "$(wc -l <w.c)" "$(grep -cE '^.{0,50} [0-9]+\|' out)"

# Discriminators make other places of the same ones, before the plugin looks or behind it (-O0).
cat >arms.c <<'END'
#include <stdlib.h>
static int g(int x) { return x % 7 == 0 ? x * 3 : x % 5 == 0 ? x - 2 : x + 1; }
static int h(int x) { int s = 0; for (int i = 0; i < x; i++) { if (i & 1) s += g(i); else s -= g(s + i); } return s; }
int main(int c, char **v) { int n = atoi(v[1]), z = 0; for (int i = 0; i < n; i++) z += h(i) > 3 && i > 7 ? g(i) : -g(i + 1), z = z < 0 ? -z : z; return z == 12345 && c; }
END
for level in 0 1 2; do
  $clang -O$level -g -o arms arms.c
  "$quincunx" run -q -o a$level.qx -- ./arms {} ::: 10 20
  gives 0 "-O$level" annotate a$level.qx arms.c
  grep -v '^next' out >plain
  $clang -O$level -g -fdebug-info-for-profiling -o arms arms.c
  "$quincunx" run -q -o d$level.qx -- ./arms {} ::: 10 20
  gives 0 "with -fdebug-info-for-profiling" annotate d$level.qx arms.c
  same "says the same" "$(cat plain)" "$(grep -v '^next' out)"
done

gives 0 "--json" annotate --json w.qx w.c
"$quincunx" run -q -o one.qx -- ./w {} ::: 30
gives 0 "of one run" annotate --json one.qx w.c
same "its lines cost their shares, and these add up" "True True" "$(json out '(lambda lines, mean: str(all(abs(l["cost"]["p50"]["value"] - l["share"] * mean) <= 1e-6 * mean for l in lines)) + " " + str(0.9 < sum(l["share"] for l in lines) <= 1 + 1e-9))(j["files"][0]["lines"], j["program"]["mean"])')"
gives 0 "--html" annotate --html w.qx w.c
has "lines have their figures" '<td>20</td>.*x = inner' out
has "and functions theirs" 'qx: inner: total' out
check "it is a document" python3 -c 'import html.parser; p = html.parser.HTMLParser(); p.feed(open("out").read()); p.close()'

cp w.c before.c
gives 0 "--in-place" annotate --in-place w.qx w.c
same "a comment per function" 4 "$(grep -c 'qx: ' w.c)"
check "without them the source is as it was" diff <(grep -v 'qx: ' w.c) before.c
cp w.c once.c
gives 0 "--in-place again" annotate --in-place w.qx w.c
check "changes nothing" cmp w.c once.c
"$quincunx" run -q -o w.qx -- ./w {} ::: 1000
gives 0 "--in-place with more runs" annotate --in-place w.qx w.c
same "still one comment per function" 4 "$(grep -c 'qx: ' w.c)"
if cmp -s w.c once.c; then bad "brings figures up to date"; else ok "brings figures up to date"; fi
$clang -O2 -g -o w w.c
gives 0 "the annotated source, compiled and run" run -q -o w2.qx -- ./w {} ::: 10
gives 0 "can be annotated" annotate --in-place w2.qx w.c
same "with one comment per function" 4 "$(grep -c 'qx: ' w.c)"

cp before.c w.c
sed -i '1i // one line more' w.c
cp w.c changed.c
gives 1 "a source that changed" annotate w.qx w.c
has "says so" 'changed since it was compiled' err
gives 1 "--in-place" annotate --in-place w.qx w.c
check "leaves it alone" cmp w.c changed.c
gives 0 "--force" annotate --force w.qx w.c
gives 1 "a source that is not there" annotate w.qx none.c
printf 'int x;\n' >strange.c
gives 1 "a source of another program" annotate w.qx strange.c
cp before.c w.c
gives 1 "a bad source beside a good one" annotate w.qx none.c w.c
has "does not keep the good one from being shown" 'qx: outer' out
cat >two.cpp <<'END'
#include "part.h"
#include <map>
int main(int argc, char **) {
  std::map<int, int> m;
  return part(m[argc]) < 0;
}
END
printf '__attribute__((noinline)) static int part(int n) { return n + 1; }\n' >part.h
${clang/clang-/clang++-} -O1 -g -o two two.cpp
gives 0 "a program of two files" run -q -o two.qx -- ./two {} ::: 1 2
gives 0 "no source is named" annotate --json two.qx
same "those of functions that ran are shown, and no headers of the system" "part.h two.cpp" "$(json out '" ".join(f["file"].split("/")[-1] for f in j["files"])')"
mv part.h away.h
gives 0 "one of them is not here" annotate two.qx
has "that is said" '^quincunx: 1 of 2 sources are not here \(.*part.h\)' err
mv two.cpp away.cpp
gives 1 "none of them is" annotate two.qx
gives 2 "files are not changed unless they are named" annotate --in-place w.qx
gives 0 "--machine unit" annotate --machine unit w.qx w.c
has "is named" 'machine unit' out
finish
