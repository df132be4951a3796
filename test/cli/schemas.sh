#!/bin/bash
# What verbs print with --json follows share/schemas, which know every field: a new one that no schema has is a failure here.
. "$(dirname "$0")/common"

if ! python3 -c 'import jsonschema' 2>/dev/null; then skip "python3-jsonschema is not here"; finish; exit; fi
mkdir said
# says NAME WORDS...: what is printed is said/NAME
says() {
  name=$1
  shift
  "$quincunx" "$@" >"said/$name" 2>err </dev/null || { grep -q '"schema"' "said/$name" || { bad "quincunx $*"; head -n 3 err; }; }
}
formats=$root/test/data/formats
cp "$formats"/corpus-6-map-13.qx p.qx
cp "$root"/examples/pamela/psrs.pam .
cat >wait.pam <<'END'
numeric parameter P = 3
resource s = fcfs(0, 1)
process main = par (p = 1, P) { delay(1); use(s, uniform(1, 2)) }
END
cat >sort.c <<'END'
#include <stdlib.h>
#include <string.h>
static volatile int sink;
__attribute__((noinline)) static int step(int n) { return n < 2 ? n : step(n - 1) + 1; }
static int byValue(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv) {
  (void)argc;
  int n = atoi(argv[1]);
  int *v = malloc(sizeof(int) * (size_t)n);
  for (int i = 0; i < n; ++i)
    v[i] = i * 7919 % 1001;
  qsort(v, (size_t)n, sizeof *v, byValue);
  for (int i = 0; i < n; ++i)
    sink += v[i] % 2 ? step(v[i] % SHARE) : memcmp(v, v + i, 8);
  if (n % 10 == 3)
    for (int i = 0; i < 100 * n; ++i)
      sink += i;
  return n % 100 == 99 ? 3 : 0;
}
END
$clang -O1 -g -DSHARE=50 -o sort sort.c
$plain -O1 -g -DSHARE=50 -o plain sort.c
"$quincunx" run -q -o c.qx --ok-status 0,3 --feature n={} --tag one -- ./sort {} ::: $(seq 199 10 400) $(seq 203 100 900)
"$quincunx" run -q -o t.qx --feature n={} -- ./sort {} ::: $(seq 20000 9000 140000)
"$quincunx" run -q -o t.qx --timed --repeat 2 -- ./plain {} ::: $(seq 20000 9000 140000)
$clang -O1 -g -DSHARE=60 -o sort sort.c
"$quincunx" run -q -o c.qx --ok-status 0,3 --feature n={} --tag two -- ./sort {} ::: $(seq 199 10 400)

cat >wait.c <<'EOF'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int sink;
static void *work(void *n) {
  pthread_mutex_lock(&mutex);
  for (long i = 0; i < (long)n; ++i)
    ++sink;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; ++i)
    pthread_create(&t[i], 0, work, (void *)(100 * i + 100));
  for (int i = 0; i < 2; ++i)
    pthread_join(t[i], 0);
}
EOF
$clang -O1 -g -pthread -fplugin-arg-quincunx-record=counts,calls,strands -o wait wait.c
"$quincunx" run -q -o w.qx --repeat 2 -- ./wait

says critical critical --json w.qx
says scale scale --json w.qx
says whatif-threads whatif --json w.qx "work(thread wait.c:$(grep -n pthread_create wait.c | cut -d: -f1)) *= 2"
says critical-run critical --json w.qx "$("$quincunx" corpus ls w.qx | awk 'NR == 2 { print $1 }')"
says report report --json p.qx
says report-threads report --json w.qx
says report-all report --json --all c.qx
says report-all-builds report --json --all --build all c.qx
says report-calls report --per call --json p.qx
says report-requests report --per request --json p.qx
says annotate annotate --json p.qx "$formats/counted.c"
says explain explain --json --build one c.qx
says explain-requests explain --per request --json p.qx
says compare compare --json c.qx
says log corpus log --json c.qx
says whatif whatif --json c.qx 'cost(step) *= 2'
says whatif-sweep whatif --json c.qx 'cost(step) *= x' --sweep x=1..3
says model model --json c.qx
says model-tree model --json --function main c.qx
says model-guessed model --json ./sort
says validate validate --json --build one c.qx
says calibrate calibrate --json t.qx
says report-time report --json --all t.qx
says explain-time explain --json t.qx
says compare-time compare --json t.qx t.qx
says check corpus check --json c.qx
says salvage corpus salvage --json c.qx -o saved.qx
says ls corpus ls --json t.qx
says ls-requests corpus ls --json p.qx
says show corpus show --json t.qx
says eval eval --json psrs.pam -D N=4096 -D P=4
says eval-points eval --json wait.pam --sweep P=1..3
says eval-simulated eval --json --simulate wait.pam --sweep P=1..3
says symbolic eval --symbolic --json psrs.pam
says derivatives eval --json wait.pam --derivative P
says solve eval --json wait.pam --solve 'main <= 4' --for P
says simulate simulate --json wait.pam
says law law fit --json --moments 10,4,0.5,3.5 --bounds --cdf 12
says law-join law join --json --max 10 --moments '10*5,1,0,3'
says law-skeleton law skeleton dc --json --depth 4 --moments 1,1,2,9
says doctor doctor --json

cat >valid.py <<'END'
import copy, json, os, pathlib, sys
from jsonschema import Draft202012Validator, RefResolver
folder = pathlib.Path(sys.argv[1])
schemas = {path.name: json.load(open(path)) for path in folder.glob("*.json")}
known = {}
for name, schema in schemas.items():
    Draft202012Validator.check_schema(schema)
    at = (folder / name).as_uri()
    store = {(folder / other).as_uri(): text for other, text in schemas.items()}
    known[name] = Draft202012Validator(schema, resolver=RefResolver(at, schema, store=store))

used = set()
for said in sorted(os.listdir("said")):
    document = json.load(open("said/" + said))
    assert next(iter(document)) == "schema", said
    project, kind, version = document["schema"].split("/")
    assert project == "quincunx", said
    name = f"{kind}-{version}.schema.json"
    used.add(name)
    for error in sorted(known[name].iter_errors(document), key=str)[:3]:
        print(said, "/".join(map(str, error.absolute_path)), error.message[:300])
    wrong = copy.deepcopy(document)
    wrong["unheard"] = 1
    if known[name].is_valid(wrong):
        print(said, "may have any field")
for name in sorted(set(schemas) - used - {"common-1.schema.json"}):
    print(name, "is of nothing that was printed")
END
same "documents follow their schemas, and each schema has a document" "" "$(python3 -W ignore valid.py "$root/share/schemas" 2>&1)"
# Every verb that has --json was asked.
verbs() { "$quincunx" "$@" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'; }
unasked=
for verb in $(verbs) $(verbs corpus | sed 's/^/corpus./') $(verbs law | sed 's/^/law./'); do
  "$quincunx" ${verb/./ } --help 2>/dev/null | grep -q -- '^  --json' || continue
  grep -Eq "^says [a-z-]+ ${verb/./ } " "$here/schemas.sh" || unasked="$unasked $verb"
done
same "of every verb that has --json" "" "$unasked"
finish
