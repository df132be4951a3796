#!/bin/bash
# SIGKILL at random moments, 60 times (1,000 with QUINCUNX_FULL): of what a program had finished when it was killed no call is
# lost, none is counted twice, and every file it leaves can be read. The program says in shared memory what it has finished;
# per thread at most one batch of 100 calls is under way.
. "$(dirname "$0")/../judges/common.sh"
n=60
[ -z "${QUINCUNX_FULL:-}" ] || n=1000
echo '__attribute__((noinline)) unsigned tock(unsigned x) { return x % 3 == 1 ? x * 2 : x + 1; }' >tock.c
$clang -O2 $blocks -fPIC -shared -o libtock.so tock.c
$clang -O2 $blocks -pthread -o kills "$here/kills.c"
mkdir records
QUINCUNX_OUT=$work/records/ python3 - $n "$work/libtock.so" >finished.tsv <<'END'
import os, random, signal, struct, subprocess, sys, time
random.seed(1)
n, library = int(sys.argv[1]), sys.argv[2]
for i in range(n):
    with open("shared", "wb") as f:
        f.write(bytes(4096))
    # a third of them late: at or after the end, where the record replaces the live file
    length = random.uniform(0, 25)
    wait = length * random.uniform(0.9, 1.3) + 1 if i % 3 == 0 else random.uniform(0, length)
    p = subprocess.Popen(["./kills", "shared", str(length), library], start_new_session=True,
                         env=dict(os.environ, QUINCUNX_RUN=f"run{i}"))
    time.sleep(wait / 1000)
    try:
        os.killpg(p.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    status = p.wait()
    time.sleep(0.005)  # the child, which is not ours to wait for
    words = struct.unpack("16Q", open("shared", "rb").read(128))
    print(i, status, sum(words[0:4]) + sum(words[8:12]), words[4] + words[12], sep="\t")
END
check "every file is read" "$quincunx" corpus add all.qx records/*.qxraw
"$quincunx" corpus dump all.qx >all.dump
python3 - >verdict <<'END' && good=yes || good=
import collections, sys
first, where, outcome = {}, {}, {}  # of functions; counters of first blocks; of runs
counted = collections.defaultdict(int)
for line in open("all.dump"):
    f = line.rstrip("\n").split("\t")
    if f[0] == "function":
        first[f[1], f[2]] = f[3], int(f[4])
    elif f[0] == "block" and f[3] == "0":
        name, counter = first[f[1], f[2]]
        where[f[1], counter + int(f[7])] = name
    elif f[0] == "run":
        outcome[f[1]] = f[3]
    elif f[0] == "count" and (f[2], int(f[3])) in where:
        counted[f[1], where[f[2], int(f[3])]] += int(f[4])
bad = killed = ended = early = 0
for line in open("finished.tsv"):
    i, status, ticks, tocks = map(int, line.split())
    run = f"run{i}"
    killed += status != 0
    ended += status == 0
    early += ticks == 0
    for name, least, slack in ("tick", ticks, 800), ("tock", tocks, 200):
        got = counted[run, name]
        if not least <= got <= least + slack or status == 0 and got != least:
            print(f"run {i} (status {status}, {outcome.get(run)}): {name} finished {least}, counted {got}")
            bad += 1
print(f"{killed} killed ({early} of them before the first call), {ended} ended before that; {bad} wrong")
sys.exit(bad != 0 or killed == 0)
END
if [ -n "$good" ]; then ok "$n programs: $(tail -n 1 verdict)"; else bad "$n programs"; sed 's/^/     | /' verdict | tail -n 20; fi
finish
