/* What instrumented code calls around jumps to other functions; see struct qx_jump. */
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC target("general-regs-only")
#endif
#include "control/control.h"

/* An image that is not recorded counts nothing. */
/* takes lock */ static void end_chain(uint64_t *head, uint64_t chain, uint64_t now) {
  if (qx_is_known())
    qx_end_chain(head, chain, now, __quincunx_registry.call);
}

/* takes lock */ static void cut(uint64_t *state) {
  const struct qx_function_header *f = (const void *)state[QX_CALL_MAP];
  uint64_t *word = (uint64_t *)state[QX_CALL_CUT];
  if (word == NULL && qx_is_known())
    word = __quincunx_registry.recorder((const void *)state[QX_CALL_IMAGE], &state[QX_CALL_CUT], f,
                                        f->recorder_words - 1, 1);
  if (word != NULL)
    ++*word;
}

/* Nobody took over what was handed over before a function began, or jumps. */
/* takes lock */ static QX_PRESERVES __attribute__((noinline)) void end_jump(struct qx_jump *jump) {
  uint64_t *const head = (uint64_t *)jump->head;
  const uint64_t chain = jump->chain, ended = jump->ended;
  jump->target = 0;
  if (jump->here < jump->place) /* stacks grow downwards */
    for (uint64_t *s = head; s != NULL && s[QX_CALL_CHAIN] == chain;
         s = (uint64_t *)s[QX_CALL_NEXT])
      cut(s);
  end_chain(head, chain, ended);
}

/* takes lock */ QX_HIDDEN QX_PRESERVES void __quincunx_jumps(uint64_t *state, uint64_t started,
                                                              uint64_t *head, uint64_t chain,
                                                              uint64_t target,
                                                              struct qx_jump *jump) {
  if (jump->target != 0)
    end_jump(jump);
  if (state != NULL) {
    chain = head != NULL ? chain : ++jump->chains;
    state[QX_CALL_STARTED] = started;
    state[QX_CALL_IMAGE] = (uint64_t)&qx_this_image;
    state[QX_CALL_NEXT] = (uint64_t)head;
    state[QX_CALL_CHAIN] = chain;
    head = state;
  }
  if (head == NULL)
    return;
  jump->head = (uint64_t)head;
  jump->chain = chain;
  jump->ended = jump->now;
  jump->place = jump->here;
  __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a handler of signals may hand over, too */
  jump->target = target;
}

/* takes lock */ QX_HIDDEN QX_PRESERVES uint64_t *__quincunx_take(uint64_t function,
                                                                  struct qx_jump *jump) {
  if (jump->target == function) {
    jump->target = 0;
    return (uint64_t *)jump->head;
  }
  end_jump(jump);
  jump->chain = QX_NO_CHAIN;
  return NULL;
}

/* takes lock */ QX_HIDDEN QX_PRESERVES void __quincunx_end(uint64_t *head, uint64_t chain,
                                                            uint64_t now) {
  end_chain(head, chain, now);
}
