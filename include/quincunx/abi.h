/* What the instrumentation pass, the runtime and the readers agree on, the only copy of it. C,
 * little endian. By reader: what the compiler writes (symbols), histograms (recorders), raw records
 * and live files (record), and the hash that names maps (hash). See docs/11-formats.md. */
#ifndef QUINCUNX_ABI_H
#define QUINCUNX_ABI_H

#include "quincunx/abi/hash.h"
#include "quincunx/abi/record.h"
#include "quincunx/abi/recorders.h"
#include "quincunx/abi/symbols.h"

#endif
