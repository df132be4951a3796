/* The checksum of raw records: 128 bits, two lanes of multiply-and-fold, each over every other 16
 * bytes, so that a program pays for a multiplication in 16 bytes when it ends. It guards against
 * accidents, not against forgers. */
#ifndef QUINCUNX_ABI_CHECKSUM_H
#define QUINCUNX_ABI_CHECKSUM_H

#include "quincunx/abi/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline uint64_t qx_checksum_word(const unsigned char *at) {
  uint64_t word; /* little endian, as everything here */
  __builtin_memcpy(&word, at, sizeof word);
  return word;
}
static inline uint64_t qx_checksum_step(uint64_t lane, const unsigned char *at) {
  return qx_fold(lane ^ qx_checksum_word(at), qx_checksum_word(at + 8) ^ 0xa0761d6478bd642full) +
         lane;
}

/* Bytes behind the last 32 count as zeros. */
static inline void qx_checksum(const void *bytes, size_t size, uint64_t out[2]) {
  const unsigned char *p = (const unsigned char *)bytes; /* NOLINT(modernize-use-auto): C */
  uint64_t a = 0x9e3779b97f4a7c15ull ^ size, b = 0xd1b54a32d192ed03ull + size;
#pragma GCC unroll 2
  for (; size >= 32; size -= 32, p += 32) {
    a = qx_checksum_step(a, p);
    b = qx_checksum_step(b, p + 16);
  }
  if (size > 0) {
    unsigned char rest[32] = {0};
    __builtin_memcpy(rest, p, size);
    a = qx_checksum_step(a, rest);
    b = qx_checksum_step(b, rest + 16);
  }
  out[0] = qx_fold(a ^ 0x8ebc6af09c88c6e3ull, b | 1);
  out[1] = qx_fold(b ^ 0x589965cc75374cc3ull, a | 1);
}

#ifdef __cplusplus
}
#endif
#endif
