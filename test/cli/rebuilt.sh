#!/bin/bash
# Programs that were built again: verbs read the runs of the newest build and say so, others are asked for, and --resume does
# not take what another build has done for done.
. "$(dirname "$0")/common"

cat >prog.c <<'END'
#include <stdlib.h>
static volatile unsigned sink;
int main(int argc, char **argv) {
  for (int i = 0; i < TIMES * atoi(argv[1]); i++)
    sink += argc;
  return 0;
}
END
build() { $clang -g "$@" -o prog prog.c; }
mean() { json out 'int(j["program"]["mean"])'; }

build -O1 -DTIMES=1
gives 0 "the first build" run -q -o x.qx -- ./prog {} ::: 10 20 30 40
gives 0 "has its figures" report --json x.qx
first=$(mean)
same "and no word of others" "" "$(cat err)"
# The same map: a constant and the machine that code is made for do not stand in it.
build -O1 -DTIMES=3 -mtune=skylake
gives 0 "nothing is done by the second" run -o x.qx --resume -- ./prog {} ::: 10 20 30 40
has "which is said" '4 runs in x.qx are of another build, and not taken for done' err
same "so it is run" 8 "$("$quincunx" corpus ls --json x.qx | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["runs"]))')"
gives 0 "again" run -o x.qx --resume -- ./prog {} ::: 10 20 30 40
has "all is done" '4 of 4 runs are in x.qx already' err

gives 0 "the second build is what is reported" report --json x.qx
second=$(mean)
same "alone" True "$(python3 -c "print(3 * $first < $second < 5 * $first)")"
has "which is said" '^quincunx: 4 runs are of older builds and left out; the newest of prog is [0-9a-f]{12} ' err
gives 0 "all builds" report --json --build all x.qx
same "are all runs" True "$(python3 -c "print(abs(2 * $(mean) - $first - $second) <= 2)")"
gives 0 "which ones there are" corpus show --json x.qx
older=$(json out '[b["build"] for b in j["builds"] if not b["newest"]][0]')
same "each with its runs" "[4, 4]" "$(json out '[b["runs"] for b in j["builds"]]')"
gives 0 "the older one" report --json --build "${older:0:8}" x.qx
same "has its figures" "$first" "$(mean)"
gives 1 "a build that is none" report --build zzz x.qx
has "names those that are there" "there is no build or tag zzz; it has [0-9a-f]{12} \(prog, 4 runs\), " err
for verb in explain model validate annotate whatif; do
  words=x.qx
  [ "$verb" != annotate ] || words='x.qx prog.c'
  [ "$verb" != whatif ] || words='x.qx cost(main)*=0'
  # shellcheck disable=SC2086
  gives 0 "$verb" "$verb" $words
  has "says it, too" '4 runs are of older builds and left out' err
done

# ---- tags, commits and hosts ----
gives 0 "a tag" run -q -o x.qx --tag slow -- ./prog {} ::: 10 20
gives 0 "what it is of" report --json --build slow x.qx
same "is reported" "2 $second" "$(json out 'j["runs"]["used"]') $second"
gives 0 "--resume of a tag" run -o x.qx --resume --tag slow -- ./prog {} ::: 10 20 30
has "runs what the tag has no run of" '^quincunx: 2 of 3 runs are in x.qx already' err
gives 0 "the next build" run -q -o x.qx --tag slow -- ./prog {} ::: 10
same "the list has tags and this host" "['slow', '$(uname -n)']" \
  "$("$quincunx" corpus ls --json x.qx | python3 -c 'import json, sys; r = json.load(sys.stdin)["runs"][-1]; print([r["tag"], r["host"]])')"
gives 0 "show" corpus show x.qx
has "has them with builds" "^[0-9a-f]{12} .* slow +.*$(uname -n)" out
build -O1 -DTIMES=4
gives 0 "another build of that tag" run -q -o x.qx --tag slow -- ./prog {} ::: 10
gives 1 "is no choice" report --build slow x.qx
has "as it is of several" 'error: x.qx: several builds of prog have the tag slow, ' err
for tag in all ''; do gives 2 "no tag: '$tag'" run -q -o z.qx --tag "$tag" -- ./prog {} ::: 10; done
gives 0 "--no-args" run -q -o n.qx --no-args -- ./prog {} ::: 10
gives 0 "its list" corpus ls --json n.qx
same "has no host" "" "$(json out 'j["runs"][0]["host"]')"
commit() { "$quincunx" corpus ls --json "$1" | python3 -c 'import json, sys; print(json.load(sys.stdin)["runs"][-1]["commit"])'; }
same "no commit outside of git" "" "$(commit n.qx)"
if command -v git >/dev/null; then
  mkdir repo && cp prog.c repo && cd repo
  git init -q . && git add prog.c && git -c user.name=x -c user.email=x@y commit -q -m one
  head=$(git rev-parse HEAD)
  build -O1 -DTIMES=1 && mv prog .. && cd ..
  gives 0 "sources under git" run -q -o g.qx -- ./prog {} ::: 10
  same "their commit is kept" "$head" "$(commit g.qx)"
  echo '// more' >>repo/prog.c
  gives 0 "sources that changed since" run -o g.qx -- ./prog {} ::: 10
  has "are told" 'prog.c is not what prog was built from: no commit is kept' err
  same "and have no commit" "" "$(commit g.qx)"
  (cd repo && build -O1 -DTIMES=1 && mv prog ..)
  gives 0 "built from them" run -q -o g.qx -- ./prog {} ::: 10
  same "it is the commit with changes" "$head+changes" "$(commit g.qx)"
  mkdir bare && for tool in bash env; do ln -s "$(command -v $tool)" bare; done
  gives_without() { PATH=$work/bare "$quincunx" run -q -o g.qx -- ./prog {} ::: 10 >out 2>err; }
  if gives_without; then ok "without git"; else bad "without git"; fi
  same "there is no commit, and no word of it" " " "$(commit g.qx) $(cat err)"
else
  skip "git is not here"
fi

# A script of the program's name that starts it, as libtool makes them.
mkdir -p .libs && mv prog .libs/prog && printf '#!/bin/sh\nexec "$(dirname "$0")/.libs/prog" "$@"\n' >prog && chmod +x prog
gives 0 "started by a script" run -q -o s.qx -- ./prog {} ::: 10
gives 0 "again" run -o s.qx --resume -- ./prog {} ::: 10
has "it is done" '1 of 1 runs are in s.qx already' err
$clang -g -O1 -DTIMES=7 -o .libs/prog prog.c
gives 0 "built again" run -o s.qx --resume -- ./prog {} ::: 10
has "it is not" '1 run in s.qx is of another build' err
rm -r prog .libs

# No build id from the linker: the bytes of the file tell.
build -O1 -DTIMES=1 -Wl,--build-id=none
gives 0 "without a build id" run -q -o y.qx -- ./prog {} ::: 10
build -O1 -DTIMES=2 -Wl,--build-id=none
gives 0 "another one" run -q -o y.qx -- ./prog {} ::: 10
gives 0 "are two builds" report y.qx
has "of which one is read" '1 run is of older builds' err
build -O2 -DTIMES=1
gives 0 "another map" run -q -o y.qx -- ./prog {} ::: 10
gives 0 "is another build, too" corpus show --json y.qx
same "with a run each" "[1, 1, 1]" "$(json out '[b["runs"] for b in j["builds"]]')"

# Runs of two programs in one corpus.
build -O1 -DTIMES=2
gives 0 "one program" run -q -o one.qx -- ./prog {} ::: 10 20
mv prog other
gives 0 "and another one" run -q -o one.qx -- ./other {} ::: 10 20
gives 0 "are reported together" report --json one.qx
has "which is said" '^quincunx: runs are of 2 programs: [0-9a-f]{12} \((other|prog), 2 runs\)' err
gives 1 "an error is one line" whatif one.qx 'cost(no_such_function) *= 2'
same "which says it too" 1 "$(wc -l <err)"
has "behind the reason" "there is no function 'no_such_function'.*; runs are of 2 programs: " err
finish
