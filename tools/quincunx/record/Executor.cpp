// Runs jobs as child processes: start, exec, wait4. The idea: one thread, no handlers; the signals
// that matter are blocked and taken with sigtimedwait, so nothing races. Each child leads a process
// group, so that a time limit and Ctrl-C reach its descendants too, and dies with us if we are
// killed. What it does up to its exec is in PreparedChild.cpp; a pipe holds it until its counters
// are attached. It does not look for descendants that left the group.
#include "Executor.h"

#include "PreparedChild.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quincunx::tool {

namespace {

constexpr double grace = 1; // seconds between SIGTERM and SIGKILL

/// Both pipes between us and a child; -1: not open.
struct Pipes {
  int report[2] = {-1, -1}; ///< from the child: what failed before its exec
  int go[2] = {-1, -1};     ///< to the child: its counters are attached

  Pipes() = default;
  Pipes(const Pipes &) = delete;
  Pipes &operator=(const Pipes &) = delete;
  ~Pipes() {
    for (int *end : {&report[0], &report[1], &go[0], &go[1]})
      close(*end);
  }
  bool open(bool withGo) {
    return ::pipe2(report, O_CLOEXEC) == 0 && (!withGo || ::pipe2(go, O_CLOEXEC) == 0);
  }
  static void close(int &end) {
    if (end >= 0)
      ::close(end);
    end = -1;
  }
};

Error cannotStart(int reason) {
  return Error{std::string("cannot start a process: ") + std::strerror(reason)};
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

Result<Executor::Child> Executor::launch(size_t number, const Job &job,
                                         const LaunchOptions &options, bool traced) {
  PreparedChild p = prepare(job, options);
  p.mask = &before;
  p.traced = traced;
  const bool counts = countHardware && !traced, waits = counts || options.watcher != nullptr;
  Pipes pipes;
  if (!pipes.open(waits))
    return cannotStart(errno);
  p.report = pipes.report[1];
  p.go = pipes.go[0];
  p.parentsGo = pipes.go[1];
  Child child;
  child.job = number;
  child.start = clockSeconds(CLOCK_REALTIME);
  child.begun = clockSeconds(CLOCK_MONOTONIC);
  child.pid = startChild(p);
  if (child.pid < 0)
    return cannotStart(errno);
  Pipes::close(pipes.report[1]);
  ::setpgid(child.pid, child.pid); // both do it, so that it is done whoever is first
  if (counts)
    child.hardware.attach(child.pid);
  Status attached =
      options.watcher != nullptr ? options.watcher->attach(child.pid) : Status(Done{});
  if (waits && attached) {
    const ssize_t ignored = ::write(pipes.go[1], "", 1);
    static_cast<void>(ignored);
  }
  Pipes::close(pipes.go[0]);
  Pipes::close(pipes.go[1]);
  LaunchFailure failure{};
  if (!attached) {
    ::waitpid(child.pid, nullptr, 0); // it saw its pipe close
    return attached.error();
  }
  if (::read(pipes.report[0], &failure, sizeof failure) == sizeof failure) {
    ::waitpid(child.pid, nullptr, 0);
    return describe(failure, job, p);
  }
  return {std::move(child)};
}

Status Executor::start(size_t number, const Job &job, const LaunchOptions &options) {
  Result<Child> child = launch(number, job, options, false);
  if (!child)
    return child.error();
  children.push_back(std::move(*child));
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

void Executor::reap(std::vector<ChildResult> &ended) {
  for (size_t i = 0; i < children.size();) {
    Child &child = children[i];
    int status = 0;
    rusage usage{};
    if (::wait4(child.pid, &status, WNOHANG, &usage) != child.pid) {
      ++i;
      continue;
    }
    ChildResult end;
    end.wall = clockSeconds(CLOCK_MONOTONIC) - child.begun;
    if (child.killAt > 0)
      ::kill(-child.pid, SIGKILL); // descendants that did not heed SIGTERM
    describeEnd(end, status, usage);
    end.job = child.job;
    end.timedOut = child.timedOut;
    end.start = child.start;
    if (countHardware)
      end.hardware = child.hardware.read();
    ended.push_back(end);
    children.erase(children.begin() + static_cast<ptrdiff_t>(i));
  }
}

std::vector<ChildResult> Executor::wait() {
  std::vector<ChildResult> ended;
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
