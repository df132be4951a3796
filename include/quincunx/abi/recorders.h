/* Histograms that instrumented code fills: where words of recorders are, and which bin counts what.
 * For the passes, the runtime, and the readers of counts. It does not say how they are stored in
 * records. */
#ifndef QUINCUNX_ABI_RECORDERS_H
#define QUINCUNX_ABI_RECORDERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Recorders are histograms, in words that a thread gets when it first needs them, since most are
 * never needed. A block of them is a stretch of the words of one recorder. They are numbered like
 * counters, behind those of the image, function by function in the order of its map.
 *
 * A loop's recorder (record=runs) is a block; one state word says where it is, 0: nowhere yet. */
#define QX_BLOCK_MOST (1u << 20) /* words of a block, at most */

/* Lengths below 16 have a bin each; then there are four bins for each power of two up to 2^28, of
 * which the last one has no upper end. */
#define QX_EXACT_BINS 16u
#define QX_BINS 112u

/* Returns the bin of a length, below QX_BINS. */
static inline uint32_t qx_bin(uint64_t length) {
  if (length < QX_EXACT_BINS)
    return (uint32_t)length;
  uint32_t log = 63u - (uint32_t)__builtin_clzll(length);
  if (log >= 28)
    return QX_BINS - 1;
  return QX_EXACT_BINS + (log - 4) * 4 + (uint32_t)((length >> (log - 2)) & 3);
}
/* Returns the smallest length of a bin. */
static inline uint64_t qx_bin_low(uint32_t bin) {
  if (bin < QX_EXACT_BINS)
    return bin;
  uint32_t log = (bin - QX_EXACT_BINS) / 4 + 4;
  return (4ull + (bin - QX_EXACT_BINS) % 4) << (log - 2);
}

/* Returns where a length is recorded around a word: r >= 0 in the one qx_bin(r) behind it, r < 0 in
 * the one qx_bin(-r) before it. */
static inline int64_t qx_signed_bin(int64_t r) {
  return r < 0 ? -(int64_t)qx_bin(0 - (uint64_t)r) : (int64_t)qx_bin((uint64_t)r);
}

/* A loop has, for each way out of it that the map tells apart, one histogram of the backedges taken
 * per entry. A branch in a loop has four of run lengths, of which two lie mirrored before the two
 * others, so that a state (r > 0: r times true so far, r < 0: -r times false) is the distance from
 * a word:
 *
 *   around           runs                                      bins
 *   QX_ENDED_FALSE   of false that ended                       111 ... 0
 *   QX_ENDED_TRUE    of true that ended                        0 ... 111
 *   QX_CUT           cut off because the loop was left         false 111 ... 1, true 0 ... 111
 *
 * No run has length 0, so bin 0 counts entries of the loop instead; that of QX_CUT has no meaning:
 *
 *   bin 0 of         counts entries in which the first outcome was
 *   QX_ENDED_FALSE   true
 *   QX_ENDED_TRUE    false
 */
#define QX_ENDED_FALSE (QX_BINS - 1u)
#define QX_ENDED_TRUE QX_BINS
#define QX_CUT (3u * QX_BINS - 1u)
#define QX_RUN_WORDS (4u * QX_BINS - 1u)

/* The recorder of a function's calls (record=calls) has the sum of their costs, and how many cost
 * how much. Buckets are exact below 128, then 64 per octave (at most 1.6 % wide) up to 2^48; the
 * last one is open. Blocks of this recorder begin with the sum and have as many buckets as there
 * was need for. A function that ends in jumps has one word more, the last of its recorders: calls
 * that are cut (struct qx_jump). The state words: */
enum {
  QX_CALL_FRAME = 0, /* place of the outermost frame that is active */
  QX_CALL_READY = 1, /* how many buckets the block has */
  QX_CALL_BLOCK = 2, /* where it is; written before READY */
  QX_CALL_STATE_WORDS = 3,
  /* and those of a function that ends in jumps: */
  QX_CALL_STARTED = 3, /* the clock when the call began that is open in a chain */
  QX_CALL_MAP = 4,     /* the function's map record */
  QX_CALL_NEXT = 5,    /* state words of the function that joined the chain before, or 0 */
  QX_CALL_CHAIN = 6,   /* number of the chain; 0: in none */
  QX_CALL_CUT = 7,     /* where the word of cut calls is */
  QX_CALL_IMAGE = 8,   /* the function's, as the runtime knows it */
  QX_CALL_JUMP_WORDS = 9,
  QX_CALL_PER_OCTAVE = 64,
  QX_CALL_BITS = 48,
  QX_CALL_BUCKETS = QX_CALL_PER_OCTAVE * (QX_CALL_BITS - 5),
  QX_CALL_WORDS = 1 + QX_CALL_BUCKETS
};

/* Returns the bucket of a cost, below QX_CALL_BUCKETS. */
static inline uint32_t qx_call_bucket(uint64_t cost) {
  const uint64_t most = (1ull << QX_CALL_BITS) - 1;
  cost = cost < most ? cost : most;
  uint32_t shift = 57u - (uint32_t)__builtin_clzll(cost | QX_CALL_PER_OCTAVE);
  return shift * QX_CALL_PER_OCTAVE + (uint32_t)(cost >> shift);
}
/* Returns the smallest cost in a bucket. */
static inline uint64_t qx_call_bucket_low(uint32_t bucket) {
  uint32_t shift = bucket < 2 * QX_CALL_PER_OCTAVE ? 0 : bucket / QX_CALL_PER_OCTAVE - 1;
  return (uint64_t)(bucket - shift * QX_CALL_PER_OCTAVE) << shift;
}

/* A call whose function ends in a jump goes on in what is jumped to: a chain of open calls is
 * handed from frame to frame, a function at most once, and who returns from the last of them ends
 * all. On the way it is here, one in each thread: the function that the jump goes to takes it over
 * on entry. Whoever else comes first finds that nobody did: the calls ended with the jump, as what
 * is not counted costs nothing. If it came from further down the stack it may have been called by
 * what was jumped to, and its cost may belong to these calls: they are cut. */
struct qx_jump {
  uint64_t target; /* address of the function; 0: nothing is handed over */
  uint64_t head;   /* state words of the function that joined last */
  uint64_t chain;  /* number of the chain; of none: QX_NO_CHAIN */
  uint64_t ended;  /* the clock at the jump */
  uint64_t place;  /* where the frame has its return address */
  uint64_t chains; /* how many there were */
  uint64_t here;   /* set before the runtime is called: place of the frame that calls, */
  uint64_t now;    /* and, before a jump, the clock */
};
#define QX_NO_CHAIN UINT64_MAX

/* Counters of one block that touches memory, in their order (docs/13-machines.md). */
enum {
  QX_L2_HIT = 0,
  QX_L3_HIT = 1,
  QX_MEMORY_ACCESS = 2,
  QX_PREFETCHED_LINE = 3,
  QX_PAGE_WALK = 4,
  QX_MEMORY_COUNTERS = 5
};

#ifdef __cplusplus
}
#endif
#endif
