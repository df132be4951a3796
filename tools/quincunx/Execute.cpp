// fork, exec, wait4. The idea: one thread, no handlers; the signals that matter are blocked and
// taken with sigtimedwait, so nothing races. Each child leads a process group, so that a time limit
// and Ctrl-C reach its descendants too, and dies with us if we are killed. Errors between fork and
// exec come back through a pipe that a successful exec closes. A second pipe holds the child until
// its counters are attached. It does not look for descendants that left the group.
#include "Execute.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quincunx::tool {

namespace {

constexpr double grace = 1; // seconds between SIGTERM and SIGKILL

double clockSeconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds(const timeval &t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

/// What failed in the child, sent to the parent.
struct Failure {
  enum Step : int { folder, input, output, program } step;
  int reason;
};

/// Everything the child needs, made before the fork: after it only async-signal-safe calls are
/// allowed.
struct Prepared {
  std::vector<char *> arguments, environment;
  std::vector<std::string> strings; // owns the environment's text
  const char *folder = nullptr, *input = "/dev/null";
  const char *output = "/dev/null", *error = "/dev/null";
  const sigset_t *mask = nullptr;
  int go = -1, report = -1; ///< ends of the two pipes
};

[[noreturn]] void failInChild(const Prepared &p, Failure::Step step) {
  const Failure failure{step, errno};
  const ssize_t ignored = ::write(p.report, &failure, sizeof failure);
  static_cast<void>(ignored);
  ::_exit(127);
}

void redirect(const Prepared &p, const char *path, int flags, int to, Failure::Step step) {
  const int file = ::open(path, flags, 0666);
  if (file < 0 || ::dup2(file, to) < 0)
    failInChild(p, step);
  if (file != to)
    ::close(file);
}

[[noreturn]] void runInChild(const Prepared &p) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  char byte;
  if (p.go >= 0 && ::read(p.go, &byte, 1) != 1)
    ::_exit(127); // the parent is gone
  constexpr int write = O_WRONLY | O_CREAT | O_TRUNC;
  redirect(p, p.output, write, STDOUT_FILENO, Failure::output);
  redirect(p, p.error, write, STDERR_FILENO, Failure::output);
  if (p.folder != nullptr && ::chdir(p.folder) != 0)
    failInChild(p, Failure::folder);
  redirect(p, p.input, O_RDONLY, STDIN_FILENO, Failure::input);
  ::sigprocmask(SIG_SETMASK, p.mask, nullptr);
  ::execvpe(p.arguments[0], p.arguments.data(), p.environment.data());
  failInChild(p, Failure::program);
}

Prepared prepare(const Job &job, const Surroundings &around) {
  Prepared p;
  for (const std::string &word : job.words)
    p.arguments.push_back(const_cast<char *>(word.c_str()));
  p.arguments.push_back(nullptr);
  for (const auto &[name, value] : around.environment)
    p.strings.push_back(name + "=" + value);
  for (char **entry = environ; *entry != nullptr; ++entry)
    if (std::none_of(around.environment.begin(), around.environment.end(), [&](const auto &own) {
          return std::string_view(*entry).starts_with(own.first + "=");
        }))
      p.environment.push_back(*entry);
  for (std::string &entry : p.strings)
    p.environment.push_back(entry.data());
  p.environment.push_back(nullptr);
  if (!job.folder.empty())
    p.folder = job.folder.c_str();
  if (!job.standardInput.empty())
    p.input = job.standardInput.c_str();
  if (!around.standardOutput.empty())
    p.output = around.standardOutput.c_str();
  if (!around.standardError.empty())
    p.error = around.standardError.c_str();
  return p;
}

Error describe(const Failure &failure, const Job &job, const Prepared &p) {
  const std::string reason = std::string(": ") + std::strerror(failure.reason);
  switch (failure.step) {
  case Failure::folder:
    return {"cannot enter " + escape(job.folder) + reason};
  case Failure::input:
    return {"cannot read " + escape(job.standardInput) + reason};
  case Failure::output:
    return {"cannot write " + escape(p.output) + " or " + escape(p.error) + reason};
  default:
    return {"cannot run " + escape(job.words[0]) + reason};
  }
}

} // namespace

Executor::Executor(double limit, bool withHardware) : timeout(limit), countHardware(withHardware) {
  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now{};
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) // nohup, `&`
      sigaddset(&watched, signal);
  }
  ::signal(SIGCHLD, SIG_DFL);
  ::sigprocmask(SIG_BLOCK, &watched, &before);
}

Executor::~Executor() {
  stopAll();
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

Status Executor::start(size_t number, const Job &job, const Surroundings &around) {
  Prepared p = prepare(job, around);
  p.mask = &before;
  int report[2], go[2] = {-1, -1};
  if (::pipe2(report, O_CLOEXEC) != 0 || (countHardware && ::pipe2(go, O_CLOEXEC) != 0))
    return Error{std::string("cannot start a process: ") + std::strerror(errno)};
  p.report = report[1];
  p.go = go[0];
  Child child;
  child.job = number;
  child.start = clockSeconds(CLOCK_REALTIME);
  child.begun = clockSeconds(CLOCK_MONOTONIC);
  child.pid = ::fork();
  const int reason = errno;
  if (child.pid == 0) {
    if (go[1] >= 0)
      ::close(go[1]); // or we would not see the parent go
    runInChild(p);
  }
  ::close(report[1]);
  if (child.pid > 0) {
    ::setpgid(child.pid, child.pid); // both do it, so that it is done whoever is first
    if (countHardware) {
      child.hardware.attach(child.pid);
      const ssize_t ignored = ::write(go[1], "", 1);
      static_cast<void>(ignored);
    }
  }
  for (int file : go)
    if (file >= 0)
      ::close(file);
  Failure failure{};
  const bool failed =
      child.pid > 0 && ::read(report[0], &failure, sizeof failure) == sizeof failure;
  ::close(report[0]);
  if (child.pid < 0)
    return Error{std::string("cannot start a process: ") + std::strerror(reason)};
  if (failed) {
    ::waitpid(child.pid, nullptr, 0);
    return describe(failure, job, p);
  }
  children.push_back(std::move(child));
  return Done{};
}

double Executor::nextDeadline() const {
  double next = clockSeconds(CLOCK_MONOTONIC) + 0.5;
  for (const Child &child : children)
    if (child.killAt > 0)
      next = std::min(next, child.killAt);
    else if (timeout > 0)
      next = std::min(next, child.begun + timeout);
  return next;
}

void Executor::enforceLimits() {
  const double now = clockSeconds(CLOCK_MONOTONIC);
  for (Child &child : children) {
    if (child.killAt > 0 && now >= child.killAt) {
      ::kill(-child.pid, SIGKILL);
      child.killAt = now + grace;
    } else if (child.killAt == 0 && timeout > 0 && now >= child.begun + timeout) {
      child.timedOut = true;
      ::kill(-child.pid, SIGTERM);
      child.killAt = now + grace;
    }
  }
}

void Executor::reap(std::vector<Ended> &ended) {
  for (size_t i = 0; i < children.size();) {
    Child &child = children[i];
    int status = 0;
    rusage usage{};
    if (::wait4(child.pid, &status, WNOHANG, &usage) != child.pid) {
      ++i;
      continue;
    }
    Ended end;
    end.wall = clockSeconds(CLOCK_MONOTONIC) - child.begun;
    if (child.killAt > 0)
      ::kill(-child.pid, SIGKILL); // descendants that did not heed SIGTERM
    end.job = child.job;
    end.status = status;
    end.timedOut = child.timedOut;
    end.start = child.start;
    end.user = seconds(usage.ru_utime);
    end.system = seconds(usage.ru_stime);
    end.peakMemory = static_cast<double>(usage.ru_maxrss) * 1024;
    if (countHardware)
      end.hardware = child.hardware.read();
    ended.push_back(std::move(end));
    children.erase(children.begin() + static_cast<ptrdiff_t>(i));
  }
}

std::vector<Ended> Executor::wait() {
  std::vector<Ended> ended;
  reap(ended);
  if (!ended.empty() || children.empty())
    return ended;
  const double left = std::max(0.0, nextDeadline() - clockSeconds(CLOCK_MONOTONIC));
  timespec pause{};
  pause.tv_sec = static_cast<time_t>(left);
  pause.tv_nsec = static_cast<long>((left - std::floor(left)) * 1e9);
  const int signal = ::sigtimedwait(&watched, nullptr, &pause);
  if (signal > 0 && signal != SIGCHLD)
    stopSignal = signal;
  reap(ended);
  enforceLimits();
  return ended;
}

void Executor::stopAll() {
  const double now = clockSeconds(CLOCK_MONOTONIC);
  for (Child &child : children) {
    ::kill(-child.pid, SIGTERM);
    child.killAt = now + grace;
  }
  while (!children.empty())
    wait();
}

} // namespace quincunx::tool
