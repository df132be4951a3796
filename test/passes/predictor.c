// record=predictor: what a simulated predictor and simulated caches miss, for branches, switches, computed jumps, indirect calls and
// blocks that touch memory. Other tiers record what they record without it.
// RUN: for o in 0 1 2 3 s; do %clang -O$o -fplugin-arg-quincunx-record=blocks,predictor %s -o %t && record %t && judged %t --exact || exit 1; done
// RUN: %plainclang -O2 %s -o %t.plain && %t.plain >%t.expected && cmp %t.expected %t.out
// RUN: for o in 0 2; do for r in counts calls,runs,blocks; do %clang -O$o -fplugin-arg-quincunx-record=$r %s -o %t.1 && record %t.1 && %clang -O$o -fplugin-arg-quincunx-record=$r,predictor %s -o %t.2 && record %t.2 && cmp %t.1.out %t.2.out || exit 1; for i in 1 2; do python3 %S/../judges/predictor.py --quincunx %quincunx edges %t.$i.qx >%t.$i.edges || exit 1; done; diff %t.1.edges %t.2.edges || exit 1; done; done; test -s %t.1.edges
// RUN: %clang -O2 -fplugin-arg-quincunx-record=counts,predictor %s -o %t && record %t && cmp %t.expected %t.out
// RUN: python3 %S/../judges/predictor.py --quincunx %quincunx within %t.qx above_sorted branch 0 50 above_shuffled branch 40000 60000 above_sorted l3Hit 0 20 above_sorted memoryAccess 0 20 above_sorted prefetchedLine 6000 6300 chase l3Hit 130000 180000 chase memoryAccess 790000 850000 chase l2Hit 10000 50000 chase pageWalk 850000 890000 chase branch 0 3 clear prefetchedLine 60000 65536 clear l3Hit 0 10 clear memoryAccess 0 10
// RUN: python3 %S/../judges/predictor.py --quincunx %quincunx within %t.qx by_call call 70000 80000 by_one_call call 0 5 by_switch switch 80000 90000 by_jump switch 0 400 counted branch 0 100 left_alone branch 0 0
// RUN: %quincunx corpus dump %t.qx | FileCheck --check-prefix=DUMP %s
// RUN: %clang -O2 -S -emit-llvm -fplugin-arg-quincunx-record=counts,predictor %s -o - | FileCheck --check-prefix=IR %s
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// RUN: %clang -O2 -flto -fuse-ld=lld -fplugin-arg-quincunx-record=counts,predictor %s -o %t && record %t && cmp %t.expected %t.out && python3 %S/../judges/predictor.py --quincunx %quincunx within %t.qx above_sorted branch 0 50 above_shuffled branch 40000 60000 chase l3Hit 130000 180000 chase memoryAccess 790000 850000
// RUN: %clang -O2 -fPIC -fplugin-arg-quincunx-record=counts,predictor %s -o %t && record %t && cmp %t.expected %t.out && python3 %S/../judges/predictor.py --quincunx %quincunx within %t.qx above_sorted branch 0 50 above_shuffled branch 40000 60000
// NONE-NOT: __quincunx_branch
// NONE-NOT: __quincunx_access
// DUMP-DAG: block{{.*	[0-9]+$}}
// DUMP-DAG: branch{{.*	[0-9]+$}}
// DUMP-DAG: call{{.*	[0-9]+$}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { values = 100000, nodes = 1000000 };
static volatile int out;
static unsigned state = 1;
static unsigned draw(void) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

__attribute__((noinline)) static void above_sorted(const int *a) {
  for (int i = 0; i < values; ++i)
    if (a[i] >= 128)
      ++out;
}
__attribute__((noinline)) static void above_shuffled(const int *a) {
  for (int i = 0; i < values; ++i)
    if (a[i] >= 128)
      ++out;
}
static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

struct node {
  struct node *next;
  char rest[56];
};
// The word of what it met, in this thread's arena, and the address that is read.
// IR-LABEL: define {{.*}}@chase(
// IR: call void @__quincunx_access(ptr {{.*}}, ptr {{.*}}, i64 8)
// IR: call void @__quincunx_branch(ptr {{.*}}, i64 {{-?[0-9]+}}, i32 {{.*}})
__attribute__((noinline)) static const struct node *chase(const struct node *n) {
  const struct node *last = n;
  for (; n != NULL; n = n->next)
    last = n;
  return last;
}
__attribute__((noinline)) static void clear(char *to, size_t n) { memset(to, 0, n); }

static int one(int x) { return x + 1; }
static int two(int x) { return x * 3; }
static int three(int x) { return x ^ 5; }
static int four(int x) { return x - 7; }
static int (*volatile const functions[])(int) = {one, two, three, four};
__attribute__((noinline)) static int by_call(int x) {
  for (int i = 0; i < values; ++i)
    x = functions[draw() >> 30](x) & 1023;
  return x;
}
__attribute__((noinline)) static int by_one_call(int x) {
  for (int i = 0; i < values; ++i)
    x = functions[0](x) & 1023;
  return x;
}
__attribute__((noinline)) static int by_switch(int x) {
  for (int i = 0; i < values; ++i)
    switch (draw() >> 26) { // eight ways, eight values each
    case 0: case 1: case 2: case 3: case 4: case 5: case 6: case 7: out = x; break;
    case 8: case 9: case 10: case 11: case 12: case 13: case 14: case 15: x += 3; break;
    case 16: case 17: case 18: case 19: case 20: case 21: case 22: case 23: out = 4; break;
    case 24: case 25: case 26: case 27: case 28: case 29: case 30: case 31: x ^= out; break;
    case 32: case 33: case 34: case 35: case 36: case 37: case 38: case 39: out = x + 1; break;
    case 40: case 41: case 42: case 43: case 44: case 45: case 46: case 47: x -= 1; break;
    case 48: case 49: case 50: case 51: case 52: case 53: case 54: case 55: out = 9; break;
    default: ++x;
    }
  return x;
}
__attribute__((noinline)) static int by_jump(const unsigned char *code) {
  static const void *const table[] = {&&add, &&sub, &&twice, &&stop};
  int x = 1, turns = 5000;
  const unsigned char *start = code;
  goto *table[*code++];
add:
  x += 3;
  goto *table[*code++];
sub:
  x -= 1;
  goto *table[*code++];
twice:
  x = x * 2 & 1023;
  goto *table[*code++];
stop:
  if (--turns > 0) {
    code = start;
    goto *table[*code++];
  }
  return x;
}
// Its trips are counted in front of it; its branch is told of all the same.
__attribute__((noinline)) static int counted(const int *a) {
  int sum = 0;
  for (int i = 0; i < values; ++i)
    sum += a[i];
  return sum;
}
__attribute__((noinline)) static int left_alone(int x) { return x > 3 ? x : 3; }

int main(void) {
  int *a = malloc(values * sizeof *a);
  for (int i = 0; i < values; ++i)
    a[i] = (int)(draw() >> 24);
  above_shuffled(a);
  qsort(a, values, sizeof *a, ascending);
  above_sorted(a);
  struct node *all = malloc(nodes * sizeof *all), *first = NULL;
  unsigned *order = malloc(nodes * sizeof *order);
  for (unsigned i = 0; i < nodes; ++i)
    order[i] = i;
  for (unsigned i = nodes; --i > 0;) {
    unsigned j = draw() % (i + 1), swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
  for (unsigned i = 0; i < nodes; ++i) {
    all[order[i]].next = first;
    first = &all[order[i]];
  }
  printf("%d\n", chase(first) == &all[order[0]]);
  clear((char *)all, 4 << 20);
  printf("%d %d %d\n", by_call(1), by_one_call(2), by_switch(3));
  printf("%d\n", by_jump((const unsigned char[]){0, 2, 1, 1, 0, 2, 2, 0, 1, 0, 3}));
  printf("%d %d %d\n", counted(a), left_alone(out), out);
  free(a), free(all), free(order);
  return 0;
}
