/* memcpy and its like, for the runtime alone. The program may define them, and have them
 * instrumented: the runtime's calls would be counted among the program's. visible.h leads to here
 * what sources call, and what compilers call where something large is assigned. They must not find
 * these loops either, and call for each the function that it is: hence the empty instructions.
 * Small and plain: libc's compare some kilobytes faster. */
#include "os/os.h"

#define LOOP_OF_ITS_OWN __asm__ volatile("")

/* Of any type, anywhere. */
typedef uint64_t vector __attribute__((vector_size(16), aligned(1), may_alias));
struct piece {
  vector of[4];
};

void *qx_memcpy(void *restrict to, const void *restrict from, size_t n) {
  char *t = to;
  const char *f = from;
  for (; n >= sizeof(struct piece); n -= sizeof(struct piece)) {
    LOOP_OF_ITS_OWN;
    *(struct piece *)(void *)t = *(const struct piece *)(const void *)f;
    t += sizeof(struct piece);
    f += sizeof(struct piece);
  }
  for (; n > 0; --n) {
    LOOP_OF_ITS_OWN;
    *t++ = *f++;
  }
  return to;
}

void *qx_memset(void *to, int byte, size_t n) {
  char *t = to;
  const uint64_t word = (unsigned char)byte * 0x0101010101010101u;
  const vector v = {word, word};
  for (; n >= sizeof(struct piece); n -= sizeof(struct piece)) {
    LOOP_OF_ITS_OWN;
    *(struct piece *)(void *)t = (struct piece){{v, v, v, v}};
    t += sizeof(struct piece);
  }
  for (; n > 0; --n) {
    LOOP_OF_ITS_OWN;
    *t++ = (char)byte;
  }
  return to;
}

static bool equal(const struct piece *a, const struct piece *b) {
  const vector different =
      (a->of[0] ^ b->of[0]) | (a->of[1] ^ b->of[1]) | (a->of[2] ^ b->of[2]) | (a->of[3] ^ b->of[3]);
  return (different[0] | different[1]) == 0;
}

int qx_memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  while (n >= sizeof(struct piece) &&
         equal((const struct piece *)(const void *)x, (const struct piece *)(const void *)y)) {
    x += sizeof(struct piece);
    y += sizeof(struct piece);
    n -= sizeof(struct piece);
  }
  for (; n > 0 && *x == *y; ++x, ++y, --n)
    LOOP_OF_ITS_OWN;
  return n > 0 ? *x - *y : 0;
}

int qx_strcmp(const char *a, const char *b) {
  for (; *a != 0 && *a == *b; ++a, ++b)
    LOOP_OF_ITS_OWN;
  return (unsigned char)*a - (unsigned char)*b;
}

size_t qx_length(const char *text) {
  const char *at = text;
  for (; *at != 0; ++at)
    LOOP_OF_ITS_OWN;
  return (size_t)(at - text);
}
