#include "work.h"

/* Media encoder in C style: reader -> bounded queue -> encoders -> reorder window -> muxer. */
enum { CAP = 4, FRAMES = 48, RING = 64 };

typedef struct {
  pthread_mutex_t mu;
  pthread_cond_t not_empty, not_full;
  int item[CAP];
  int head, len, closed;
} queue_t;

typedef struct {
  pthread_mutex_t mu;
  pthread_cond_t arrived, moved;
  int size[RING];
  int next, window;
} reorder_t;

static queue_t q = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {}, 0, 0, 0};
static reorder_t ro = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {}, 0, 0};

static void lock(pthread_mutex_t *m) {
  pthread_mutex_lock(m);
}

static void unlock(pthread_mutex_t *m) {
  pthread_mutex_unlock(m);
}

static void queue_push(queue_t *p, int v) {
  lock(&p->mu);
  while (p->len == CAP)
    pthread_cond_wait(&p->not_full, &p->mu);
  p->item[(p->head + p->len) % CAP] = v;
  p->len++;
  pthread_cond_signal(&p->not_empty);
  unlock(&p->mu);
}

static int queue_pop(queue_t *p, int *v) {
  lock(&p->mu);
  while (p->len == 0 && !p->closed)
    pthread_cond_wait(&p->not_empty, &p->mu);
  if (p->len == 0) {
    unlock(&p->mu);
    return 0;
  }
  *v = p->item[p->head];
  p->head = (p->head + 1) % CAP;
  p->len--;
  pthread_cond_signal(&p->not_full);
  unlock(&p->mu);
  return 1;
}

static void queue_close(queue_t *p) {
  lock(&p->mu);
  p->closed = 1;
  pthread_cond_broadcast(&p->not_empty);
  unlock(&p->mu);
}

static void *reader_main(void *) {
  for (int f = 0; f < FRAMES; f++) {
    work(25);
    queue_push(&q, f);
  }
  queue_close(&q);
  return NULL;
}

static void *encoder_main(void *) {
  int f;
  while (queue_pop(&q, &f)) {
    unsigned seed = f * 77 + 5;
    rnd(seed);
    int cost = (f % 12 == 0) ? 420 : 130 + rnd(seed) % 180;
    work(cost);
    lock(&ro.mu);
    while (f >= ro.next + ro.window)
      pthread_cond_wait(&ro.moved, &ro.mu);
    ro.size[f % RING] = cost / 12;
    pthread_cond_signal(&ro.arrived);
    unlock(&ro.mu);
  }
  return NULL;
}

static void *muxer_main(void *) {
  for (int f = 0; f < FRAMES; f++) {
    lock(&ro.mu);
    while (ro.size[f % RING] == 0)
      pthread_cond_wait(&ro.arrived, &ro.mu);
    int size = ro.size[f % RING];
    ro.size[f % RING] = 0;
    unlock(&ro.mu);
    work(20 + size / 2);
    lock(&ro.mu);
    ro.next = f + 1;
    pthread_cond_broadcast(&ro.moved);
    unlock(&ro.mu);
  }
  return NULL;
}

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  pthread_t rd, mx, enc[64];
  ro.window = n;
  pthread_create(&rd, NULL, reader_main, NULL);
  pthread_create(&mx, NULL, muxer_main, NULL);
  for (int i = 0; i < n; i++)
    pthread_create(&enc[i], NULL, encoder_main, NULL);
  pthread_join(rd, NULL);
  for (int i = 0; i < n; i++)
    pthread_join(enc[i], NULL);
  pthread_join(mx, NULL);
}
