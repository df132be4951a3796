#include "work.h"

// Iterated map-reduce: std::barrier whose completion step merges and switches the phase.
constexpr int Splits = 20;
constexpr int Parts = 9;
constexpr int Rounds = 4;

struct Partition {
  std::mutex m;
  std::vector<int> values;
};

struct Shared {
  Partition part[Parts];
  std::atomic<int> nextSplit{0};
  std::atomic<int> nextPart{0};
  long sums[Parts] = {};
  long result = 0;
  int phase = 0;
  void finishPhase() noexcept {
    if (phase % 2 == 1) {
      work(45);
      for (long &s : sums) {
        result += s;
        s = 0;
      }
      nextSplit = 0;
      nextPart = 0;
    }
    ++phase;
  }
};

static void mapSplit(Shared &s, int round, int split) {
  unsigned seed = round * 1000 + split * 3 + 1;
  rnd(seed);
  int cost = 50 + rnd(seed) % 100 + (split == 2 ? 120 : 0);
  work(cost);
  for (int k = 0; k < 3; ++k) {
    int p = rnd(seed) % Parts;
    int v = rnd(seed) % 100;
    std::lock_guard lk(s.part[p].m);
    s.part[p].values.push_back(v);
  }
}

static void reducePart(Shared &s, int p) {
  auto &v = s.part[p].values;
  std::sort(v.begin(), v.end());
  long sum = 0;
  for (int x : v)
    sum += x;
  work(25 + 10 * (int)v.size());
  v.clear();
  s.sums[p] = sum;
}

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  Shared s;
  auto completion = [&s]() noexcept { s.finishPhase(); };
  std::barrier sync(n, completion);
  std::vector<std::jthread> ts;
  for (int i = 0; i < n; ++i) {
    ts.emplace_back([&] {
      for (int round = 0; round < Rounds; ++round) {
        for (int k = s.nextSplit++; k < Splits; k = s.nextSplit++)
          mapSplit(s, round, k);
        sync.arrive_and_wait();
        for (int p = s.nextPart++; p < Parts; p = s.nextPart++)
          reducePart(s, p);
        sync.arrive_and_wait();
      }
    });
  }
  ts.clear();
  if (s.result < 0)
    puts("bad");
}
