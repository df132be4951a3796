#include "work.h"

// Compiler-like tree passes by recursive std::async; lazy static tables; a shared_future symbol table.
struct Tables {
  int scale;
  Tables() : scale(7) { work(180); }
};

static const Tables &tables() {
  static Tables t;
  return t;
}

static std::once_flag diagOnce;
static long diagBase;

static void needDiagnostics() {
  std::call_once(diagOnce, [] {
    work(120);
    diagBase = 3;
  });
}

static int leaf(unsigned seed) {
  rnd(seed);
  int size = 40 + rnd(seed) % 160;
  if (rnd(seed) % 4 == 0)
    needDiagnostics();
  work(size);
  return size + tables().scale;
}

static int pass(unsigned node, int height, int spawnLevels, std::shared_future<int> symbols) {
  if (height == 0) {
    if (node % 5 == 3)
      return leaf(node) + symbols.get();
    return leaf(node);
  }
  int left, right;
  if (spawnLevels > 0) {
    auto l = std::async(std::launch::async, pass, node * 2, height - 1, spawnLevels - 1, symbols);
    right = pass(node * 2 + 1, height - 1, spawnLevels - 1, symbols);
    left = l.get();
  } else {
    left = pass(node * 2, height - 1, 0, symbols);
    right = pass(node * 2 + 1, height - 1, 0, symbols);
  }
  work(20 + (left + right) % 37);
  return (left + right) / 2;
}

static int loadSymbols(int module) {
  for (int i = 0; i < 3; ++i)
    work(60 + 15 * module);
  return module;
}

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  int levels = 0;
  while ((1 << levels) < n)
    ++levels;
  long sum = 0;
  std::future<int> emit;
  for (int module = 0; module < 3; ++module) {
    std::shared_future<int> symbols = std::async(std::launch::async, loadSymbols, module).share();
    int r = pass(module * 3 + 1, 5, levels, symbols);
    if (emit.valid())
      sum += emit.get();
    emit = std::async(std::launch::async, [r, module] {
      work(150 + module * 40);
      return r;
    });
  }
  sum += emit.get();
  if (sum < 0)
    puts("bad");
}
