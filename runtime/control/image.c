/* This image, the executable or library that the copy of the runtime is linked into: where its
 * counters are, what its code calls, and when it comes and goes. It decides nothing: the registry,
 * which may be another copy's, does. */
#include "control/control.h"

extern uint64_t __start___qx_cnts[] QX_HIDDEN __attribute__((weak));
extern uint64_t __stop___qx_cnts[] QX_HIDDEN __attribute__((weak));
extern uint64_t __start___qx_state[] QX_HIDDEN __attribute__((weak));
extern uint64_t __stop___qx_state[] QX_HIDDEN __attribute__((weak));
extern const unsigned char __start___qx_map[] QX_HIDDEN __attribute__((weak));
extern const unsigned char __stop___qx_map[] QX_HIDDEN __attribute__((weak));

QX_HIDDEN __thread int64_t qx_delta __asm__(QX_DELTA_SYMBOL)
    __attribute__((tls_model("initial-exec")));

QX_HIDDEN __thread int64_t qx_state_delta __asm__(QX_STATE_DELTA_SYMBOL)
    __attribute__((tls_model("initial-exec")));

/* The clock of this thread: what it has done, in block costs; only differences mean something. The
 * first image's is that of all images. */
QX_VISIBLE __thread uint64_t qx_clock __asm__(QX_CLOCK_SYMBOL)
    __attribute__((tls_model("initial-exec")));
QX_HIDDEN extern __thread uint64_t qx_own_clock
    __attribute__((alias(QX_CLOCK_SYMBOL), tls_model("initial-exec")));

static int64_t *this_delta(void) { return &qx_delta; }
static int64_t *this_state_delta(void) { return &qx_state_delta; }
static uint64_t this_spill[QX_BLOCK_MOST];
struct qx_loaded_image qx_this_image = {.spill = this_spill};

/* Called by position-independent code while its distance is 0, and in executables by what libc may
 * call in threads of its own. */
QX_HIDDEN void __quincunx_attach(void) {
  if (qx_delta == 0 && qx_is_known())
    __quincunx_registry.attach(&qx_this_image);
}

QX_HIDDEN int __quincunx_flush(void) { return qx_is_known() ? __quincunx_registry.flush() : -1; }

/* Called by marked functions on entry and on their ways out. */
QX_HIDDEN void __quincunx_request(struct qx_mark *mark, const void *frame) {
  if (qx_is_known())
    __quincunx_registry.request(mark, (uintptr_t)frame);
}

QX_HIDDEN void __quincunx_request_done(const void *frame) {
  if (qx_is_known())
    __quincunx_registry.request_done((uintptr_t)frame);
}

QX_HIDDEN void __quincunx_feature(const char *name, double value) {
  if (qx_is_known())
    __quincunx_registry.feature(name, value);
}

/* An image that is not recorded counts nothing either. */
/* takes lock */ uint64_t *qx_ask_recorder(uint64_t *state, const void *record, uint64_t first,
                                           uint64_t words) {
  if (qx_is_known())
    return __quincunx_registry.recorder(&qx_this_image, state, record, first, words);
  *state = (uint64_t)this_spill;
  return this_spill;
}

/* takes lock */ void qx_ask_call(uint64_t *state, const void *record, uint64_t first,
                                  uint64_t cost) {
  if (qx_is_known())
    __quincunx_registry.call(&qx_this_image, state, record, first, cost);
  else if (state[QX_CALL_BLOCK] == 0)
    state[QX_CALL_BLOCK] = (uint64_t)this_spill, state[QX_CALL_READY] = QX_CALL_BUCKETS;
}

/* takes lock */ void qx_load_image(void) {
  if (&__start___qx_cnts[0] == &__stop___qx_cnts[0])
    return;
  qx_this_image.counters = __start___qx_cnts;
  qx_this_image.counters_end = __stop___qx_cnts;
  qx_this_image.state = __start___qx_state;
  qx_this_image.state_end = __stop___qx_state;
  qx_this_image.map = __start___qx_map;
  qx_this_image.map_end = __stop___qx_map;
  qx_this_image.delta = this_delta;
  qx_this_image.state_delta = this_state_delta;
  qx_find_pthread_create();
  if (!qx_is_known()) {
    qx_save_stderr_identity();
    qx_complain((const char *const[]){
        "another image brought a runtime of another version; this one is not recorded", NULL});
    return;
  }
  __quincunx_registry.add(&qx_this_image);
}

__attribute__((constructor(101))) static void image_loaded(void) { qx_load_image(); }

/* Priority 101 runs last: static destructors and atexit handlers still count. The copy whose
 * registry is in use writes the record; at exit that is the executable's, before libraries are
 * unloaded. */
__attribute__((destructor(101))) static void image_unloaded(void) {
  if (!qx_end() && qx_this_image.delta != NULL && qx_is_known())
    __quincunx_registry.remove(&qx_this_image);
}
