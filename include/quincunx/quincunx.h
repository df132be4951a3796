/* For users' programs; needs nothing and works with every compiler, where it does nothing unless
 * the program was linked with the quincunx flag. See docs/10-compiler.md.
 *
 *   #include <quincunx/quincunx.h>
 *   QUINCUNX_IGNORE void helper(void);
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

/* The runtime's, where there is one. */
extern int __quincunx_flush(void) __attribute__((weak));

/* What this process has counted so far outlives whatever comes: it is on the disk when this
 * returns. For processes that are meant to run for ever, on file systems where counts are otherwise
 * kept at the end only, and against power cuts. Costs a file or a sync, so not for inner loops.
 * 0: done, or nothing is recorded in this program; -1: it could not be written. */
static inline int quincunx_flush(void) { return __quincunx_flush ? __quincunx_flush() : 0; }

#ifdef __cplusplus
}
#endif

#else

#define QUINCUNX_IGNORE
#define quincunx_flush() 0

#endif
#endif
