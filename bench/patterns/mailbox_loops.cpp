#include "work.h"

// Event loops with mailboxes: messages hop between loops, a trace loop listens, a supervisor ends all.
struct Message {
  enum Kind { Step, Trace, Stop } kind;
  unsigned seed;
  int hops;
};

class Mailbox {
public:
  void post(Message m) {
    {
      std::scoped_lock lk(mu);
      inbox.push_back(m);
    }
    cv.notify_one();
  }
  // takes everything that has arrived
  void drain(std::deque<Message> &out) {
    std::unique_lock lk(mu);
    while (inbox.empty())
      cv.wait(lk);
    out.swap(inbox);
  }

private:
  std::mutex mu;
  std::condition_variable cv;
  std::deque<Message> inbox;
};

class Supervisor {
public:
  explicit Supervisor(int n) : open(n) {}
  void finished() {
    std::lock_guard lk(mu);
    if (--open == 0)
      cv.notify_all();
  }
  void wait() {
    std::unique_lock lk(mu);
    cv.wait(lk, [this] { return open == 0; });
  }

private:
  std::mutex mu;
  std::condition_variable cv;
  int open;
};

struct System {
  std::vector<Mailbox> loops;
  Mailbox trace;
  Supervisor sup;
  System(int n, int tokens) : loops(n), sup(tokens) {}
};

static void eventLoop(System &sys, int self) {
  std::deque<Message> mine;
  for (;;) {
    sys.loops[self].drain(mine);
    while (!mine.empty()) {
      Message m = mine.front();
      mine.pop_front();
      if (m.kind == Message::Stop)
        return;
      work(30 + rnd(m.seed) % 100);
      if (m.hops % 3 == 0)
        sys.trace.post({Message::Trace, m.seed, 0});
      if (--m.hops == 0)
        sys.sup.finished();
      else
        sys.loops[rnd(m.seed) % sys.loops.size()].post(m);
    }
  }
}

static void traceLoop(Mailbox &box) {
  std::deque<Message> batch;
  bool stop = false;
  while (!stop) {
    box.drain(batch);
    for (Message &m : batch) {
      if (m.kind == Message::Stop)
        stop = true;
      else
        work(20 + m.seed % 10);
    }
    batch.clear();
  }
}

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  const int tokens = 22;
  System sys(n, tokens);
  std::thread tracer(traceLoop, std::ref(sys.trace));
  std::vector<std::thread> ts;
  for (int i = 0; i < n; ++i)
    ts.emplace_back(eventLoop, std::ref(sys), i);
  for (int k = 0; k < tokens; ++k)
    sys.loops[k % n].post({Message::Step, k * 401u + 7, 4 + k % 5});
  sys.sup.wait();
  for (auto &l : sys.loops)
    l.post({Message::Stop, 0, 0});
  for (auto &x : ts)
    x.join();
  sys.trace.post({Message::Stop, 0, 0});
  tracer.join();
}
