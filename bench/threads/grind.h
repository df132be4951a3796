// Work that costs what it is asked to, and factors that are made by -DPLACE=FACTOR.
#pragma once
#define TIMES(place, amount) ((unsigned)((amount) * FACTOR_##place))
#ifndef FACTOR_WORK
#define FACTOR_WORK 1
#endif
#ifndef FACTOR_FIRST
#define FACTOR_FIRST 1
#endif
#ifndef FACTOR_SECOND
#define FACTOR_SECOND 1
#endif
#ifndef FACTOR_THIRD
#define FACTOR_THIRD 1
#endif
static volatile unsigned sink;
__attribute__((noinline)) static void grind(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink = i;
}
