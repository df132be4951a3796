// Sets when the allocator gives pages back to the system. Other allocators than glibc's decide for
// themselves.
#include "HeapPages.h"

#include <malloc.h>

namespace quincunx::tool {

void keepHeapPages() {
  constexpr int large = 64 << 20, ahead = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, large);
  mallopt(M_TRIM_THRESHOLD, large);
  mallopt(M_TOP_PAD, ahead);
}

} // namespace quincunx::tool
