// GEN: classes of inline assembly, per turn of a loop; where it repeats or cannot be read, reports say so, and where.
// RUN: %clang -O1 -g %s -o %t && record %t
// RUN: %quincunx corpus dump %t.qx >%t.dump
// RUN: classes() { f=$(awk -F'\t' -v n="$1" '$1 == "function" && $4 == n { print $3 }' %t.dump); \
// RUN:   awk -F'\t' -v f="$f" '$1 == "block" && $3 == f { print $6 }' %t.dump; }
// RUN: test "$(classes integers)" = add:2,multiply:1,divide:1,load:1,store:1,atomic:2,jump:1,memory:1,other:1
// RUN: test "$(classes numbers)" = fadd:1,fmultiply:1,fdivide:1,convert:1,load:1,store:1,jump:1,vector:1
// RUN: test "$(classes barrier)" = jump:1
// RUN: grep -c '^assembly' %t.dump | grep -qx 3
// RUN: %quincunx report %t.qx >%t.report && FileCheck %s <%t.report
// RUN: %quincunx whatif %t.qx 'cost(main) *= 2' | FileCheck %s --check-prefix=NOTES
// RUN: %quincunx model %t.qx | FileCheck %s --check-prefix=NOTES
// RUN: %quincunx explain %t.qx >%t.explained
// RUN: %clang -O1 -g -c %s -o %t.o && %quincunx model %t.o | FileCheck %s --check-prefix=GUESSED
// NOTES-DAG: inline assembly that could not be read {{.*}}assembly_notes.c:[[#BYTES:]]
// NOTES-DAG: a loop within inline assembly {{.*}}assembly_notes.c:
// GUESSED: inline assembly that could not be read {{.*}}assembly_notes.c:{{[0-9]+}}, assembly_notes.c:{{[0-9]+}}
__attribute__((noinline)) void integers(long *p) {
  __asm__ volatile("incq %%rax; leaq 1(%%rax), %%rax; imulq %%rax, %%rax; divq %%rcx; movq %0, %%rdx; movq %%rdx, %0;"
                   "lock; decq %0; mfence; rep stosb; nop" : "+m"(*p) : : "rax", "rcx", "rdx", "rdi", "memory");
}
__attribute__((noinline)) void numbers(double *p) {
  __asm__ volatile("movsd %0, %%xmm0; addsd %0, %%xmm0; mulsd %%xmm0, %%xmm0; sqrtsd %%xmm0, %%xmm0; cvtsi2sd %%rax, %%xmm1;"
                   "addpd %%xmm0, %%xmm1; movsd %%xmm0, %0" : "+m"(*p) : : "xmm0", "xmm1");
}
__attribute__((noinline)) void barrier(void) { __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) void bytes(void) {
  // CHECK-DAG: inline assembly that could not be read counts one for each statement: assembly_notes.c:[[@LINE+1]]{{$}}
  __asm__ volatile(".byte 0x0f, 0x1f, 0x00; nop");
}
__attribute__((noinline)) void loop(long n) {
  // CHECK-DAG: a loop within inline assembly counts once, however often it turns: assembly_notes.c:[[@LINE+1]]{{$}}
  __asm__ volatile("1: decq %0; jnz 1b" : "+r"(n));
}
__attribute__((noinline)) void neverRuns(void) { __asm__ volatile(".byte 0x90"); }
// A thousand instructions a turn are nearly all there is. CHECK-DAG: 100{{[0-9][0-9][0-9]}} {{.*}}main
int main(int argc, char **argv) {
  for (int i = 0; i < 100; ++i)
    __asm__ volatile(".rept 1000\n\tnop\n\t.endr");
  if (argc > 7) {
    integers((long *)argv);
    numbers((double *)argv);
    neverRuns();
  }
  barrier();
  bytes();
  loop(3);
  return 0;
}
