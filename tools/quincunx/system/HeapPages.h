// Pages of the heap between one large table and the next.
#pragma once

namespace quincunx::tool {

/// The heap keeps what is given back, up to 64 MB, where answers take and give back large tables
/// again and again: clearing new pages would take longer than the answer.
void keepHeapPages();

} // namespace quincunx::tool
