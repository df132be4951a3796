/* What instrumented code calls to record a length where that is not worth its code in place: a run
 * of outcomes or a number of trips (record=runs), and for words it has not yet. Histograms are the
 * thread's, and the state of a run lies in the frame that calls, so nothing here is shared. See
 * abi/recorders.h for the bins. */
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC target("general-regs-only")
#endif
#include "control/control.h"

QX_HIDDEN QX_PRESERVES void __quincunx_tally(uint64_t *block, uint64_t word, int64_t r) {
  ++block[(int64_t)word + qx_signed_bin(r)];
}

QX_HIDDEN QX_PRESERVES void __quincunx_turn(uint64_t *block, uint64_t first, int64_t *states,
                                            int64_t outcome) {
  bool now = outcome >= 0;
  int64_t i = now ? outcome : ~outcome, r = states[1 + i];
  uint64_t *recorder = block + first + i * QX_RUN_WORDS;
  ++recorder[(now ? QX_ENDED_FALSE : QX_ENDED_TRUE) + qx_signed_bin(r)];
  if (r == 0)
    ((uint32_t *)states)[-++states[0]] = (uint32_t)i;
  states[1 + i] = now ? 1 : -1;
}

QX_HIDDEN QX_PRESERVES void __quincunx_cut(uint64_t *block, uint64_t first, int64_t *states) {
  const uint32_t *numbers = (const uint32_t *)states;
  for (; states[0] > 0; --states[0]) {
    uint32_t i = numbers[-states[0]];
    uint64_t *recorder = block + first + (uint64_t)i * QX_RUN_WORDS;
    ++recorder[QX_CUT + qx_signed_bin(states[1 + i])];
    states[1 + i] = 0;
  }
}

QX_HIDDEN QX_PRESERVES uint64_t *__quincunx_recorder(uint64_t *state, const void *record,
                                                     uint64_t first, uint64_t words) {
  return qx_ask_recorder(state, record, first, words);
}

QX_HIDDEN QX_PRESERVES void __quincunx_call(uint64_t *state, const void *record, uint64_t first,
                                            uint64_t cost) {
  qx_ask_call(state, record, first, cost);
}
