#include "work.h"

// Service with a limited connection pool (counting_semaphore), start-up latch, a binary_semaphore for the audit file.
struct Connection {
  int id;
  long queries = 0;
};

class ConnectionPool {
public:
  explicit ConnectionPool(int count) : slots(count) {
    for (int i = 0; i < count; ++i)
      idle.push_back(std::make_unique<Connection>(Connection{i}));
  }
  class Lease {
  public:
    explicit Lease(ConnectionPool &p) : pool(p) {
      pool.slots.acquire();
      std::lock_guard lk(pool.m);
      conn = std::move(pool.idle.back());
      pool.idle.pop_back();
    }
    ~Lease() {
      {
        std::lock_guard lk(pool.m);
        pool.idle.push_back(std::move(conn));
      }
      pool.slots.release();
    }
    Connection *operator->() { return conn.get(); }

  private:
    ConnectionPool &pool;
    std::unique_ptr<Connection> conn;
  };

private:
  std::counting_semaphore<64> slots;
  std::mutex m;
  std::vector<std::unique_ptr<Connection>> idle;
};

struct Service {
  ConnectionPool pool;
  std::binary_semaphore audit{1};
  std::latch ready;
  std::latch drained;
  std::atomic<int> next{0};
  Service(int n) : pool(n / 2 + 1), ready(n + 1), drained(n) {}
};

static void handle(Service &s, int id) {
  unsigned seed = id * 57 + 11;
  rnd(seed);
  work(25 + rnd(seed) % 50);
  {
    ConnectionPool::Lease c(s.pool);
    work(50 + rnd(seed) % 80);
    c->queries++;
    if (id % 6 == 0) {
      work(90);
      c->queries++;
    }
  }
  work(20 + rnd(seed) % 60);
  if (id % 4 == 1) {
    s.audit.acquire();
    work(30);
    s.audit.release();
  }
}

static void worker(Service &s, int self) {
  work(40 + 10 * self);
  s.ready.arrive_and_wait();
  for (;;) {
    int id = s.next.fetch_add(1);
    if (id >= 64)
      break;
    handle(s, id);
  }
  s.drained.count_down();
}

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  Service s(n);
  std::vector<std::jthread> ts;
  for (int i = 0; i < n; ++i)
    ts.emplace_back(worker, std::ref(s), i);
  work(70);
  s.ready.arrive_and_wait();
  s.drained.wait();
  work(100);
}
