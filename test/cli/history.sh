#!/bin/bash
# quincunx corpus log: 30 commits of a small program, three of which change what runs cost. These are found at their
# functions, and nothing else, whatever the order was in which the builds were recorded; by commits, or by first runs.
. "$(dirname "$0")/common"

git init -q . && git config user.email a@b && git config user.name a
source() { # source COMMIT: the program as it is then
  local rounds=40 more="" step="x * 31 + 7"
  [ "$1" -ge 8 ] && rounds=44                                # slower: a constant
  [ "$1" -ge 15 ] && more="sink += strlen(strdup(text));"    # slower: an allocation
  [ "$1" -ge 23 ] && step="x ^ 7"                            # faster: less work in a callee
  echo "// commit $1"
  [ $(($1 % 3)) != 0 ] || echo "// with a line more"
  name=scan; [ "$1" -ge 11 ] && name=scanAll                 # a rename has no effect
  cat <<END
#include <stdlib.h>
#include <string.h>
static volatile unsigned sink;
__attribute__((noinline)) static unsigned step(unsigned x) { return $step; }
__attribute__((noinline)) static unsigned $name(unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n % 50 + $rounds; ++i)
    x = x * 33 ^ i;
  return x;
}
__attribute__((noinline)) static void keep(const char *text) {
  $more
  sink += text[0];
}
int main(int argc, char **argv) {
  unsigned n = (unsigned)atoi(argv[1]), x = 7;
  for (unsigned i = 0; i < 10 * n; ++i)
    x = step(x) ^ i;
  sink += x + $name(n);
  keep(argv[argc - 1]);
  return 0;
}
END
}
commits=30
for c in $(seq 1 $commits); do
  source "$c" >prog.c
  git add prog.c && git commit -q -m "commit $c"
done
record() { # record COMMIT: its build and runs, into all.qx
  git checkout -q "main~$((commits - $1))" 2>/dev/null || git checkout -q "master~$((commits - $1))"
  $clang -O1 -g -o prog "$PWD/prog.c"
  "$quincunx" run -q -o all.qx --repeat 2 -- ./prog {} ::: $(seq 1 5)
}
# From the newest to the oldest, as somebody looks for what made it slow.
for c in $(seq $commits -1 1); do record "$c"; done

gives 0 "by commits" corpus log all.qx
has "how many builds and changes" '^30 builds of prog, 3 change the cost of a run, in ' out
has "the order is that of commits" 'oldest first, by commits' out
gives 0 "as JSON" corpus log --json all.qx
same "three changes, at their functions" \
  "8:slower:scan 15:slower:keep 23:faster:step" \
  "$(json out '" ".join("%d:%s:%s" % (i + 1, b["change"]["verdict"], b["change"]["functions"][0]["shown"]) for i, b in enumerate(j["programs"][0]["builds"]) if b["change"] and b["change"]["isChange"])')"
# Builds by what git calls them.
git checkout -q -B trunk "main~0" 2>/dev/null || git checkout -q -B trunk master~0
gives 0 "builds of two revisions" compare all.qx --against trunk~8 --build trunk~7
has "are those of their commits" '^faster: .*from step' out
gives 1 "the revision before as the baseline" check all.qx --build trunk~15 --baseline trunk~16 'mean(keep) <= baseline'
gives 0 "which is not that of later ones" check all.qx --build trunk~15 --baseline trunk~14 'mean(keep) <= baseline'
echo "// more" >>prog.c && git commit -q -a -m "not recorded"
gives 0 "a commit without a build" compare all.qx --against trunk~8 --build trunk
has "is that of the last one that has" 'no build is of commit trunk \([0-9a-f]{12}\); taken is that of [0-9a-f]{12}, 1 commit before$' err
echo "// and more" >>prog.c
$clang -O1 -g -o prog "$PWD/prog.c" && cp all.qx more.qx && "$quincunx" run -q -o more.qx --repeat 2 -- ./prog {} ::: $(seq 1 5)
gives 0 "sources with changes on top" compare more.qx --against trunk --build trunk
has "are of no commit" 'no build is of commit trunk' err
git checkout -q --orphan other && git commit -q -m "another history"
gives 2 "a revision of another history" compare all.qx --against other
has "is told" 'no build is of commit other \([0-9a-f]{12}\), or of one before it; it has ' err
gives 2 "what is no revision" compare all.qx --against nothing
has "is no build" 'there is no build or tag nothing; it has ' err
gives 2 "an option in its place" compare all.qx --against=--all
rm -rf .git
gives 0 "without the repository" corpus log --json all.qx
same "by first runs, which went backwards" \
  "runs 23:slower 15:faster 8:faster" \
  "$(json out 'j["programs"][0]["order"] + " " + " ".join("%d:%s" % (31 - i, b["change"]["verdict"]) for i, b in enumerate(j["programs"][0]["builds"]) if b["change"] and b["change"]["isChange"])')"
finish
