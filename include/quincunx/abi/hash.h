/* The hash of records and maps: 128 bits, two lanes of multiply-and-fold over 8-byte words. Equal
 * bytes give equal hashes on every machine; it guards against accidents, not against forgers. */
#ifndef QUINCUNX_ABI_HASH_H
#define QUINCUNX_ABI_HASH_H

#include "quincunx/abi/symbols.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the upper half of the product. */
static inline uint64_t qx_high(uint64_t a, uint64_t b) {
  return (uint64_t)(((unsigned __int128)a * b) >> 64);
}
static inline uint64_t qx_fold(uint64_t a, uint64_t b) {
  unsigned __int128 p = (unsigned __int128)a * b;
  return (uint64_t)p ^ (uint64_t)(p >> 64);
}

struct qx_hash_state {
  uint64_t a, b;
};
static inline void qx_hash_word(struct qx_hash_state *s, uint64_t w) {
  s->a = qx_fold(s->a ^ w, 0xa0761d6478bd642full) + s->b;
  s->b = qx_fold(s->b + w, 0xe7037ed1a0b428dbull) ^ (s->a >> 29);
}
static inline void qx_hash_finish(const struct qx_hash_state *s, uint64_t out[2]) {
  out[0] = qx_fold(s->a ^ 0x8ebc6af09c88c6e3ull, s->b | 1);
  out[1] = qx_fold(s->b ^ 0x589965cc75374cc3ull, s->a | 1);
}
static inline void qx_hash(const void *bytes, size_t size, uint64_t out[2]) {
  const unsigned char *p = (const unsigned char *)bytes; /* NOLINT(modernize-use-auto): C */
  struct qx_hash_state s = {0x9e3779b97f4a7c15ull ^ size, 0xd1b54a32d192ed03ull + size};
  uint64_t w; /* little endian, as everything here */
#pragma GCC unroll 4
  for (; size >= sizeof w; size -= sizeof w, p += sizeof w) {
    __builtin_memcpy(&w, p, sizeof w);
    qx_hash_word(&s, w);
  }
  if (size > 0) {
    w = 0;
    __builtin_memcpy(&w, p, size);
    qx_hash_word(&s, w);
  }
  qx_hash_finish(&s, out);
}

/* Hashes what names a map: where each function's counters are, and the hash of its body, which the
 * compiler computed. A program pays for a few words per function when it writes its record, not for
 * the whole section; who reads a map checks the bodies against their hashes. */
static inline void qx_map_hash(const void *map, size_t size, uint64_t out[2]) {
  struct qx_hash_state s = {0x9e3779b97f4a7c15ull ^ size, 0xd1b54a32d192ed03ull + size};
  for (size_t at = 0; at < size && size - at >= sizeof(struct qx_function_header);) {
    struct qx_function_header h;
    __builtin_memcpy(&h, (const char *)map + at, sizeof h);
    if (h.magic != QX_FUNCTION_MAGIC || h.size < sizeof h) { /* padding of the linker's */
      at += 8;
      continue;
    }
    qx_hash_word(&s, at);
    qx_hash_word(&s, (uint64_t)h.counters);
    qx_hash_word(&s, h.body_hash[0]);
    qx_hash_word(&s, h.body_hash[1]);
    at += h.size;
  }
  qx_hash_finish(&s, out);
}

#ifdef __cplusplus
}
#endif
#endif
