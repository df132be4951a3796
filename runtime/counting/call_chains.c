/* Calls that go on in what their function jumps to (struct qx_jump). A function has at most one of
 * them open in a thread, since of a recursive one only the outermost is recorded; so the list goes
 * through the state words of the functions, and however many jumps follow each other take no more
 * memory than that. Each member has the number of its chain: a list that was lost, as an exception
 * or a longjmp passed over its frame, is told from the one that its functions joined later. */
#include "counting/counting.h"

QX_HIDDEN __thread struct qx_jump qx_jump __attribute__((tls_model("initial-exec")));
/* What code of all images finds: the first image's. The runtime does not go by this name, as what
 * is visible is known to the dynamic linker only, and a static-pie executable has none. */
QX_VISIBLE extern __thread struct qx_jump qx_jump_of_all __asm__(QX_JUMP_SYMBOL)
    __attribute__((alias("qx_jump"), tls_model("initial-exec")));

void qx_end_chain(uint64_t *head, uint64_t chain, uint64_t now, qx_call_recorder *record) {
  while (head != NULL && head[QX_CALL_CHAIN] == chain) {
    uint64_t *state = head;
    head = (uint64_t *)state[QX_CALL_NEXT];
    state[QX_CALL_CHAIN] = 0;
    state[QX_CALL_FRAME] = 0;
    const uint64_t cost = now - state[QX_CALL_STARTED];
    const struct qx_function_header *f = (const void *)state[QX_CALL_MAP];
    if (!qx_count_call(state, cost))
      record((const void *)state[QX_CALL_IMAGE], state, f, f->recorder_words - 1 - QX_CALL_WORDS,
             cost);
  }
}

/* takes lock */ void qx_end_jump(void) {
  if (qx_jump.target == 0)
    return;
  qx_jump.target = 0;
  qx_end_chain((uint64_t *)qx_jump.head, qx_jump.chain, qx_jump.ended, qx_record_call);
}
