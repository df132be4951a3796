/* Which functions are those of C++'s library, by their linkage names: for who says where in the
 * source something is (passes), and for who reads that (lib/estimate). */
#ifndef QUINCUNX_ABI_LIBRARY_NAMES_H
#define QUINCUNX_ABI_LIBRARY_NAMES_H

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* With -g, clang puts the code of a directive of OpenMP into a function with this in its name,
 * which the outlined one calls. */
#define QX_CODE_OF_DIRECTIVE ".omp_outlined_debug__"

/* Is that the linkage name of a function of namespace std or __gnu_cxx, of what stands in one, or
 * of what threads of libstdc++ are made of? Only abbreviations of std can begin a name with S
 * (Itanium C++ ABI, 5.1.10). */
static inline int qx_is_of_library(const char *name) {
  if (strncmp(name, "_Z", 2) != 0)
    return 0;
  const char *at = name + 2;
  at += strspn(at, "Z");
  if (*at == 'N')
    at += 1 + strspn(at + 1, "rVKRO");
  if (*at == 'S' || strncmp(at, "9__gnu_cxx", 10) == 0)
    return 1;
  return *at == 'L' && strncmp(at + 1 + strspn(at + 1, "0123456789"), "__gthread", 9) == 0;
}

#ifdef __cplusplus
}
#endif

#endif
