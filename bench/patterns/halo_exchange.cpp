#include "work.h"

// Simulation: strips exchange borders through one-place slots, residual reduced by a hand made barrier.
class Slot {
public:
  void put(double v) {
    std::unique_lock<std::mutex> lk(m);
    cv.wait(lk, [&] { return !value; });
    value = v;
    cv.notify_one();
  }
  double take() {
    std::unique_lock<std::mutex> lk(m);
    cv.wait(lk, [&] { return value.has_value(); });
    double v = *value;
    value.reset();
    cv.notify_one();
    return v;
  }

private:
  std::mutex m;
  std::condition_variable cv;
  std::optional<double> value;
};

class SumBarrier {
public:
  explicit SumBarrier(int n) : parties(n) {}
  double add(double v) {
    std::unique_lock<std::mutex> lk(m);
    acc += v;
    long mine = generation;
    if (++arrived == parties) {
      last = acc;
      acc = 0;
      arrived = 0;
      ++generation;
      cv.notify_all();
      return last;
    }
    while (mine == generation)
      cv.wait(lk);
    return last;
  }

private:
  std::mutex m;
  std::condition_variable cv;
  int parties, arrived = 0;
  long generation = 0;
  double acc = 0, last = 0;
};

constexpr int Blocks = 24;
constexpr int Steps = 9;

struct Domain {
  int n;
  std::vector<Slot> toRight, toLeft; // by the border between strip i and i+1
  SumBarrier residual;
  explicit Domain(int k) : n(k), toRight(k), toLeft(k), residual(k) {}
};

static int blockCost(int step, int block) {
  unsigned seed = step * 131 + block * 7 + 1;
  rnd(seed);
  int front = (step * 3) % Blocks; // a moving shock front is costly
  return 25 + rnd(seed) % 45 + (std::abs(block - front) <= 1 ? 60 : 0);
}

static void strip(Domain &d, int self) {
  int lo = Blocks * self / d.n;
  int hi = Blocks * (self + 1) / d.n;
  double edge = self;
  for (int step = 0; step < Steps; ++step) {
    if (self + 1 < d.n)
      d.toRight[self].put(edge);
    if (self > 0)
      d.toLeft[self - 1].put(edge);
    for (int b = lo + 1; b < hi; ++b)
      work(blockCost(step, b));
    if (self > 0)
      edge += d.toRight[self - 1].take();
    if (self + 1 < d.n)
      edge += d.toLeft[self].take();
    work(blockCost(step, lo));
    edge *= 0.25;
    if (step % 3 == 2) {
      double sum = d.residual.add(edge);
      if (self == 0)
        work(40 + (sum < 0));
    }
  }
}

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  Domain d(n);
  std::vector<std::thread> ts;
  for (int i = 1; i < n; ++i)
    ts.emplace_back(strip, std::ref(d), i);
  strip(d, 0);
  for (auto &x : ts)
    x.join();
}
