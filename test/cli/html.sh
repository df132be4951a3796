#!/bin/bash
# quincunx html: a page that a browser shows, whose sliders say what `quincunx whatif` says.
. "$(dirname "$0")/common"

export QUINCUNX_MACHINE=none
cat >prog.cpp <<'END'
#include <algorithm>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>
static volatile unsigned sink;
__attribute__((noinline)) static void parse(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink += i;
}
__attribute__((noinline)) static void render(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < n / 8; ++j)
      sink += i ^ j;
}
int main(int, char **argv) {
  const unsigned n = (unsigned)atoi(argv[1]);
  std::unordered_map<std::string, unsigned> words;
  std::vector<unsigned> sorted;
  for (unsigned i = 0; i < n; ++i)
    words[std::to_string(i * 7919 % 97)] += i, sorted.push_back(i * 7919 % 1009);
  std::sort(sorted.begin(), sorted.end(), [](unsigned a, unsigned b) { return a > b; });
  parse(50 * n);
  render(n % 60);
  sink += words.size() + sorted.front();
}
END
${clang/clang-/clang++-} -O1 -g -o prog prog.cpp
gives 0 "counting" run -q -o p.qx --feature n={} -- ./prog {} ::: $(seq 20 15 900)
gives 0 "a page" html -o p.html p.qx
has "says what it wrote" '^p.html: [0-9]+ kB' out
cp "$root/machines/x86-64.machine" spread.machine
echo 'residual moments(0, 0.003, 0.4, 3.4)' >>spread.machine
gives 0 "a page of costs that are spread" html -o s.html --machine spread.machine p.qx

sed 's/sink += i;/sink += i, sink += i;/' prog.cpp >slower.cpp
${clang/clang-/clang++-} -O1 -g -o slower slower.cpp
gives 0 "counting another build" run -q -o q.qx --feature n={} -- ./slower {} ::: $(seq 20 15 900)
gives 0 "a page of both" html -o c.html p.qx q.qx

gives 0 "a hostile name" run -q -o h.qx -- ./prog {} ::: '30</script><img src=//example.org/x onerror=alert(1)>'
gives 0 "is in a page" html -o h.html h.qx
lacks "but not as markup" '</script><img' h.html

if python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import browser; sys.exit(not browser.Browser.name)' "$root/test/pages"; then
  for kind in p s; do
    machine=; [ $kind = p ] || machine='--machine spread.machine'
    status=0
    python3 "$root/test/pages/page.py" "$quincunx" $kind.html p.qx render 0.25 "" $machine >looked 2>&1 || status=$?
    same "a browser shows $kind.html, and its sliders say what whatif says" 0 $status
    sed '/^ok/d; s/^/     | /' looked
  done
  status=0
  python3 "$root/test/pages/change.py" "$quincunx" c.html p.qx q.qx >looked 2>&1 || status=$?
  same "and what a change did, as compare says it" 0 $status
  sed '/^ok/d; s/^/     | /' looked
else
  skip "no browser is here"
fi
has "the source is in it" 'words.size\(\) \+ sorted.front' p.html
echo '// other' >>prog.cpp
gives 0 "a page with a source that changed" html -o o.html p.qx
has "says so" 'its source changed since it was compiled' o.html
lacks "and does not show it" 'words.size\(\) \+ sorted.front' o.html
gives 2 "no file to write" html p.qx
gives 2 "two corpora have no requests" html -o n.html --per request p.qx q.qx
gives 1 "no corpus" html -o n.html nothing.qx
finish
