#include "work.h"

// Game engine: simulation phases on a worker team, rendering one frame behind from the front buffer.
class Team {
public:
  explicit Team(int n) {
    for (int i = 0; i < n; ++i)
      threads.emplace_back(&Team::loop, this);
  }
  void run(int n, std::function<void(int)> f) {
    std::unique_lock<std::mutex> lk(m);
    fn = std::move(f);
    next = 0;
    count = n;
    left = n;
    wake.notify_all();
    idle.wait(lk, [&] { return left == 0; });
  }
  void stop() {
    {
      std::lock_guard<std::mutex> lk(m);
      quit = true;
    }
    wake.notify_all();
    for (auto &t : threads)
      t.join();
  }

private:
  void loop() {
    std::unique_lock<std::mutex> lk(m);
    while (true) {
      wake.wait(lk, [&] { return quit || next < count; });
      if (quit)
        return;
      int i = next++;
      lk.unlock();
      fn(i);
      lk.lock();
      if (--left == 0)
        idle.notify_one();
    }
  }
  std::mutex m;
  std::condition_variable wake, idle;
  std::function<void(int)> fn;
  int next = 0, count = 0, left = 0;
  bool quit = false;
  std::vector<std::thread> threads;
};

struct Scene {
  int frame = -1;
  std::vector<int> objects;
};

struct Swap {
  std::mutex m;
  std::condition_variable cv;
  Scene buf[2];
  int front = 0;
  bool fresh = false, rendering = false, end = false;
};

static void renderer(Swap &s) {
  for (;;) {
    Scene *scene;
    {
      std::unique_lock<std::mutex> lk(s.m);
      s.cv.wait(lk, [&] { return s.fresh || s.end; });
      if (!s.fresh)
        return;
      s.fresh = false;
      s.rendering = true;
      scene = &s.buf[s.front];
    }
    work(100 + scene->objects[scene->frame % 12]);
    {
      std::lock_guard<std::mutex> lk(s.m);
      s.rendering = false;
    }
    s.cv.notify_all();
  }
}

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  Swap s;
  Team team(n);
  std::thread render(renderer, std::ref(s));
  for (int f = 0; f < 14; ++f) {
    Scene &back = s.buf[1 - s.front];
    back.frame = f;
    back.objects.assign(12, 0);
    team.run(12, [&](int i) {
      unsigned seed = f * 100 + i;
      rnd(seed);
      int c = 30 + rnd(seed) % 70;
      work(c);
      back.objects[i] = c;
    });
    team.run(6, [&](int i) { work(20 + back.objects[i * 2] / 2); });
    work(20);
    std::unique_lock<std::mutex> lk(s.m);
    s.cv.wait(lk, [&] { return !s.fresh && !s.rendering; });
    s.front = 1 - s.front;
    s.fresh = true;
    lk.unlock();
    s.cv.notify_all();
  }
  {
    std::lock_guard<std::mutex> lk(s.m);
    s.end = true;
  }
  s.cv.notify_all();
  render.join();
  team.stop();
}
