// Frames of functions that call themselves grow by at most a third where they hold no recorders: what leads to a counter is
// found again behind each call, and is in no register that a frame has to save. Two depths of each kind tell the size of a frame.
// RUN: for o in "-O1" "-O2" "-O3" "-Os" "-O2 -fno-pie -no-pie" "-O2 -fPIC" "-O2 -flto -fuse-ld=lld" "-O2 -flto=thin -fuse-ld=lld"; do \
// RUN:   %plainclangxx $o %s -o %t.plain && %clangxx $o -fplugin-arg-quincunx-record=counts %s -o %t && \
// RUN:   %t.plain > %t.before && record %t && paste %t.before %t.out > %t.both && \
// RUN:   awk -v o="$o" '$2 < 16 || 3 * $4 > 4 * $2 {print o ":", $0; bad = 1} END {exit bad || NR != 9}' %t.both || exit 1; done
// All is counted, also where addresses are made otherwise.
// RUN: for o in "-O0" "-O2" "-O2 -fPIC" "-O2 -flto -fuse-ld=lld" "-O2 -flto=thin -fuse-ld=lld" "-O2 -mcmodel=large" \
// RUN:   "-O2 -fno-strict-aliasing" "-O2 -fsanitize=address,undefined"; do \
// RUN:   %clangxx $o %blocks %s -o %t && record %t && judged %t || exit 1; done
#include <cstdint>
#include <cstdio>

/// The lowest place on the stack that was seen.
static uintptr_t lowest;
static volatile int zero;

/// What every recursion ends in.
__attribute__((noinline)) static int bottom() {
  char here = static_cast<char>(zero);
  const auto place = reinterpret_cast<uintptr_t>(&here);
  if (place < lowest)
    lowest = place;
  return here;
}

__attribute__((noinline)) static int fibonacci(int n) {
  return n < 2 ? bottom() + n : fibonacci(n - 1) + fibonacci(n - 2);
}

__attribute__((noinline)) static int ackermann(int m, int n) {
  if (m == 0)
    return bottom() + n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int shallow(int n) { return ackermann(1, n); }

static int odd(int n);
__attribute__((noinline)) static int even(int n) {
  return n == 0 ? bottom() + 1 : odd(n - 1) ^ (n & 4);
}
__attribute__((noinline)) static int odd(int n) {
  return n == 0 ? bottom() : even(n - 1) ^ (n & 8);
}

struct Tree {
  Tree *left, *right;
  int value;
  int sum() const;
};
__attribute__((noinline)) int Tree::sum() const {
  int s = value;
  if (left)
    s += left->sum();
  return right ? s + right->sum() : s + bottom();
}

struct Big {
  long a[6];
};
__attribute__((noinline)) static long byValue(Big b, int n) {
  if (n == 0)
    return bottom() + b.a[0];
  ++b.a[n % 6];
  const long r = byValue(b, n - 1);
  b.a[n % 3] = r;
  return r + b.a[zero + 1];
}
static int values(int n) { return static_cast<int>(byValue({}, n)); }

__attribute__((noinline)) static void permute(int *a, int k, int n, long &count) {
  if (k == n)
    count += bottom() + 1;
  for (int i = k; i < n && i < k + 2; ++i) {
    const int t = a[k];
    a[k] = a[i], a[i] = t;
    permute(a, k + 1, n, count);
    a[i] = a[k], a[k] = t;
  }
}
static int permutations(int n) {
  int a[20] = {};
  long count = 0;
  permute(a, 0, n, count);
  return static_cast<int>(count);
}

static int lambda(int n) {
  auto f = [](auto &&self, int k) -> int {
    return k < 2 ? bottom() : self(self, k - 1) * 3 + self(self, k - 2);
  };
  return f(f, n);
}

struct Guard {
  int &n;
  ~Guard() { ++n; }
};
static int guards;
__attribute__((noinline)) static int guarded(int n) { // with a landing pad
  Guard g{guards};
  if (n == 0)
    return bottom();
  if (n < zero)
    throw n;
  return guarded(n - 1) ^ n;
}

static int expression(const char *&s);
__attribute__((noinline)) static int factor(const char *&s) {
  if (*s == '(')
    return ++s, expression(s);
  return bottom() + *s;
}
__attribute__((noinline)) static int term(const char *&s) {
  int v = factor(s);
  while (*s == '*')
    ++s, v *= factor(s);
  return v;
}
__attribute__((noinline)) static int expression(const char *&s) {
  int v = term(s);
  while (*s == '+')
    ++s, v += term(s);
  return v;
}
static int parser(int n) {
  static const char text[] = "((((((((((((((((1";
  const char *s = text + 16 - n;
  return expression(s);
}

static Tree trees[17];
static int tree(int n) { return trees[n].sum(); }

static long reach(int (*recursion)(int), int n) {
  lowest = UINTPTR_MAX;
  recursion(n);
  return static_cast<long>(lowest);
}

int main() {
  for (int i = 1; i <= 16; ++i)
    trees[i].left = &trees[i - 1], trees[i].value = i;
  const struct {
    const char *name;
    int (*recursion)(int);
  } kinds[] = {{"fibonacci", fibonacci}, {"ackermann", shallow}, {"mutual", even},
               {"tree", tree},           {"values", values},     {"permutations", permutations},
               {"lambda", lambda},       {"guarded", guarded},   {"parser", parser}};
  for (const auto &kind : kinds)
    std::printf("%s %ld\n", kind.name, (reach(kind.recursion, 8) - reach(kind.recursion, 16)) / 8);
}
