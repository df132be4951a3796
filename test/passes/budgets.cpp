// Budgets at functions: checked where they are written, kept with the function and with those it is inlined into, and warned
// of there, when they are broken, by a build that uses the answers.
// RUN: not %clangxx -std=c++20 -DWRONG -fsyntax-only %s 2>%t.err; FileCheck --check-prefix=WRONG %s <%t.err
// RUN: %clangxx -std=c++20 -O2 %s -o %t && %quincunx run -q --machine none -o %t.qx -- %t {} ::: 10 20 30
// RUN: not %quincunx check %t.qx --summary %t.summary >%t.out; FileCheck --check-prefix=ANSWER %s <%t.out
// RUN: %clangxx -std=c++20 -O2 -fplugin-arg-quincunx-use=%t.summary -c %s -o %t.o 2>%t.err; FileCheck --check-prefix=USED %s <%t.err
// RUN: not %clangxx -std=c++20 -Werror -fplugin-arg-quincunx-use=%t.summary -c %s -o %t.o 2>/dev/null
// RUN: %clangxx -std=c++20 -O0 -DEDITED -fplugin-arg-quincunx-use=%t.summary -c %s -o %t.o 2>%t.err; not grep inlined %t.err; grep twice %t.err
// RUN: printf '# quincunx budgets 1\t\n' >%t.none
// RUN: same() { %clangxx -std=c++20 "$@" -S -fplugin-arg-quincunx-use=%t.none -o - %s | grep -v "\.file\|\.ident"; }
// RUN: for o in -O0 -O2 -Os; do same $o >%t.with; same $o -DNO_BUDGETS >%t.without; cmp %t.with %t.without; done
// RUN: %clangxx -std=c++20 -O2 -flto=thin %s -fuse-ld=lld-%{llvm} -o %t.lto && %quincunx run -q --machine none -o %t.lto.qx -- %t.lto {} ::: 10 20 30
// RUN: not %quincunx check %t.lto.qx >%t.out; FileCheck --check-prefix=ANSWER %s <%t.out
// RUN: %clangxx -O2 -ffile-prefix-map=%S=/src %s -o %t.mapped && %quincunx run -q --machine none -o %t.mapped.qx -- %t.mapped {} ::: 3
// RUN: not %quincunx check %t.mapped.qx | FileCheck --check-prefix=MAPPED %s
// RUN: %plainclangxx -std=c++20 -Wall -Werror -Wno-unknown-attributes -I%S/../../include -fsyntax-only %s
// RUN: %clang -x c -std=c99 -DC -S -emit-llvm -o - %s | FileCheck --check-prefix=C99 %s
// RUN: %plainclang -x c -std=c99 -pedantic -Wall -Werror -DC -I%S/../../include -fsyntax-only %s
// MAPPED: /src/budgets.cpp:{{[0-9]+}}: mean(inlined) <= 10 is broken
#include <quincunx/quincunx.h>
#include <stdlib.h>

#ifdef NO_BUDGETS // they change no code
#undef QUINCUNX_BUDGET
#define QUINCUNX_BUDGET(text)
#endif
#ifdef C
// C99: p99 < 2 ms
QUINCUNX_BUDGET("p99 < 2 ms") int nothing(void) { return 0; }
#else

#ifdef WRONG
// WRONG: [[@LINE+1]]:20: error: budget 'p99 <', column 6: expected a number
[[quincunx::budget("p99 <")]] void a();
// WRONG: [[@LINE+1]]:20: error: budget 'p99(f) < 2', column 4: it is of the function that it is written at
[[quincunx::budget("p99(f) < 2")]] void f();
// WRONG: [[@LINE+1]]:3: error: '{{(quincunx::)?}}budget' attribute takes one argument
[[quincunx::budget]] void d();
// WRONG: [[@LINE+1]]:3: warning: '{{(quincunx::)?}}budget' attribute only applies to functions
[[quincunx::budget("p99 < 2 ms")]] int e;
// WRONG: [[@LINE+1]]:3: warning: unknown attribute {{.*}}budget
[[budget("p99 < 2 ms")]] void g();
// WRONG: [[@LINE+1]]:24: warning: a function that is not counted cannot have a quincunx budget; 'quincunx::budget' is ignored
[[quincunx::ignore]] [[quincunx::budget("p99 < 2 ms")]] void h();
// WRONG: [[@LINE+1]]:38: warning: a function that is not counted cannot have a quincunx budget; 'quincunx::budget' is ignored
[[quincunx::budget("p99 < 2 ms")]] [[quincunx::ignore]] void i();
#endif

#ifdef EDITED
#define LIMIT "mean <= 20"
#else
#define LIMIT "mean <= 10"
#endif

// Gone into main at -O2.
// USED: [[@LINE+1]]:1: warning: mean(inlined) <= 10 is broken: {{[0-9]+}}, {{.*}} above 10; as counted [-Wpass-failed=quincunx]
QUINCUNX_BUDGET(LIMIT)
static inline int inlined(int n) { return n * n + 3 / n + n % 7; }

// In a header it stands at the declaration, and once for all instances.
template <class T> QUINCUNX_BUDGET("calls mean <= 1") QUINCUNX_BUDGET("self min >= 2") [[gnu::noinline]] T twice(T x);
template <class T> T twice(T x) {
  for (int i = 0; i < 9; ++i)
    x += x * i;
  return x;
}
struct Table {
  QUINCUNX_BUDGET("mean calls <= 100") [[gnu::noinline]] int at(int i) const;
  QUINCUNX_BUDGET("mean calls <= 2") [[gnu::noinline]] virtual ~Table() { first = 0; }
  int first = 1;
};
int Table::at(int i) const { return first + i; }

[[quincunx::budget("p50 >= 1"), quincunx::budget("growth per items <= n")]] int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 10;
  int x = 0;
  for (int i = 1; i <= n; ++i)
    x += inlined(i + x) + Table().at(i);
  return (twice(x) + static_cast<int>(twice(1.5 * x))) == 1;
}
#endif
// ANSWER-DAG: holds{{.*}} mean calls(Table::at) <= 100
// ANSWER-DAG: broken {{.*}} mean calls(Table::~Table{{.*}}) <= 2
// ANSWER-DAG: cannot tell {{.*}} growth(main) per items <= n
// ANSWER-DAG: budgets.cpp:{{[0-9]+}}: calls mean(twice<{{.*}}>) <= 1 is broken: 2
// ANSWER: 8 budgets: 3 are broken, 1 cannot be told, 4 hold
