// SIGXFSZ, which the system sends to a process that writes beyond its limit on files (ulimit -f).
#pragma once

namespace quincunx::tool {

/// Such a write is an error from now on, and has its line, in place of the end of the process.
void ignoreFileSizeSignal();
/// In a child that is to start a program: the signal does what it did when we were started.
void restoreFileSizeSignal();

} // namespace quincunx::tool
