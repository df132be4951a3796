// What the tool does when there is no memory left.
#pragma once

namespace quincunx::tool {

/// From now on it ends with one line and status 1, in whichever thread that is. What was recorded
/// is in the corpus.
void endWhenOutOfMemory();

} // namespace quincunx::tool
