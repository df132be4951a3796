/* What the compiler writes into objects: sections, the header of a function's record, and the names
 * of what instrumented code calls. For the passes, the plugin and the runtime. It does not describe
 * the body of a record; lib/map owns that. */
#ifndef QUINCUNX_ABI_SYMBOLS_H
#define QUINCUNX_ABI_SYMBOLS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define QX_ABI_VERSION 8

/* Sections of an instrumented object. All names are C identifiers, so the linker provides
 * __start_NAME and __stop_NAME. Counters: 64-bit words, zero; the copy in the image is the arena of
 * any thread that has no arena of its own. State: 64-bit words, zero, that count nothing: where a
 * thread's recorders are. Map: function records, 8-byte aligned, read-only. */
#define QX_COUNTER_SECTION "__qx_cnts"
#define QX_STATE_SECTION "__qx_state"
#define QX_MAP_SECTION "__qx_map"

/* The thread-local distances from the image's counters to this thread's arena, and from the image's
 * state to this thread's, one of each per image. The name of the first is what a linker prints when
 * the runtime is missing, so it says what to do. */
#define QX_DELTA_SYMBOL "__quincunx_runtime_missing_so_link_with_clang_and_config_quincunx_cfg"
#define QX_STATE_DELTA_SYMBOL "__quincunx_state_distance"
/* Gives the thread an arena, if it has none; position-independent code calls it on entry while the
 * distance is 0, in executables what libc may call in threads of its own (SIGEV_THREAD) does. */
#define QX_ATTACH_SYMBOL "__quincunx_attach"
/* What instrumented code calls in place of _Fork (which is the argument), of clone, and of syscall
 * where that copies the process: it counts apart then, as after fork. */
#define QX_FORK_SYMBOL "__quincunx_fork"
#define QX_CLONE_SYMBOL "__quincunx_clone"
#define QX_SYSCALL_SYMBOL "__quincunx_syscall"
/* What quincunx_flush() of quincunx.h calls where a runtime is linked. */
#define QX_FLUSH_SYMBOL "__quincunx_flush"

/* The record of one function is this header, then `size - sizeof(header)` bytes of body (lib/map).
 * The linker may leave zero words between records. */
#define QX_FUNCTION_MAGIC 0x33465851u /* "QXF3" */
struct qx_function_header {
  uint32_t magic;
  uint32_t size;          /* of the whole record, a multiple of 8 */
  int64_t counters;       /* address of the first counter minus the address of this field */
  uint32_t counter_count; /* 64-bit words in the counter section */
  uint32_t body_size;     /* bytes of body in use */
  uint64_t body_hash[2];  /* qx_hash of them */
  uint32_t recorder_words;
  uint32_t reserved;
};
static_assert(sizeof(struct qx_function_header) == 48, "function header is part of the format");

/* The thread's clock of block costs, one for all images of a process. */
#define QX_CLOCK_SYMBOL "__quincunx_clock"

/* Requests: functions with this annotation ([[quincunx::request]], QUINCUNX_REQUEST). Such a
 * function calls the runtime on entry, with its mark and the place of its frame, and on its ways
 * out, with the place of its frame. */
#define QX_REQUEST_ANNOTATION "quincunx::request"
#define QX_REQUEST_SYMBOL "__quincunx_request"
#define QX_REQUEST_DONE_SYMBOL "__quincunx_request_done"
struct qx_mark {
  uint64_t *counters; /* of the function, in its image's section */
  void *known;        /* the runtime's */
};

/* ---- recorders (recorders.h); arguments are named in brackets ---- */

/* Returns a block, and stores where it is in the state word.
 * (state word, map record, first word among the function's recorders, how many) */
#define QX_RECORDER_SYMBOL "__quincunx_recorder"
/* Does ++block[word + qx_signed_bin(r)]. Preserves all registers on x86-64. It takes the block and
 * a number, because one base serves all calls: thousands of addresses would be kept in registers
 * all at once. (block, word, r) */
#define QX_TALLY_SYMBOL "__quincunx_tally"
/* Says that branch `outcome` is true, or branch ~outcome false, and was not before. Loops with many
 * branches keep their states in memory, behind a word that says how many of them are not 0; before
 * that word, growing downwards, are the numbers of those, 32 bits each. So what is not evaluated
 * costs nothing when the loop is left. Recorders lie one behind the other from word `first` on.
 * (block, first, states, outcome) */
#define QX_TURN_SYMBOL "__quincunx_turn"
/* Says that the loop is left, which cuts off what runs. (block, first, states) */
#define QX_CUT_SYMBOL "__quincunx_cut"
/* Records one call of which the bucket is not ready. Preserves all registers on x86-64.
 * (state words, map record, first word among the function's recorders, cost) */
#define QX_CALL_SYMBOL "__quincunx_call"
/* The thread's struct qx_jump, one for all images of a process. */
#define QX_JUMP_SYMBOL "__quincunx_jump"
/* Hands over the calls of a frame that is about to jump: that of the function, if there are state
 * words, which began at `started`, and those of `chain` from `head` on that it took over itself.
 * Preserves all registers on x86-64, as do the next two.
 * (state words or null, started, head or 0, chain, target, jump) */
#define QX_JUMPS_SYMBOL "__quincunx_jumps"
/* Says that `function` begins while something is handed over. Returns the head of the chain that it
 * took over, whose number stands in the jump, or 0. (function, jump) */
#define QX_TAKE_SYMBOL "__quincunx_take"
/* Ends the calls of a chain. (head, chain, clock) */
#define QX_END_SYMBOL "__quincunx_end"

/* ---- the simulated predictor and caches (record=predictor; docs/13-machines.md) ----
 * Instrumented code says what it is about to do, and a counter that is passed along counts what was
 * not predicted. A site is any 64 bits that stay the same from build to build and differ from those
 * of other sites. */

/* A conditional branch goes that way. (counter, site, outcome) */
#define QX_BRANCH_SYMBOL "__quincunx_branch"
/* A switch, an indirect jump or an indirect call goes there. (counter, site, target) */
#define QX_TARGET_SYMBOL "__quincunx_target"
/* That much memory is read or written. (the first of QX_MEMORY_COUNTERS, address, bytes) */
#define QX_ACCESS_SYMBOL "__quincunx_access"

#ifdef __cplusplus
}
#endif
#endif
