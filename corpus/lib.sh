# The common part of the scripts NAME.sh: fetch a program's Debian source, build it, make inputs, run them
# and compare the outputs. Sourced by them, never run by itself. It knows nothing about instrumentation:
# the compiler and its flags come from outside (see ./instrumented). Nothing of the system is changed.
#
#   ./NAME.sh fetch     download and unpack the Debian source package(s)
#   ./NAME.sh build     compile it; the program becomes $QC_WORK/NAME/$TAG/prog
#   ./NAME.sh inputs    write N cases to $QC_WORK/NAME/in-N-SEED/cases.tsv
#   ./NAME.sh measure   run every case, write .../NAME/$TAG/measure.tsv, print a summary line
#   ./NAME.sh check     run every case, compare the digest of all outputs with expected.tsv
#   ./NAME.sh digest    run every case, print that digest
#   ./NAME.sh all       fetch + build + inputs + check
#   ./NAME.sh path      print the program and the input folder, tab separated
#   ./NAME.sh clean     remove this program's work folder
#
# Environment (default):
#   QC_WORK  work folder, outside the checkout (${TMPDIR:-/tmp}/quincunx-corpus)
#   QC_CACHE downloads, shared by all work folders (~/.cache/quincunx/sources)
#   CC CXX   compilers, may hold several words (clang-22 / clang++-22)
#   CFLAGS   (-O2)   CXXFLAGS ($CFLAGS)   LDFLAGS ()   LIBS ()
#   HOST_CC HOST_CXX HOST_CFLAGS  used for configure checks and for generators that only run at build time
#            (clang-22, clang++-22, -O2), so an instrumented compiler never meets them
#   TAG      name of this build variant (plain)   N inputs (200)   SEED (1)   SCALE of their sizes (1)   JOBS (2)
#
# cases.tsv, one case a line, tab separated:
#   id   stdin file or "-"   arguments (shell words)   key=value parameters
# Programs run with the input folder as working folder. Status 3: the archive no longer has the source.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
NAME=$(basename "$0" .sh)
: "${LIBDIR:=$HERE}"
: "${QC_WORK:=${TMPDIR:-/tmp}/quincunx-corpus}"
: "${QC_CACHE:=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/quincunx/sources}"
: "${CC:=clang-22}" "${CXX:=clang++-22}"
: "${CFLAGS=-O2}"
: "${CXXFLAGS=$CFLAGS}" "${LDFLAGS=}" "${LIBS=}"
: "${HOST_CC:=clang-22}" "${HOST_CXX:=clang++-22}" "${HOST_CFLAGS:=-O2}"
: "${TAG:=plain}" "${N:=200}" "${SEED:=1}" "${SCALE:=1}" "${JOBS:=2}"
export CC CXX CFLAGS CXXFLAGS LDFLAGS LIBS
W=$QC_WORK/$NAME
IN=$W/in-$N-$SEED
[ "$SCALE" = 1 ] || IN=$IN-x$SCALE
B=$W/$TAG
OBJ=$B/obj
PROG=$B/prog
DEFS=

say() { printf '%s: %s\n' "$NAME" "$*" >&2; }

# Options that make apt see source packages: a private copy of this system's own source entries with
# their source half switched on, and private lists. Nothing of the system's configuration is edited.
apt_src() {
  a=$QC_WORK/_apt
  printf '%s\n' "-oDir::Etc::sourcelist=/dev/null" "-oDir::Etc::sourceparts=$a/parts" "-oDir::State::Lists=$a/lists" "-oAPT::Sandbox::User=root"
  [ -e "$a/.ok" ] && return 0
  rm -rf "$a"; mkdir -p "$a/parts" "$a/lists/partial"
  for f in /etc/apt/sources.list.d/*.sources; do
    [ -e "$f" ] && sed 's/^Types:.*/Types: deb-src/' "$f" > "$a/parts/$(basename "$f")"
  done
  for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -e "$f" ] && sed -n 's/^deb \(.*\)/deb-src \1/p' "$f" > "$a/parts/src-$(basename "$f" .list).list"
  done
  apt-get -q -oDir::Etc::sourcelist=/dev/null -oDir::Etc::sourceparts="$a/parts" -oDir::State::Lists="$a/lists" \
    -oAPT::Sandbox::User=root update >"$a/update.log" 2>&1 || { say "cannot read the source lists (see $a/update.log)"; exit 3; }
  touch "$a/.ok"
}

# Download source package $1 (wanted version $2) into the download folder. Needs no root.
deb_get() {
  dl=$QC_CACHE; mkdir -p "$dl"
  v=$(printf %s "$2" | sed 's/^[0-9]*://')
  [ -s "$dl/$1_$v.dsc" ] && [ -e "$dl/$1_$v.ok" ] && return 0
  opts=$(apt_src) || exit 3
  for try in 1 2 3; do
    # shellcheck disable=SC2086
    if (cd "$dl" && apt-get source --download-only -q $opts "$1=$2") >"$dl/$1.log" 2>&1; then
      touch "$dl/$1_$v.ok"; return 0
    fi
    sleep 2
  done
  say "$1=$2 not available (see $dl/$1.log)"; exit 3
}

# Of a package whose Debian patches cannot be had: unpack the upstream archive $3 of $1 version $2 to $W/src-$1
deb_tar() {
  dl=$QC_CACHE; mkdir -p "$dl"
  if [ ! -s "$dl/$3" ]; then
    opts=$(apt_src) || exit 3
    # shellcheck disable=SC2086
    (cd "$dl" && apt-get source --tar-only -q $opts "$1=$2") >"$dl/$1.log" 2>&1 || { say "$3 not available (see $dl/$1.log)"; exit 3; }
  fi
  [ -e "$W/src-$1/.unpacked" ] && return 0
  rm -rf "$W/src-$1"; mkdir -p "$W/src-$1"
  tar xf "$dl/$3" --strip-components=1 -C "$W/src-$1"
  touch "$W/src-$1/.unpacked"
}

# Unpack $1 version $2 (with the Debian patches) to $W/src-$1
deb_src() {
  deb_get "$1" "$2"
  [ -e "$W/src-$1/.unpacked" ] && return 0
  mkdir -p "$W"; rm -rf "$W/src-$1"
  v=$(printf %s "$2" | sed 's/^[0-9]*://')
  dpkg-source --no-check -x "$QC_CACHE/$1_$v.dsc" "$W/src-$1" >"$W/unpack.log" 2>&1 ||
    { cat "$W/unpack.log" >&2; exit 3; }
  touch "$W/src-$1/.unpacked"
}

# fresh PKG: copy the unpacked source to the build folder and go there
fresh() { rm -rf "$B/$1"; mkdir -p "$B"; cp -a "$W/src-$1" "$B/$1"; cd "$B/$1"; }

# c_objs FILE... / cxx_objs FILE...: compile to $OBJ with $DEFS, JOBS at a time
_objs() {
  comp=$1; shift; mkdir -p "$OBJ"
  printf '%s\n' "$@" | QC_COMP="$comp $DEFS" QC_OBJ="$OBJ" xargs -P "$JOBS" -I{} sh -ec '
    o=$QC_OBJ/$(printf %s "{}" | sed "s,^.*/src/,,; s,[^A-Za-z0-9_-],_,g").o
    eval "$QC_COMP -w -c -o \"$o\" \"{}\""'
}
c_objs() { _objs "$CC $CFLAGS" "$@"; }
cxx_objs() { _objs "$CXX $CXXFLAGS" "$@"; }
link_c() { $CC $CFLAGS $LDFLAGS -o "$PROG" "$OBJ"/*.o "$@" $LIBS; }
link_cxx() { $CXX $CXXFLAGS $LDFLAGS -o "$PROG" "$OBJ"/*.o "$@" $LIBS; }

# gen_inputs GENERATOR: default input step
gen_inputs() { python3 "$1" "$NAME" "$IN" "$N" "$SEED" "$SCALE"; }

inputs() { gen_inputs "$HERE/gen.py"; }

main() {
  case ${1:-all} in
    fetch) fetch ;;
    build) fetch; rm -rf "$OBJ"; mkdir -p "$B"; (build); say "built $PROG" ;;
    inputs) [ -e "$IN/cases.tsv" ] || { rm -rf "$IN"; mkdir -p "$IN"; inputs; } ;;
    measure) main inputs; python3 "$LIBDIR/run.py" measure "$NAME" "$PROG" "$IN" "$B/measure.tsv" ;;
    check) main inputs
      [ "$SCALE" = 1 ] || { say "only inputs of SCALE=1 have expected outputs"; exit 2; }
      python3 "$LIBDIR/run.py" check "$NAME" "$PROG" "$IN" "$HERE/expected.tsv" "$N" "$SEED" ;;
    digest) main inputs; python3 "$LIBDIR/run.py" digest "$NAME" "$PROG" "$IN" ;;
    all) main build; main inputs; main check ;;
    path) printf '%s\t%s\n' "$PROG" "$IN" ;;
    clean) rm -rf "$W" ;;
    *) say "unknown step $1"; exit 2 ;;
  esac
}
