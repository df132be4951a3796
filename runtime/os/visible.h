/* Begins every file of the runtime: which names of libc it sees, and who sees its own. Those of
 * memory and text, which programs define, stand for functions of os/bytes.c. */
#ifndef QUINCUNX_VISIBLE_H
#define QUINCUNX_VISIBLE_H

#define _GNU_SOURCE /* before the first header of libc */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QX_HIDDEN __attribute__((visibility("hidden")))
#define QX_VISIBLE __attribute__((visibility("default")))

__asm__("memcpy = qx_memcpy\n\tmemset = qx_memset\n\tmemcmp = qx_memcmp\n\tbcmp = qx_memcmp\n\t"
        "strcmp = qx_strcmp\n\tstrlen = qx_length");

#endif
