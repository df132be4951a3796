// Parallel sorting by regular sampling (Shi & Schaeffer 1992): parts are sorted, a sample of each
// part gives pivots, each part is cut at the pivots, and pieces between the same pivots are merged.
#pragma once
#include <stdlib.h>
#include <string.h>

enum { mostParts = 256 };

static void quicksort(double *first, double *last) {
  while (last - first > 1) {
    const double pivot = first[(last - first) / 2];
    double *i = first, *j = last - 1;
    while (i <= j) {
      while (*i < pivot)
        ++i;
      while (*j > pivot)
        --j;
      if (i <= j) {
        const double held = *i;
        *i++ = *j;
        *j-- = held;
      }
    }
    quicksort(first, j + 1);
    first = i;
  }
}

// Where pieces of a sorted part begin: piece p holds what is below pivot p and not below pivot p-1.
static void disjoin(const double *part, long size, const double *pivot, int parts, long *begin) {
  long at = 0;
  begin[0] = 0;
  for (int p = 0; p + 1 < parts; ++p) {
    while (at < size && part[at] < pivot[p])
      ++at;
    begin[p + 1] = at;
  }
  begin[parts] = size;
}

// Merges one piece of each part into `out`, one after another, cyclically from part `piece` on.
static void merge(const double *a, long size, int parts, long (*begin)[mostParts + 1], int piece,
                  double *out) {
  long n = 0;
  for (int p = 0; p < parts; ++p) {
    const int part = (piece + p) % parts;
    const double *const from = a + part * size + begin[part][piece];
    long j = begin[part][piece + 1] - begin[part][piece], i = n;
    n += j;
    for (long at = n; j > 0;) // from the end, so that nothing is overwritten that is still to come
      if (i > 0 && out[i - 1] > from[j - 1])
        out[--at] = out[--i];
      else
        out[--at] = from[--j];
  }
}

// Sorts the `parts` parts of `size` numbers each in `a` into `out`. `parts` * `size` < 2^31.
static void psrs(double *a, double *out, int parts, long size) {
  static double sample[mostParts * mostParts];
  static long begin[mostParts][mostParts + 1];
#pragma omp parallel for schedule(static) // sort
  for (int p = 0; p < parts; ++p)
    quicksort(a + p * size, a + (p + 1) * size);
  for (int p = 0; p < parts; ++p)
    for (int i = 0; i < parts; ++i)
      sample[p * parts + i] = a[p * size + i * size / parts];
  quicksort(sample, sample + parts * parts);
  double pivot[mostParts];
  for (int p = 0; p + 1 < parts; ++p)
    pivot[p] = sample[(p + 1) * parts + parts / 2 - 1];
#pragma omp parallel for schedule(static) // disjoin
  for (int p = 0; p < parts; ++p)
    disjoin(a + p * size, size, pivot, parts, begin[p]);
  long first[mostParts], n = 0;
  for (int piece = 0; piece < parts; ++piece) {
    first[piece] = n;
    for (int p = 0; p < parts; ++p)
      n += begin[p][piece + 1] - begin[p][piece];
  }
#pragma omp parallel for schedule(static) // merge
  for (int piece = 0; piece < parts; ++piece)
    merge(a, size, parts, begin, piece, out + first[piece]);
}
