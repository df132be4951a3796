// Functions that a build leaves out: by attribute, by name as in the object or in the source. What is left is exact.
// RUN: %clangxx -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=BOTH,HELPER
// RUN: %clangxx -O1 -fplugin-arg-quincunx-skip=^app::helper -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=BOTH,NOHELPER
// RUN: %clangxx -O1 -fplugin-arg-quincunx-skip=helper -fplugin-arg-quincunx-skip=nothing -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=BOTH,NOHELPER
// RUN: %clangxx -O1 -fplugin-arg-quincunx-only=^main$ -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=BOTH,NOHELPER
// RUN: %clangxx -O1 -fplugin-arg-quincunx-only=helper -fplugin-arg-quincunx-only=^main -fplugin-arg-quincunx-skip=_ZN3app -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=BOTH,NOHELPER
// RUN: not %clangxx -fplugin-arg-quincunx-only=[ %s -o %t 2>&1 | FileCheck %s --check-prefix=REGEX
// RUN: not %clangxx -fplugin-arg-quincunx-except=main %s -o %t 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: %clangxx -O1 %blocks -fplugin-arg-quincunx-skip=helper %s -o %t && record %t && judged %t --exact
// RUN: %clangxx -DWRONG -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=CARET
// BOTH-NOT: __quincunx_counters_{{.*}}ignored
// HELPER-DAG: @__quincunx_counters__ZN3app6helperEi.{{.*}} =
// NOHELPER-NOT: __quincunx_counters__ZN3app6helperEi
// BOTH-DAG: @__quincunx_counters_main.{{.*}} =
// REGEX: error: quincunx: only=[ is not a regular expression
// OPTION: error: quincunx: unknown option 'except=main'; known: -fplugin-arg-quincunx-record=counts|calls|runs|predictor|strands|blocks, only=REGEX, skip=REGEX
// CARET: [[@LINE+6]]:3: warning: '{{.*}}ignore' attribute only applies to functions
#include <quincunx/quincunx.h>
namespace app {
__attribute__((noinline)) int helper(int n) { return n % 3 == 1 ? n : -n; }
} // namespace app
#ifdef WRONG
[[quincunx::ignore]] int wrong;
#endif
[[quincunx::ignore]] __attribute__((noinline)) int ignored1(int n) { return n > 5 ? app::helper(n) : 1; }
QUINCUNX_IGNORE __attribute__((noinline)) int ignored2(int n) { return n > 7 ? app::helper(n) : 2; }
int main(int argc, char **) {
  int s = 0;
  for (int i = 0; i < argc + 20; ++i)
    s += app::helper(i) + ignored1(i) + ignored2(i);
  return s == 12345;
}
