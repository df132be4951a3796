// The program of kills.sh: `kills FILE MILLISECONDS` works for about that long in threads that come
// and go, in a library that is opened and closed, and in a forked child that does the same. FILE
// (16 words, shared by all) says how many calls each of them has finished, after it has made them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { batch = 100, threads = 4 };
static uint64_t *finished;
__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }

static void *work(void *slot) {
  uint64_t *mine = slot;
  unsigned x = 1;
  for (int round = 0; round < 20; ++round) {
    for (unsigned i = 0; i < batch; ++i)
      x = tick(x + i);
    __atomic_fetch_add(mine, batch, __ATOMIC_SEQ_CST);
  }
  *(volatile unsigned *)&x = x;
  return NULL;
}
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
int main(int argc, char **argv) {
  int fd = open(argv[1], O_RDWR);
  finished = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const double end = now() + atof(argv[2]);
  const char *library = argc > 3 ? argv[3] : NULL;
  const int child = fork() == 0;
  uint64_t *own = finished + (child ? 8 : 0);
  while (now() < end) {
    pthread_t t[threads];
    for (int i = 0; i < threads; ++i)
      pthread_create(&t[i], NULL, work, own + i);
    if (library != NULL) {
      void *l = dlopen(library, RTLD_NOW);
      unsigned (*tock)(unsigned) = (unsigned (*)(unsigned))dlsym(l, "tock");
      for (unsigned i = 0; i < batch; ++i)
        tock(i);
      own[threads] += batch;
      dlclose(l);
    }
    for (int i = 0; i < threads; ++i)
      pthread_join(t[i], NULL);
  }
  if (!child)
    wait(NULL);
  return 0;
}
