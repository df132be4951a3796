// Times a process up to the entry point of its program (System V ABI, AT_ENTRY in its auxiliary
// vector): what the system and the dynamic loader take, which no counter in the program sees. The
// idea: the child is traced and stops when its exec is done; a breakpoint at the entry stops it
// again, and there it is killed. AT_ENTRY is where the program was loaded, so position-independent
// and static programs are alike. Constructors of shared libraries run before, main's own things
// after. The two stops cost some ten microseconds of their own. On other processors than x86-64 it
// says so.
#include "PreparedChild.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>

#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quincunx::tool {

namespace {

constexpr double longestStart = 10; // seconds; a loader that takes more hangs

/// 0 when it cannot be read.
uint64_t entryOf(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/auxv", std::ios::binary);
  uint64_t pair[2];
  while (file.read(reinterpret_cast<char *>(pair), sizeof pair))
    if (pair[0] == AT_ENTRY)
      return pair[1];
  return 0;
}

#ifdef __x86_64__
constexpr bool isKnownProcessor = true;

bool setBreakpoint(pid_t process, uint64_t at) {
  errno = 0;
  const long word = ::ptrace(PTRACE_PEEKTEXT, process, at, nullptr);
  return errno == 0 && ::ptrace(PTRACE_POKETEXT, process, at, (word & ~0xffL) | 0xcc) == 0; // int3
}

/// Stopped behind the breakpoint?
bool isBehind(pid_t process, uint64_t breakpoint) {
  user_regs_struct registers{};
  return ::ptrace(PTRACE_GETREGS, process, nullptr, &registers) == 0 &&
         registers.rip == breakpoint + 1;
}
#else
constexpr bool isKnownProcessor = false;
bool setBreakpoint(pid_t, uint64_t) { return false; }
bool isBehind(pid_t, uint64_t) { return false; }
#endif

} // namespace

/// Waits until the child stops or ends; `end` is set when it ended. An error when the user
/// interrupts or it takes too long: it is killed then.
Status Executor::waitForStop(Child &child, int &status, ChildResult &end) {
  for (;;) {
    rusage usage{};
    if (::wait4(child.pid, &status, WNOHANG, &usage) == child.pid) {
      if (!WIFSTOPPED(status)) {
        child.pid = 0;
        describeEnd(end, status, usage);
      }
      return Done{};
    }
    const timespec pause{0, 100'000'000};
    const int signal = ::sigtimedwait(&watched, nullptr, &pause);
    if (signal > 0 && signal != SIGCHLD)
      stopSignal = signal;
    if (interrupted())
      return Error{"interrupted"};
    if (clockSeconds(CLOCK_MONOTONIC) > child.begun + longestStart)
      return Error{"the program did not reach its entry point"};
  }
}

Status Executor::leadToEntry(Child &child, ChildResult &end) {
  int status = 0;
  if (Status s = waitForStop(child, status, end); !s)
    return s;
  const uint64_t entry = child.pid == 0 ? 0 : entryOf(child.pid);
  if (entry == 0 || !setBreakpoint(child.pid, entry))
    return Error{"the entry point of the program is not known"};
  for (int signal = 0;;) {
    if (::ptrace(PTRACE_CONT, child.pid, nullptr, signal) != 0)
      return Error{std::string("ptrace: ") + std::strerror(errno)};
    if (Status s = waitForStop(child, status, end); !s)
      return s;
    if (child.pid == 0)
      return Error{"the program ended before its entry point"};
    if (WSTOPSIG(status) == SIGTRAP && isBehind(child.pid, entry))
      break;
    signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
  }
  end.wall = clockSeconds(CLOCK_MONOTONIC) - child.begun;
  return Done{};
}

Result<ChildResult> Executor::runToEntry(const Job &job, const LaunchOptions &options) {
  if (!isKnownProcessor)
    return Error{"known for x86-64 only"};
  Result<Child> child = launch(0, job, options, true);
  if (!child)
    return child.error();
  ChildResult end;
  end.start = child->start;
  const Status led = leadToEntry(*child, end);
  if (child->pid > 0) {
    rusage usage{};
    int status = 0;
    ::kill(child->pid, SIGKILL);
    while (::wait4(child->pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    describeEnd(end, status, usage);
  }
  if (!led)
    return led.error();
  return end;
}

} // namespace quincunx::tool
