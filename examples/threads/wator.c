// Fish and sharks on a torus (Dewdney 1984), one rectangle of 50 by 50 cells a task. Both move to a
// neighbouring cell and breed; sharks eat fish, or starve. Everybody chooses at once, by a hash of
// step and cell, and each cell then sees who comes to it; so nothing depends on who is first. How
// many animals a task has is chance, and what neighbours have is not independent of it.
//
//   wator SEED TASKS STEPS
//
// prints fish and sharks after STEPS steps, and how many were born, eaten and starved.
#include "../draw.h"

#include <stdio.h>

enum { edge = 50, mostTasks = 256, fishBreeds = 6, sharkBreeds = 10, starves = 4 };
enum kind { none, fish, shark };
struct animal {
  unsigned char kind, age, hunger;
};
struct cell {
  struct animal is;
  int wants; // the cell that its animal would go to; itself: it stays
};
struct rectangle {
  int x, y;
};
static struct cell *old, *new;
static int width, height, now;
static long born, eaten, starved;

NOT_PROFILED static void fill(void) {
  for (int i = 0; i < width * height; ++i) {
    const double u = draw();
    old[i].is.kind = u < 0.4 ? fish : u < 0.45 ? shark : none;
    old[i].is.age = (unsigned char)drawBelow(old[i].is.kind == fish ? fishBreeds : sharkBreeds);
  }
}

// For the animal of that cell, in this step.
static unsigned chance(int cell) {
  uint64_t z = ((uint64_t)now << 32 | (uint32_t)cell) * 0x9e3779b97f4a7c15 + drawState;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  return (unsigned)(z >> 33);
}

static int neighbour(int cell, int direction) {
  const int x = cell % width, y = cell / width;
  switch (direction % 4) {
  case 0:
    return y * width + (x + 1) % width;
  case 1:
    return (y + 1) % height * width + x;
  case 2:
    return y * width + (x + width - 1) % width;
  default:
    return (y + height - 1) % height * width + x;
  }
}

// What its animal would do: a shark prefers fish.
static void choose(int cell) {
  const enum kind is = old[cell].is.kind;
  old[cell].wants = cell;
  if (is == none)
    return;
  const unsigned first = chance(cell);
  for (enum kind food = is == shark ? fish : none;; food = none) {
    for (unsigned d = 0; d < 4; ++d) {
      const int to = neighbour(cell, (int)(first + d));
      if (old[to].is.kind == food) {
        old[cell].wants = to;
        return;
      }
    }
    if (food == none)
      return;
  }
}

// The shark that eats the fish of that cell; -1: none does.
static int eater(int cell) {
  int best = -1;
  for (int d = 0; d < 4; ++d) {
    const int from = neighbour(cell, d);
    if (old[from].is.kind == shark && old[from].wants == cell &&
        (best < 0 || chance(from) > chance(best)))
      best = from;
  }
  return best;
}

// Who comes to that empty cell; -1: nobody. Fish that are eaten do not.
static int comer(int cell) {
  int best = -1;
  for (int d = 0; d < 4; ++d) {
    const int from = neighbour(cell, d);
    if (old[from].is.kind != none && old[from].wants == cell &&
        (best < 0 || chance(from) > chance(best)) &&
        (old[from].is.kind == shark || eater(from) < 0))
      best = from;
  }
  return best;
}

// The animal of a cell one step later, when it has eaten or not.
static struct animal older(struct animal a, int hasEaten) {
  a.age++;
  a.hunger = a.kind == shark && !hasEaten ? a.hunger + 1 : 0;
  if (a.kind == shark && a.hunger >= starves) {
#pragma omp atomic
    ++starved;
    return (struct animal){0};
  }
  return a;
}

// Who is in a cell after this step.
static struct animal next(int cell) {
  const struct animal is = old[cell].is;
  int from = cell;
  if (is.kind == fish && (from = eater(cell)) >= 0) {
#pragma omp atomic
    ++eaten;
  } else if (is.kind == none) {
    from = comer(cell);
    if (from < 0)
      return is;
  } else {
    from = cell;
    const int to = old[cell].wants;
    if (to != cell && (old[to].is.kind == fish ? eater(to) : comer(to)) == cell) { // it is gone
      const int breeds = is.age + 1 >= (is.kind == fish ? fishBreeds : sharkBreeds);
      if (!breeds)
        return (struct animal){0};
#pragma omp atomic
      ++born;
      return (struct animal){.kind = is.kind};
    }
  }
  struct animal comes = older(old[from].is, from != cell && is.kind == fish);
  if (from != cell && comes.age >= (comes.kind == fish ? fishBreeds : sharkBreeds))
    comes.age = 0; // it left a young one behind
  return comes;
}

static void step(int tasks, const struct rectangle *of) {
#pragma omp parallel for schedule(static) // choose
  for (int t = 0; t < tasks; ++t)
    for (int y = 0; y < edge; ++y)
      for (int x = 0; x < edge; ++x)
        choose((of[t].y + y) * width + of[t].x + x);
#pragma omp parallel for schedule(static) // move
  for (int t = 0; t < tasks; ++t)
    for (int y = 0; y < edge; ++y)
      for (int x = 0; x < edge; ++x) {
        const int cell = (of[t].y + y) * width + of[t].x + x;
        new[cell].is = next(cell);
      }
  struct cell *const held = old;
  old = new;
  new = held;
  ++now;
}

NOT_PROFILED static void show(void) {
  long fishes = 0, sharks = 0;
  for (int i = 0; i < width * height; ++i) {
    fishes += old[i].is.kind == fish;
    sharks += old[i].is.kind == shark;
  }
  printf("%ld %ld %ld %ld %ld\n", fishes, sharks, born, eaten, starved);
}

int main(int argc, char **argv) {
  const int tasks = argc < 4 ? 0 : atoi(argv[2]);
  if (tasks < 1 || tasks > mostTasks)
    return fprintf(stderr, "usage: wator SEED TASKS STEPS, at most %d tasks\n", mostTasks), 2;
  int columns = 1; // of rectangles, as many as rows or a few more
  while (columns * columns < tasks || tasks % columns != 0)
    ++columns;
  width = columns * edge;
  height = tasks / columns * edge;
  old = calloc((size_t)(width * height), sizeof *old);
  new = calloc((size_t)(width * height), sizeof *new);
  if (old == NULL || new == NULL)
    return fprintf(stderr, "wator: no memory\n"), 1;
  struct rectangle of[mostTasks];
  for (int t = 0; t < tasks; ++t)
    of[t] = (struct rectangle){t % columns * edge, t / columns * edge};
  drawFrom(argv[1]);
  fill();
  for (int t = 0; t < atoi(argv[3]); ++t)
    step(tasks, of);
  show();
  free(old);
  free(new);
}
