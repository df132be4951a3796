/* What instrumented loops call to record a length where that is not worth its code in place: a run
 * of outcomes or a number of trips (record=runs). Histograms lie in the counters of the thread, and
 * the state of a run in the frame that calls, so nothing here is shared. See abi.h for the bins. */
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC target("general-regs-only")
#endif
#include "runtime.h"

/* Called from the rare side of innermost loops, where all registers are in use: to its callers it
 * is preserve_most, which gcc has under another name. */
#if !defined(__x86_64__)
#define PRESERVES
#elif defined(__clang__)
#define PRESERVES __attribute__((preserve_most))
#else
#define PRESERVES __attribute__((no_caller_saved_registers))
#endif

QX_HIDDEN PRESERVES void __quincunx_tally(uint64_t *counters, uint64_t word, int64_t r) {
  ++counters[(int64_t)word + qx_signed_bin(r)];
}

QX_HIDDEN PRESERVES void __quincunx_turn(uint64_t *counters, uint64_t first, int64_t *states,
                                         int64_t outcome) {
  bool now = outcome >= 0;
  int64_t i = now ? outcome : ~outcome, r = states[1 + i];
  uint64_t *recorder = counters + first + i * QX_RUN_WORDS;
  ++recorder[(now ? QX_ENDED_FALSE : QX_ENDED_TRUE) + qx_signed_bin(r)];
  if (r == 0)
    ((uint32_t *)states)[-++states[0]] = (uint32_t)i;
  states[1 + i] = now ? 1 : -1;
}

QX_HIDDEN void __quincunx_cut(uint64_t *counters, uint64_t first, int64_t *states) {
  const uint32_t *numbers = (const uint32_t *)states;
  for (; states[0] > 0; --states[0]) {
    uint32_t i = numbers[-states[0]];
    uint64_t *recorder = counters + first + (uint64_t)i * QX_RUN_WORDS;
    ++recorder[QX_CUT + qx_signed_bin(states[1 + i])];
    states[1 + i] = 0;
  }
}
