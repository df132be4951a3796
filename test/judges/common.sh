# What the test scripts of this folder share; sourced by them, never run by itself. It finds the build, makes a scratch
# folder that is removed at the end, and counts ok and FAIL lines. It knows nothing of what is tested.
#
# Environment: LLVM (22), BUILD (build/default, or build/llvm-LLVM), JOBS (2), KEEP=1 keeps the scratch folder, ALSO: another
# tier that programs record besides (predictor).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
: "${LLVM:=22}" "${JOBS:=2}"
if [ "$LLVM" = 22 ]; then : "${BUILD:=$root/build/default}"; cfgname=quincunx.cfg
else : "${BUILD:=$root/build/llvm-$LLVM}"; cfgname=quincunx-$LLVM.cfg; fi
BUILD=$(cd "$BUILD" && pwd)
cfg=${CFG:-$BUILD/lib/quincunx/$cfgname} # CFG: another runtime or plugin (faults.sh)
quincunx=$BUILD/bin/quincunx
judge="python3 $root/test/judges/judge.py"
plain="clang-$LLVM" plainxx="clang++-$LLVM"
clang="clang-$LLVM --config=$cfg" clangxx="clang++-$LLVM --config=$cfg"
blocks=-fplugin-arg-quincunx-record=blocks${ALSO:+,$ALSO} all=-fplugin-arg-quincunx-record=calls,runs,blocks${ALSO:+,$ALSO}
for f in "$cfg" "$quincunx"; do
  [ -e "$f" ] || { echo "$0: error: no $f, build the project first" >&2; exit 2; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/quincunx-$(basename "$0" .sh).XXXXXX")
undo=:
trap 'eval "$undo"; [ -n "${KEEP:-}" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/tmp"
export TMPDIR=$work/tmp
cd "$work"
unset QUINCUNX_OUT QUINCUNX_RUN QUINCUNX_MAPS || true
export QUINCUNX_MACHINE=none # counts: the same on every machine

passed=0 failed=0 skipped=0
ok() { passed=$((passed + 1)); echo "ok   $*"; }
bad() { failed=$((failed + 1)); echo "FAIL $*"; }
skip() { skipped=$((skipped + 1)); echo "skip $*"; }
# check TEXT COMMAND...: ok when it succeeds; its output is shown when it does not
check() {
  text=$1
  shift
  if "$@" >"$work/.output" 2>&1 </dev/null; then ok "$text"
  else bad "$text"; tail -n 15 "$work/.output" | sed 's/^/     | /'; fi
}
# entries CORPUS FUNCTION: how often it was entered, summed over all runs
entries() { $judge blocks --quincunx "$quincunx" "$1" | awk -F'\t' -v f="$2" '$2 == f && $3 == 0 { n += $4 } END { print n + 0 }'; }
judged() { $judge counts --quincunx "$quincunx" "$1"; }
finish() {
  echo "$(basename "$0"): $passed passed, $failed failed, $skipped skipped"
  [ $failed = 0 ]
}
