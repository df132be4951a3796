/* Settings and facts of the process: what the environment says as it was at the start, who the
 * process is, and where its record goes. Nothing is recorded in a set-user-id program. It writes no
 * file. */
#include "calls.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

struct qx_self qx_self;

static void identify(void) {
  if (!call_random(qx_self.identity, sizeof qx_self.identity)) {
    uint64_t seed[3] = {(uint64_t)call_now(CLOCK_REALTIME), (uint64_t)call_pid(),
                        (uint64_t)(uintptr_t)&seed};
    qx_hash(seed, sizeof seed, (uint64_t *)(void *)qx_self.identity);
  }
  if (qx_self.run[0] == 0)
    qx_append_hex(qx_self.run, qx_self.run + sizeof qx_self.run, qx_self.identity, 16);
}

void qx_start(void) {
  qx_know_stderr();
  qx_self.pid = call_pid();
  if (getauxval(AT_SECURE) != 0) {
    qx_self.off = true;
    return;
  }
  const char *out = getenv("QUINCUNX_OUT"), *run = getenv("QUINCUNX_RUN"),
             *maps = getenv("QUINCUNX_MAPS");
  qx_self.off = out != NULL && *out == 0;
  qx_self.embed = maps != NULL && strcmp(maps, "embed") == 0;
  if (out != NULL)
    qx_append(qx_self.out, qx_self.out + sizeof qx_self.out, out);
  if (run != NULL)
    qx_append(qx_self.run, qx_self.run + sizeof qx_self.run, run);
  if (!call_folder(qx_self.folder, sizeof qx_self.folder))
    qx_self.folder[0] = 0;
  ssize_t n = call_link("/proc/self/exe", qx_self.program, sizeof qx_self.program - 1);
  qx_self.program[n < 0 ? 0 : n] = 0;
  qx_self.start_realtime = call_now(CLOCK_REALTIME);
  qx_self.start_monotonic = call_now(CLOCK_MONOTONIC);
  identify();
}

void qx_forked(void) {
  /* The run keeps its name: that of the first process when nothing else names it. */
  qx_reset_complaints_in_child();
  qx_self.pid = call_pid();
  qx_self.start_realtime = call_now(CLOCK_REALTIME);
  qx_self.start_monotonic = call_now(CLOCK_MONOTONIC);
  identify();
}

/* QUINCUNX_OUT: %n program, %p process, %h identity, %% per cent; a trailing / means the usual name
 * there. */
void qx_record_path(char *path) {
  const char *end = path + PATH_MAX - 32;
  const char *name = qx_self.program[0] != 0 ? qx_self.program : "program";
  for (const char *p = name; *p != 0; ++p)
    if (*p == '/')
      name = p + 1;
  char *at = path;
  *at = 0;
  if (qx_self.out[0] != '/' && qx_self.folder[0] != 0) {
    at = qx_append(at, end, qx_self.folder);
    at = qx_append(at, end, "/");
  }
  size_t length = qx_length(qx_self.out);
  bool usual = length == 0 || qx_self.out[length - 1] == '/';
  for (const char *p = qx_self.out; *p != 0; ++p) {
    char one[2] = {*p, 0};
    if (*p != '%' || p[1] == 0) {
      at = qx_append(at, end, one);
      continue;
    }
    ++p;
    at = *p == 'n'   ? qx_append(at, end, name)
         : *p == 'p' ? qx_append_number(at, end, (unsigned long)qx_self.pid)
         : *p == 'h' ? qx_append_hex(at, end, qx_self.identity, 4)
                     : qx_append(at, end, *p == '%' ? "%" : "%?");
  }
  if (usual) {
    at = qx_append(at, end, "quincunx-");
    at = qx_append(at, end, name);
    at = qx_append(at, end, "-");
    at = qx_append_number(at, end, (unsigned long)qx_self.pid);
    at = qx_append(at, end, "-");
    at = qx_append_hex(at, end, qx_self.identity, 4);
    qx_append(at, end, ".qxraw");
  }
}
