#include "work.h"

// Database: row locks held over the update, a log writer with group commit.
class Wal {
public:
  Wal() : writer(&Wal::run, this) {}
  ~Wal() {
    {
      std::lock_guard lk(m);
      closing = true;
    }
    hasData.notify_one();
    writer.join();
  }
  long append(int bytes) {
    std::lock_guard lk(m);
    pending.push_back(bytes);
    if (pending.size() == 1)
      hasData.notify_one();
    return ++lastLsn;
  }
  void waitDurable(long lsn) {
    std::unique_lock lk(m);
    flushed.wait(lk, [&] { return durable >= lsn; });
  }

private:
  void run() {
    std::vector<int> batch;
    std::unique_lock lk(m);
    for (;;) {
      hasData.wait(lk, [&] { return closing || !pending.empty(); });
      if (pending.empty())
        return;
      batch.swap(pending);
      lk.unlock();
      for (int bytes : batch)
        work(bytes);
      long count = batch.size();
      batch.clear();
      lk.lock();
      durable += count;
      flushed.notify_all();
    }
  }
  std::mutex m;
  std::condition_variable hasData, flushed;
  std::vector<int> pending;
  long lastLsn = 0, durable = 0;
  bool closing = false;
  std::thread writer;
};

struct Row {
  std::mutex lock;
  long value = 0;
};

class Database {
public:
  void transfer(int id) {
    unsigned seed = id * 1237 + 99;
    rnd(seed);
    int a = rnd(seed) % 24;
    int b = rnd(seed) % 24;
    if (id % 5 == 0)
      a = 3; // hot row
    if (a == b)
      b = (b + 1) % 24;
    work(30 + rnd(seed) % 40);
    long lsn;
    {
      std::unique_lock first(rows[std::min(a, b)].lock);
      std::unique_lock second(rows[std::max(a, b)].lock);
      work(50 + rnd(seed) % 90);
      rows[a].value -= id;
      rows[b].value += id;
      lsn = wal.append(20 + rnd(seed) % 8);
    }
    wal.waitDurable(lsn);
    work(20);
  }

private:
  Row rows[24];
  Wal wal;
};

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  Database db;
  std::atomic<int> nextTx{0};
  std::vector<std::thread> sessions;
  for (int i = 0; i < n; ++i) {
    sessions.emplace_back([&] {
      for (int id = nextTx++; id < 70; id = nextTx++)
        db.transfer(id);
    });
  }
  for (auto &s : sessions)
    s.join();
}
