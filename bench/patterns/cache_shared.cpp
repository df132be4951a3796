#include "work.h"

// Web cache: sharded shared_mutex maps, every entry loaded once by promise, statistics under a mutex.
class Cache {
public:
  int get(int key) {
    Shard &s = shards[key % 4];
    std::call_once(s.opened, [&] { work(70); });
    {
      std::shared_lock rd(s.m);
      auto it = s.entries.find(key);
      if (it != s.entries.end()) {
        auto f = it->second;
        rd.unlock();
        return f.get();
      }
    }
    std::promise<int> p;
    {
      std::unique_lock wr(s.m);
      auto [it, fresh] = s.entries.try_emplace(key);
      if (!fresh) {
        auto f = it->second;
        wr.unlock();
        return f.get();
      }
      it->second = p.get_future().share();
    }
    unsigned seed = key * 7 + 3;
    rnd(seed);
    int size = 90 + rnd(seed) % 220;
    work(size);
    p.set_value(size);
    return size;
  }
  int scan(int shard) {
    Shard &s = shards[shard];
    std::shared_lock rd(s.m);
    work(35);
    return (int)s.entries.size();
  }

private:
  struct Shard {
    std::once_flag opened;
    std::shared_mutex m;
    std::unordered_map<int, std::shared_future<int>> entries;
  };
  Shard shards[4];
};

struct Stats {
  std::mutex m;
  std::map<int, int> hits;
  long bytes = 0;
};

static void serve(Cache &cache, Stats &stats, int id) {
  unsigned seed = id * 91 + 13;
  rnd(seed);
  int page = id / 12;
  int hot = rnd(seed) % 3;
  int key = hot ? page : 20 + rnd(seed) % 25;
  work(20 + rnd(seed) % 30);
  int size = cache.get(key);
  if (id % 10 == 7)
    cache.scan(key % 4);
  work(20 + size / 10);
  std::lock_guard lk(stats.m);
  stats.hits[key]++;
  stats.bytes += size;
}

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  Cache cache;
  Stats stats;
  std::mutex acceptLock;
  int accepted = 0;
  std::vector<std::thread> ts;
  for (int i = 0; i < n; ++i) {
    ts.emplace_back([&] {
      for (;;) {
        int id;
        {
          std::lock_guard lk(acceptLock);
          if (accepted == 120)
            return;
          id = accepted++;
        }
        serve(cache, stats, id);
      }
    });
  }
  for (auto &x : ts)
    x.join();
}
