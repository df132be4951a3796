#include "work.h"

// Server: clients submit jobs with priorities, results come through hand made futures.
struct Mutex {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  void acquire() { pthread_mutex_lock(&m); }
  void release() { pthread_mutex_unlock(&m); }
};

struct Guard {
  Mutex &m_;
  explicit Guard(Mutex &m) : m_(m) { m_.acquire(); }
  ~Guard() { m_.release(); }
};

struct Condition {
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  void wait(Mutex &m) { pthread_cond_wait(&c, &m.m); }
  void one() { pthread_cond_signal(&c); }
  void all() { pthread_cond_broadcast(&c); }
};

template <class T> struct Future {
  void set(T v) {
    Guard g(m_);
    value_ = v;
    ready_ = true;
    c_.all();
  }
  T get() {
    Guard g(m_);
    while (!ready_)
      c_.wait(m_);
    return value_;
  }
  Mutex m_;
  Condition c_;
  T value_{};
  bool ready_ = false;
};

struct Job {
  int priority, cost;
  long order;
  std::shared_ptr<Future<int>> result;
  bool operator<(const Job &o) const {
    return std::pair(priority, -order) < std::pair(o.priority, -o.order);
  }
};

class Pool {
public:
  explicit Pool(int n) {
    for (int i = 0; i < n; ++i)
      threads_.emplace_back([this] { loop(); });
  }
  ~Pool() {
    m_.acquire();
    closed_ = true;
    c_.all();
    m_.release();
    for (auto &t : threads_)
      t.join();
  }
  std::shared_ptr<Future<int>> submit(int priority, int cost) {
    auto f = std::make_shared<Future<int>>();
    Guard g(m_);
    jobs_.push(Job{priority, cost, order_++, f});
    c_.one();
    return f;
  }

private:
  void loop() {
    for (;;) {
      m_.acquire();
      while (jobs_.empty() && !closed_)
        c_.wait(m_);
      if (jobs_.empty()) {
        m_.release();
        return;
      }
      Job j = jobs_.top();
      jobs_.pop();
      m_.release();
      work(j.cost);
      j.result->set(j.cost * 2);
    }
  }
  Mutex m_;
  Condition c_;
  std::priority_queue<Job> jobs_;
  long order_ = 0;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

static void client(Pool &pool, unsigned seed, int requests) {
  for (int r = 0; r < requests; ++r) {
    pool.submit(3, 25 + rnd(seed) % 30)->get();
    std::vector<std::shared_ptr<Future<int>>> parts;
    for (int i = 0; i < 4; ++i)
      parts.push_back(pool.submit(1, 40 + rnd(seed) % 120));
    parts.push_back(pool.submit(2, 60 + rnd(seed) % 40));
    int size = 0;
    for (auto &p : parts)
      size += p->get();
    work(20 + size / 40);
  }
}

int main(int, char **argv) {
  Timer t;
  Pool pool(atoi(argv[1]));
  std::vector<std::thread> clients;
  for (int c = 0; c < 3; ++c)
    clients.emplace_back(client, std::ref(pool), 17u + c * 31, 8 + c);
  for (auto &c : clients)
    c.join();
}
