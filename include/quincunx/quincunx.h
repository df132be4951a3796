/* For users' programs; needs nothing and works with every compiler, where it does nothing unless
 * the program was linked with the quincunx flag. See docs/10-compiler.md.
 *
 *   #include <quincunx/quincunx.h>
 *   QUINCUNX_IGNORE void helper(void);
 *   QUINCUNX_REQUEST void handle(struct query *q) { quincunx_feature("bytes", q->size); ... }
 *   quincunx_flush();
 */
#ifndef QUINCUNX_QUINCUNX_H
#define QUINCUNX_QUINCUNX_H

#if defined(__GNUC__) && defined(__ELF__)

#ifdef __cplusplus
extern "C" {
#endif

/* On a function: it is not counted. In C++ and C23 [[quincunx::ignore]] is the same, where the flag
 * is used. */
#define QUINCUNX_IGNORE __attribute__((no_profile_instrument_function))

/* On a function: each of its calls is a request, of which the counts are kept apart like those of a
 * run. In C++ and C23 [[quincunx::request]] is the same, where the flag is used. */
#if defined(__has_attribute)
#if __has_attribute(annotate)
#define QUINCUNX_REQUEST __attribute__((annotate("quincunx::request")))
#endif
#endif
#ifndef QUINCUNX_REQUEST
#define QUINCUNX_REQUEST
#endif

/* On a function: what it may cost, as in QUINCUNX_BUDGET("p99 < 2 ms"), for quincunx check. Where
 * the flag is used [[quincunx::budget("p99 < 2 ms")]] is the same. */
#if defined(__clang__) && defined(__cplusplus) && defined(__has_cpp_attribute)
#if __has_cpp_attribute(quincunx::budget)
#define QUINCUNX_BUDGET(text) [[quincunx::budget(text)]]
#endif
#elif defined(__clang__) && defined(__has_c_attribute)
#if __has_c_attribute(quincunx::budget)
#define QUINCUNX_BUDGET(text) [[quincunx::budget(text)]]
#endif
#endif
#ifndef QUINCUNX_BUDGET
#define QUINCUNX_BUDGET(text)
#endif

/* The runtime's, where there is one. */
extern int __quincunx_flush(void) __attribute__((weak));
extern void __quincunx_feature(const char *name, double value) __attribute__((weak));

/* What this process has counted so far outlives whatever comes: it is on the disk when this
 * returns. For processes that are meant to run for ever, on file systems where counts are otherwise
 * kept at the end only, and against power cuts. Costs a file or a sync, so not for inner loops.
 * 0: done, or nothing is recorded in this program; -1: it could not be written. */
QUINCUNX_IGNORE static inline int quincunx_flush(void) {
  return __quincunx_flush ? __quincunx_flush() : 0;
}

/* A number that is known about the request the thread is in, or, outside of requests, about the
 * run: the size of an input, say. A second value of a name takes the place of the first. Names have
 * up to 55 bytes; a request keeps 16 of them, a run 63. Values that are not finite are left out. */
QUINCUNX_IGNORE static inline void quincunx_feature(const char *name, double value) {
  if (__quincunx_feature)
    __quincunx_feature(name, value);
}

#ifdef __cplusplus
}
#endif

#else

#define QUINCUNX_IGNORE
#define QUINCUNX_REQUEST
#define QUINCUNX_BUDGET(text)
#define quincunx_flush() 0
#define quincunx_feature(name, value) ((void)(name), (void)(value))

#endif
#endif
