#include "work.h"

// Build system: DAG executor, ready nodes chosen by longest remaining path.
struct Node {
  int cost = 0;
  long path = 0;
  int waiting = 0;
  std::vector<int> users;
};

template <class T> class Monitor {
public:
  class Access {
  public:
    explicit Access(Monitor &m) : mon(m), lk(m.mtx) {}
    T *operator->() { return &mon.data; }
    template <class P> void waitFor(P p) {
      while (!p(mon.data))
        mon.cv.wait(lk);
    }
    void wakeOne() { mon.cv.notify_one(); }
    void wakeAll() { mon.cv.notify_all(); }

  private:
    Monitor &mon;
    std::unique_lock<std::mutex> lk;
  };
  Access enter() { return Access(*this); }

private:
  std::mutex mtx;
  std::condition_variable cv;
  T data;
};

struct State {
  std::vector<Node> nodes;
  std::set<std::pair<long, int>> ready;
  int remaining = 0;
};

static void makeGraph(State &s, int count) {
  unsigned seed = 4711;
  s.nodes.resize(count);
  s.remaining = count;
  for (int i = 0; i < count; ++i) {
    s.nodes[i].cost = 30 + rnd(seed) % 270;
    if (i < 7)
      continue;
    std::set<int> deps;
    int k = 1 + rnd(seed) % 3;
    for (int d = 0; d < k; ++d)
      deps.insert(i - 4 - (int)(rnd(seed) % std::min(i - 3, 16)));
    for (int d : deps) {
      if (d < 0)
        continue;
      s.nodes[d].users.push_back(i);
      s.nodes[i].waiting++;
    }
  }
  for (int i = count - 1; i >= 0; --i) {
    long longest = 0;
    for (int u : s.nodes[i].users)
      longest = std::max(longest, s.nodes[u].path);
    s.nodes[i].path = longest + s.nodes[i].cost;
  }
  for (int i = 0; i < count; ++i)
    if (s.nodes[i].waiting == 0)
      s.ready.insert({-s.nodes[i].path, i});
}

static void builder(Monitor<State> &mon) {
  int done = -1;
  for (;;) {
    int id, cost;
    {
      auto st = mon.enter();
      if (done >= 0) {
        for (int u : st->nodes[done].users) {
          if (--st->nodes[u].waiting == 0) {
            st->ready.insert({-st->nodes[u].path, u});
            st.wakeOne();
          }
        }
        if (--st->remaining == 0)
          st.wakeAll();
      }
      st.waitFor([](State &s) { return !s.ready.empty() || s.remaining == 0; });
      if (st->remaining == 0)
        return;
      id = st->ready.begin()->second;
      st->ready.erase(st->ready.begin());
      cost = st->nodes[id].cost;
    }
    work(cost);
    done = id;
  }
}

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  Monitor<State> mon;
  {
    auto st = mon.enter();
    makeGraph(*st.operator->(), 75);
  }
  std::vector<std::thread> ts;
  for (int i = 0; i < n; ++i)
    ts.emplace_back(builder, std::ref(mon));
  for (auto &x : ts)
    x.join();
  work(200);
}
