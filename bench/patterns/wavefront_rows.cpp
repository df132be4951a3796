#include "work.h"

/* Video decoder: rows follow the row above by two blocks, and the row below in the previous frame. */
enum { FRAMES = 3, ROWS = 10, COLS = 12, LAG = 2 };

struct progress {
  pthread_mutex_t lock;
  pthread_cond_t cond;
  int done;
};

struct worker {
  pthread_t thread;
  int index, count;
};

static struct progress rows[FRAMES * ROWS];

static void progress_init(struct progress *p) {
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->cond, NULL);
  p->done = 0;
}

static void progress_report(struct progress *p, int done) {
  pthread_mutex_lock(&p->lock);
  p->done = done;
  pthread_cond_broadcast(&p->cond);
  pthread_mutex_unlock(&p->lock);
}

static void progress_await(struct progress *p, int want) {
  pthread_mutex_lock(&p->lock);
  while (p->done < want)
    pthread_cond_wait(&p->cond, &p->lock);
  pthread_mutex_unlock(&p->lock);
}

static int block_cost(int frame, int row, int col) {
  unsigned seed = (frame * 50 + row) * 50 + col;
  rnd(seed);
  int c = 20 + rnd(seed) % 35;
  if (frame == 0)
    c += 12;
  return c;
}

static void decode_row(int frame, int row) {
  struct progress *self = &rows[frame * ROWS + row];
  for (int col = 0; col < COLS; col++) {
    if (row > 0)
      progress_await(self - 1, std::min<int>(col + LAG, COLS));
    if (frame > 0 && col % 4 == 0) {
      int ref = std::min(row + 1, ROWS - 1);
      progress_await(&rows[(frame - 1) * ROWS + ref], std::min<int>(col + 6, COLS));
    }
    work(block_cost(frame, row, col));
    progress_report(self, col + 1);
  }
}

static void *worker_main(void *arg) {
  struct worker *w = (struct worker *)arg;
  for (int r = w->index; r < FRAMES * ROWS; r += w->count)
    decode_row(r / ROWS, r % ROWS);
  return NULL;
}

static void *output_main(void *) {
  for (int f = 0; f < FRAMES; f++) {
    for (int r = 0; r < ROWS; r++)
      progress_await(&rows[f * ROWS + r], COLS);
    work(160);
  }
  return NULL;
}

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  std::vector<worker> ws(n);
  pthread_t out;
  for (auto &r : rows)
    progress_init(&r);
  pthread_create(&out, NULL, output_main, NULL);
  for (int i = 0; i < n; i++) {
    ws[i].index = i;
    ws[i].count = n;
    pthread_create(&ws[i].thread, NULL, worker_main, &ws[i]);
  }
  for (auto &w : ws)
    pthread_join(w.thread, NULL);
  pthread_join(out, NULL);
}
