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

QX_HIDDEN PRESERVES void __quincunx_tally(uint64_t *counters, uint64_t first, uint64_t length) {
  ++counters[first + qx_bin(length)];
}

QX_HIDDEN void __quincunx_cut(uint64_t *counters, uint64_t first, const int64_t *states,
                              uint64_t n) {
  uint64_t *recorders = counters + first;
  for (uint64_t i = 0; i < n; ++i, recorders += QX_RUN_WORDS) {
    int64_t r = states[i];
    uint64_t length = r < 0 ? 0 - (uint64_t)r : (uint64_t)r;
    ++recorders[(r < 0 ? QX_CUT_FALSE : QX_CUT_TRUE) * QX_BINS + qx_bin(length)];
  }
}
