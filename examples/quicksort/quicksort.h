// Iterative quicksort with a stack of its own: parts of fewer than 8 elements by straight
// insertion, else the median of the first, middle and last as pivot, and the larger part waits. The
// scheme is that of Numerical Recipes (Press et al.), written from its description; the code is not
// theirs. TOUCH(i) is called for every reference to element i.
#pragma once

enum { insertionBelow = 7, mostWaiting = 64 };

struct Part {
  int first, last;
};

static void insertionSort(float *a, struct Part part) {
  for (int next = part.first + 1; next <= part.last; ++next) {
    TOUCH(next);
    const float value = a[next];
    int hole = next;
    for (; hole > 0; --hole) { // an element no larger than any of this part stands before it
      TOUCH(hole - 1);
      if (a[hole - 1] <= value) // b2
        break;
      TOUCH(hole - 1);
      TOUCH(hole);
      a[hole] = a[hole - 1];
    }
    TOUCH(hole);
    a[hole] = value;
  }
}

static void exchange(float *a, int i, int j) {
  TOUCH(i);
  TOUCH(j);
  const float held = a[i];
  a[i] = a[j];
  a[j] = held;
}

// Parts a part with its pivot in front, a smaller element behind that and a larger one at the end:
// from part.first to *left, and from *right on.
static void partition(float *a, struct Part part, int *left, int *right) {
  int up = part.first + 1, down = part.last;
  TOUCH(part.first);
  const float pivot = a[part.first];
  for (;;) {
    do {
      ++up;
      TOUCH(up);
    } while (a[up] < pivot);
    do {
      --down;
      TOUCH(down);
    } while (a[down] > pivot);
    if (down < up) // b6
      break;
    exchange(a, up, down);
  }
  TOUCH(down);
  TOUCH(part.first);
  a[part.first] = a[down];
  TOUCH(down);
  a[down] = pivot;
  *left = down - 1;
  *right = up;
}

static void quicksort(float *a, int n) {
  struct Part waiting[mostWaiting], part = {0, n - 1};
  int depth = 0, left, right;
  for (;;) {
    const int first = part.first, second = first + 1, last = part.last;
    if (last - first < insertionBelow) { // b1
      insertionSort(a, part);
      if (depth == 0)
        break;
      part = waiting[--depth];
    } else {
      // The median of first, middle and last comes to the front.
      exchange(a, first + (last - first) / 2, second);
      TOUCH(second);
      TOUCH(last);
      if (a[second] > a[last]) // b3
        exchange(a, second, last);
      TOUCH(first);
      TOUCH(last);
      if (a[first] > a[last]) // b4
        exchange(a, first, last);
      TOUCH(second);
      TOUCH(first);
      if (a[second] > a[first]) // b5
        exchange(a, second, first);
      partition(a, part, &left, &right);
      if (last - right >= left - first) { // b7
        waiting[depth++] = (struct Part){right, last};
        part.last = left;
      } else {
        waiting[depth++] = (struct Part){first, left};
        part.first = right;
      }
    }
  }
}
