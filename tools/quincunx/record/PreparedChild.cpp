// Makes what a child needs, and leads it to its exec: both pipes, standard streams, folder,
// processor. The idea: a fork copies page tables and then each page that is written, some hundred
// for a run, so a child that nobody attaches to shares our memory until its exec (CLONE_VFORK).
// What its parent does with it is Executor.cpp's.
#include "PreparedChild.h"

#include "system/FileSizeSignal.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quincunx::tool {

namespace {

double seconds(const timeval &t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

[[noreturn]] void failInChild(const PreparedChild &p, LaunchFailure::Step step) {
  const LaunchFailure failure{step, errno};
  const ssize_t ignored = ::write(p.report, &failure, sizeof failure);
  static_cast<void>(ignored);
  ::_exit(127);
}

void redirect(const PreparedChild &p, const char *path, int flags, int to,
              LaunchFailure::Step step) {
  const int file = ::open(path, flags, 0666);
  if (file < 0 || ::dup2(file, to) < 0)
    failInChild(p, step);
  if (file != to)
    ::close(file);
}

} // namespace

double clockSeconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void describeEnd(ChildResult &end, int status, const rusage &usage) {
  end.status = status;
  end.user = seconds(usage.ru_utime);
  end.system = seconds(usage.ru_stime);
  end.peakMemory = static_cast<double>(usage.ru_maxrss) * 1024;
  end.minorFaults = static_cast<uint64_t>(usage.ru_minflt);
  end.majorFaults = static_cast<uint64_t>(usage.ru_majflt);
  end.voluntarySwitches = static_cast<uint64_t>(usage.ru_nvcsw);
  end.involuntarySwitches = static_cast<uint64_t>(usage.ru_nivcsw);
}

/// `go`, when there is one, is waited for. It may share its parent's memory.
[[noreturn]] static void runInChild(const PreparedChild &p) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  char byte;
  if (p.go >= 0 && ::read(p.go, &byte, 1) != 1)
    ::_exit(127); // the parent is gone
  constexpr int write = O_WRONLY | O_CREAT | O_TRUNC;
  redirect(p, p.output, write, STDOUT_FILENO, LaunchFailure::output);
  redirect(p, p.error, write, STDERR_FILENO, LaunchFailure::output);
  if (p.folder != nullptr && ::chdir(p.folder) != 0)
    failInChild(p, LaunchFailure::folder);
  redirect(p, p.input, O_RDONLY, STDIN_FILENO, LaunchFailure::input);
  if (p.processor >= 0) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(static_cast<size_t>(p.processor), &only);
    if (::sched_setaffinity(0, sizeof only, &only) != 0)
      failInChild(p, LaunchFailure::processor);
  }
  if (p.traced && ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0)
    failInChild(p, LaunchFailure::trace);
  while (p.headStart > 0 && clockSeconds(CLOCK_THREAD_CPUTIME_ID) < p.headStart)
    ;
  restoreFileSizeSignal();
  ::sigprocmask(SIG_SETMASK, p.mask, nullptr);
  ::execvpe(p.arguments[0], p.arguments.data(), p.environment.data());
  failInChild(p, LaunchFailure::program);
}

pid_t startChild(const PreparedChild &p) {
  if (p.go >= 0) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(p.parentsGo);
      runInChild(p);
    }
    return child;
  }
  /// With room for what execvp(3) copies of the arguments.
  std::vector<char> stack(65536 + 2 * sizeof(char *) * p.arguments.size());
  const auto run = [](void *prepared) -> int {
    runInChild(*static_cast<const PreparedChild *>(prepared));
  };
  void *top = stack.data() + stack.size() / 16 * 16;
  return ::clone(run, top, CLONE_VM | CLONE_VFORK | SIGCHLD, const_cast<PreparedChild *>(&p));
}

PreparedChild prepare(const Job &job, const LaunchOptions &options) {
  PreparedChild p;
  for (const std::string &word : job.words)
    p.arguments.push_back(const_cast<char *>(word.c_str()));
  p.arguments.push_back(nullptr);
  std::vector<std::pair<std::string, std::string>> added = job.environment;
  added.insert(added.end(), options.environment.begin(), options.environment.end());
  for (const auto &[name, value] : added)
    p.strings.push_back(name + "=" + value);
  for (char **entry = environ; *entry != nullptr; ++entry)
    if (std::ranges::none_of(added, [&](const auto &own) {
          return std::string_view(*entry).starts_with(own.first + "=");
        }))
      p.environment.push_back(*entry);
  for (std::string &entry : p.strings)
    p.environment.push_back(entry.data());
  p.environment.push_back(nullptr);
  p.processor = options.processor;
  p.headStart = options.headStart;
  if (!job.folder.empty())
    p.folder = job.folder.c_str();
  if (!job.standardInput.empty())
    p.input = job.standardInput.c_str();
  if (!options.standardOutput.empty())
    p.output = options.standardOutput.c_str();
  if (!options.standardError.empty())
    p.error = options.standardError.c_str();
  return p;
}

Error describe(const LaunchFailure &failure, const Job &job, const PreparedChild &p) {
  const std::string reason = std::string(": ") + std::strerror(failure.reason);
  switch (failure.step) {
  case LaunchFailure::folder:
    return {"cannot enter " + escape(job.folder) + reason};
  case LaunchFailure::input:
    return {"cannot read " + escape(job.standardInput) + reason};
  case LaunchFailure::output:
    return {"cannot write " + escape(p.output) + " or " + escape(p.error) + reason};
  case LaunchFailure::processor:
    return {"cannot run on processor " + std::to_string(p.processor) + " alone" + reason};
  case LaunchFailure::trace:
    return {"ptrace is not granted here" + reason};
  default:
    return {"cannot run " + escape(job.words[0]) + reason};
  }
}

} // namespace quincunx::tool
