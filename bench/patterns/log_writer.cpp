#include "work.h"
#include <semaphore.h>
/* Log: producers fill buffers of a limited pool, writer thread, segment compressor, config reload under rwlock. */
enum { RECORDS = 120, PER_BUF = 5, SEGMENT = 3, RELOAD = 8 };

typedef struct buf {
  struct buf *next;
  int count;
} buf;
typedef struct {
  pthread_mutex_t mu;
  pthread_cond_t cv;
  buf *first, **last;
} list;

static list free_list = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &free_list.first};
static list full_list = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &full_list.first};
static pthread_rwlock_t config_lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t reload_sem, segment_sem;
static int config_level = 1, segments[64], n_threads, expected;

static void list_put(list *l, buf *b) {
  b->next = NULL;
  pthread_mutex_lock(&l->mu);
  *l->last = b;
  l->last = &b->next;
  pthread_mutex_unlock(&l->mu);
  pthread_cond_signal(&l->cv);
}

static buf *list_get(list *l) {
  pthread_mutex_lock(&l->mu);
  while (l->first == NULL)
    pthread_cond_wait(&l->cv, &l->mu);
  buf *b = l->first;
  l->first = b->next;
  if (l->first == NULL)
    l->last = &l->first;
  pthread_mutex_unlock(&l->mu);
  return b;
}

static void *producer(void *arg) {
  buf *b = NULL;
  for (int r = (int)(long)arg; r < RECORDS; r += n_threads) {
    unsigned seed = r * 7919 + 2;
    work(30 + rnd(seed) % 70);
    pthread_rwlock_rdlock(&config_lock);
    int level = config_level;
    if (r % 7 == 0)
      work(25);
    pthread_rwlock_unlock(&config_lock);
    if (b == NULL)
      b = list_get(&free_list);
    b->count += level > 0;
    if (b->count == PER_BUF || r + n_threads >= RECORDS) {
      list_put(&full_list, b);
      b = NULL;
    }
  }
  return NULL;
}

static void *writer(void *) {
  int seg = 0, records = 0;
  for (int i = 1; i <= expected; i++) {
    buf *b = list_get(&full_list);
    work(20 + 4 * b->count);
    records += b->count;
    b->count = 0;
    list_put(&free_list, b);
    if (i % SEGMENT == 0 || i == expected) {
      segments[seg++] = records;
      records = 0;
      sem_post(&segment_sem);
    }
    if (i % RELOAD == 0)
      sem_post(&reload_sem);
  }
  return NULL;
}

static void *compressor(void *) {
  for (int s = 0; s * SEGMENT < expected; s++) {
    sem_wait(&segment_sem);
    work(20 + 10 * segments[s]);
  }
  return NULL;
}

static void *reloader(void *) {
  for (int k = 0; k < expected / RELOAD; k++) {
    sem_wait(&reload_sem);
    pthread_rwlock_wrlock(&config_lock);
    work(80);
    config_level++;
    pthread_rwlock_unlock(&config_lock);
  }
  return NULL;
}

int main(int, char **argv) {
  Timer t;
  n_threads = atoi(argv[1]);
  for (int i = 0; i < n_threads; i++)
    expected += ((RECORDS - i + n_threads - 1) / n_threads + PER_BUF - 1) / PER_BUF;
  sem_init(&reload_sem, 0, 0);
  sem_init(&segment_sem, 0, 0);
  std::vector<buf> pool(n_threads / 2 + 1, buf{NULL, 0});
  for (auto &b : pool)
    list_put(&free_list, &b);
  std::vector<pthread_t> ts(n_threads + 3);
  void *(*helpers[3])(void *) = {writer, compressor, reloader};
  for (int h = 0; h < 3; h++)
    pthread_create(&ts[n_threads + h], NULL, helpers[h], NULL);
  for (long i = 0; i < n_threads; i++)
    pthread_create(&ts[i], NULL, producer, (void *)i);
  for (auto x : ts)
    pthread_join(x, NULL);
}
