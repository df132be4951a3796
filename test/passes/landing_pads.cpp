// Many calls lead to one landing pad, and what they throw may pass it by: every way in is counted, and every frame that ends in between.
// RUN: for o in 0 1 2 3 s; do %clangxx -O$o %blocks %s -o %t 2>%t.err && test ! -s %t.err && record %t && judged %t --exact || exit 1; done
// RUN: %quincunx corpus dump %t.qx > %t.dump; for f in handler passed cleaned jumped; do grep -q "^function.*$f" %t.dump || exit 1; done
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define ALONE extern "C" __attribute__((noinline))

std::jmp_buf back;
struct Held {
  explicit Held(int n) : value(n) {}
  ~Held() { std::printf("-%d", value); }
  int value;
};

ALONE int thrower(int i) {
  if (i % 5 == 0)
    throw std::runtime_error("five");
  if (i % 7 == 0)
    throw i;
  if (i % 11 == 0)
    throw 'c';
  return i;
}
/// Three calls, one pad, and an exception that it does not catch.
ALONE int handler(int i) {
  try {
    int r = thrower(i);
    if (r % 2)
      r += thrower(i + 1);
    return r + thrower(i + 2);
  } catch (int n) {
    return -n;
  } catch (const std::exception &) {
    return 0;
  }
}
/// No pad at all.
ALONE int passed(int i) { return thrower(i) + thrower(2 * i) + thrower(3 * i); }
/// A pad with a destructor, in a loop.
ALONE int cleaned(int i) {
  Held a(i);
  int r = 0;
  for (int k = 0; k < i % 4; ++k) {
    Held b(k);
    r += passed(i + k) + handler(k);
  }
  return r;
}
/// longjmp past pads that hold nothing to destroy.
ALONE int jumper(int i) {
  if (i % 3 == 0)
    std::longjmp(back, 1);
  return thrower(i);
}
ALONE int jumped(int i) {
  try {
    return jumper(i) + jumper(i + 1);
  } catch (...) {
    return jumper(i + 2);
  }
}
ALONE int lander(int i) { return setjmp(back) != 0 ? 1 : jumped(i); }

int main() {
  int sum = 0;
  for (int i = 1; i < 200; ++i)
    try {
      sum += i % 2 ? cleaned(i) : handler(i) + passed(i);
      sum += lander(i);
    } catch (int n) {
      sum -= n;
    } catch (const std::exception &) {
      ++sum;
    } catch (...) {
      sum += lander(i + 1) != 1;
    }
  std::printf("%d\n", sum);
  std::exit(sum == 7);
}
