#!/bin/bash
# Packages of the builds that are there: what lintian says of them, what they hold and need, and that what they hold works
# where it was unpacked. Whether they install on a fresh system is asked by test/packages/fresh.
. "$(dirname "$0")/common"

check "scripts/package makes packages of what is built" "$root/scripts/package" --no-build -o "$work/made"
version=$("$quincunx" --version | cut -d' ' -f2)
same "the version is that of the CHANGELOG" "$version" "$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' "$root/CHANGELOG.md" | head -n 1)"
packages="quincunx quincunx-runtime quincunx-plugin-22 quincunx-doc"
[ ! -e "$root/build/llvm-19/lib/quincunx/quincunx-19.so" ] || packages="$packages quincunx-plugin-19"
same "there is one for each part, and a tarball" "$(printf '%s\n' $packages tar.gz | sort)" \
  "$(cd made && for f in quincunx*; do case $f in *.deb) echo "${f%%_*}" ;; *) echo "${f#*x86_64.}" ;; esac; done | sort)"
if command -v lintian >/dev/null; then
  check "lintian has neither errors nor warnings" lintian --fail-on error,warning made/*.deb
else
  skip "lintian is not here"
fi

# ---- what they hold ----
deb() { echo "$work"/made/"$1"_*.deb; }
field() { dpkg-deb -f "$(deb "$1")" "$2"; }
mkdir root
for package in $packages; do
  same "the version of $package" "$version" "$(field "$package" Version | sed 's/-.*//')"
  dpkg-deb -x "$(deb "$package")" root
  dpkg-deb --ctrl-tarfile "$(deb "$package")" | tar -xO ./md5sums >sums
  check "sums of the files of $package" sh -c 'cd root && md5sum --quiet -c ../sums'
  check "a copyright and a changelog" ls root/usr/share/doc/"$package"/copyright root/usr/share/doc/"$package"/changelog.Debian.gz
done
has "the tool needs the libraries it is linked to" 'libc6 \(>=.*libsqlite3-0.*libstdc\+\+6.*libutf8proc2.*libzstd1.*zlib1g' <(field quincunx Depends)
same "a plugin needs the runtime of its version" "quincunx-runtime (= $(field quincunx-runtime Version))" "$(field quincunx-plugin-22 Depends | grep -o 'quincunx-runtime ([^)]*)')"
has "and brings its compiler" 'clang-22' <(field quincunx-plugin-22 Recommends)
same "the book is of every architecture" all "$(field quincunx-doc Architecture)"
has "notices of headers that are compiled in go with it" 'University of Cincinnati' root/usr/share/doc/quincunx/copyright
for file in root/usr/bin/quincunx root/usr/lib/quincunx/*.so; do
  readelf -h "$file" >/dev/null 2>&1 || continue # a script of the linker
  lacks "$file has no path for libraries" 'RPATH|RUNPATH' <(readelf -d "$file")
  lacks "and no table of symbols" '\.symtab|\.debug' <(readelf -SW "$file")
done
missing=
verbs() { "$quincunx" "$@" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'; }
for verb in $(verbs) $(verbs corpus | sed 's/^/corpus-/') $(verbs law | sed 's/^/law-/'); do
  [ -e "root/usr/share/man/man1/quincunx-$verb.1.gz" ] || missing="$missing $verb"
done
same "a manual page for each verb" "" "$missing"
for at in bash:bash-completion/completions/quincunx zsh:zsh/vendor-completions/_quincunx fish:fish/vendor_completions.d/quincunx.fish; do
  "$quincunx" completion "${at%%:*}" >script
  check "the completion of ${at%%:*} is where it is looked for" cmp script root/usr/share/"${at#*:}"
done
check "schemas of JSON are where others find them" cmp "$root/share/schemas/report-1.schema.json" root/usr/share/quincunx/schemas/report-1.schema.json
if command -v man >/dev/null; then
  LC_ALL=C.UTF-8 MANWIDTH=80 man -l root/usr/share/man/man1/quincunx-report.1.gz 2>/dev/null | col -bx >page || true
  has "they say what --help says" '^ +quincunx-report - show percentiles' page
  has "options, and what they take" '^ +--top N' page
  has "examples as they are typed" '^ +quincunx report --sort share --top 5 prog.qx' page
else
  skip "man is not here"
fi

# ---- that it works where it lies ----
cat >prog.cpp <<'END'
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
int main(int, char **argv) {
  std::vector<int> v;
  for (int i = 0; i < std::atoi(argv[1]); ++i)
    v.push_back(i * 7919 % 1000);
  std::sort(v.begin(), v.end());
  std::printf("%d\n", v.empty() ? 0 : v.back());
}
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(prog LANGUAGES CXX)
find_package(quincunx 0.9 REQUIRED)
add_executable(prog prog.cpp)
target_link_libraries(prog PRIVATE quincunx::profile)
END
calls_of_main() { # calls_of_main PROGRAM: in a run of it, as its tool counts them
  "$quincunx" run -q -o "$1.qx" -- "./$1" {} ::: 10 100 && "$quincunx" report --json "$1.qx" >"$1.json" || return 0
  json "$1.json" '[f["calls"]["mean"] for f in j["functions"] if f["demangled"] == "main"][0]'
}
works() { # works NAME PREFIX: the flag, pkg-config and CMake have programs counted
  quincunx=$2/bin/quincunx
  same "$1: flags" "--config=$2/lib/quincunx/quincunx.cfg" "$("$quincunx" flags)"
  $plainxx $("$quincunx" flags) -O1 -o "by-flags-$1" prog.cpp
  same "the flag has a program counted" 1.0 "$(calls_of_main "by-flags-$1")"
  export PKG_CONFIG_PATH=$2/share/pkgconfig
  same "pkg-config knows the version" "$version" "$(pkg-config --modversion quincunx)"
  $plainxx $(pkg-config --cflags quincunx) -O1 -c -o prog.o prog.cpp && $plainxx -o "by-pkg-config-$1" prog.o $(pkg-config --libs quincunx)
  same "its flags do" 1.0 "$(calls_of_main "by-pkg-config-$1")"
  check "find_package" cmake -S . -B "cmake-$1" -DCMAKE_CXX_COMPILER=$plainxx -DCMAKE_PREFIX_PATH="$2"
  cmake --build "cmake-$1" >/dev/null && cp "cmake-$1/prog" "by-cmake-$1"
  same "its target does" 1.0 "$(calls_of_main "by-cmake-$1")"
}
works packages "$work/root/usr"
case $packages in
*plugin-19*)
  clang++-19 $("$quincunx" flags --clang 19) -O1 -o by-19 prog.cpp
  same "the plugin for clang 19 does" 1.0 "$(calls_of_main by-19)" ;;
*) skip "the plugin for clang 19 is not built" ;;
esac
tar -xzf made/quincunx-*.tar.gz && mv quincunx-"$version"-* moved
works tarball "$work/moved"
has "the tarball brings its libraries" "$work/moved/.*utf8proc" <(ldd moved/bin/quincunx)
gives 0 "doctor" doctor --json
same "has nothing to add" True "$(json out 'j["well"]')"
check "the book and the licence are in it" ls moved/share/doc/quincunx/docs/01-tutorial.md moved/LICENSE
finish
