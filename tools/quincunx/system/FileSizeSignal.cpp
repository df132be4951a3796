// Ignores SIGXFSZ, and gives it back to the programs that are started, which ignored signals reach
// through exec.
#include "FileSizeSignal.h"

#include <csignal>

namespace quincunx::tool {

static void (*actionBefore)(int) = SIG_DFL;

void ignoreFileSizeSignal() { actionBefore = std::signal(SIGXFSZ, SIG_IGN); }

void restoreFileSizeSignal() { std::signal(SIGXFSZ, actionBefore); }

} // namespace quincunx::tool
