/* Settings and facts of the process: what the environment says as it was at the start, who the
 * process is, and where its record goes. Nothing is recorded in a set-user-id program. It writes no
 * file. */
#include "process/process.h"

#include "os/syscalls.h"

#include <string.h>
#include <sys/auxv.h>

struct qx_process_facts qx_process;

/* The process gets times and an identity; the run keeps its name, or gets that of its first
 * process. */
/* holds lock */ static void begin_record(void) {
  qx_process.start_realtime = call_now(CLOCK_REALTIME);
  qx_process.start_monotonic = call_now(CLOCK_MONOTONIC);
  if (!call_random(qx_process.identity, sizeof qx_process.identity)) {
    uint64_t seed[3] = {(uint64_t)call_now(CLOCK_REALTIME), (uint64_t)call_pid(),
                        (uint64_t)(uintptr_t)&seed};
    qx_hash(seed, sizeof seed, (uint64_t *)(void *)qx_process.identity);
  }
  if (qx_process.run[0] == 0)
    qx_append_hex(qx_process.run, qx_process.run + sizeof qx_process.run, qx_process.identity, 16);
}

/* A name that is too long for records keeps its beginning, and a hash of it tells it from others.
 */
/* holds lock */ static void name_run(const char *name) {
  const char *const end = qx_process.run + sizeof qx_process.run;
  const size_t length = qx_length(name);
  qx_append(qx_process.run, end, name);
  if (length < sizeof qx_process.run)
    return;
  enum { kept = 31 };
  uint64_t hash[2];
  qx_hash(name, length, hash);
  char *at = qx_append(qx_process.run + kept, end, "~");
  qx_append_hex(at, end, (const uint8_t *)hash, sizeof hash);
}

/* As getenv(), which programs define. */
static const char *variable(const char *name) {
  for (char *const *v = environ; v != NULL && *v != NULL; ++v) {
    const char *at = *v, *n = name;
    while (*n != 0 && *at == *n)
      ++at, ++n;
    if (*n == 0 && *at == '=')
      return at + 1;
  }
  return NULL;
}

/* holds lock */ void qx_process_start(void) {
  qx_save_stderr_identity();
  qx_process.pid = call_pid();
  if (getauxval(AT_SECURE) != 0) {
    qx_process.off = true;
    return;
  }
  const char *out = variable("QUINCUNX_OUT"), *run = variable("QUINCUNX_RUN"),
             *maps = variable("QUINCUNX_MAPS");
  qx_process.off = out != NULL && *out == 0;
  qx_process.embed = maps != NULL && strcmp(maps, "embed") == 0;
  if (out != NULL)
    qx_append(qx_process.out, qx_process.out + sizeof qx_process.out, out);
  if (run != NULL)
    name_run(run);
  if (!call_folder(qx_process.folder, sizeof qx_process.folder))
    qx_process.folder[0] = 0;
  ssize_t n = call_link("/proc/self/exe", qx_process.program, sizeof qx_process.program - 1);
  qx_process.program[n < 0 ? 0 : n] = 0;
  begin_record();
}

/* holds lock */ void qx_process_reset_in_child(void) {
  qx_complaints_reset_in_child();
  memcpy(qx_process.parent, qx_process.identity, sizeof qx_process.parent);
  qx_process.forked = 0;
  qx_process.incomplete = false;
  qx_process.pid = call_pid();
  begin_record();
}

bool qx_own_path(char *path, const char *ending) {
  static const char usual[] = ".qxraw";
  const size_t of_ending = sizeof usual - 1;
  qx_record_path(path);
  size_t length = qx_length(path);
  const char *end = path + PATH_MAX;
  if (length > of_ending && memcmp(path + length - of_ending, usual, of_ending) == 0)
    length -= of_ending;
  if (length + 32 > PATH_MAX)
    return false;
  char *at = qx_append(path + length, end, ".");
  at = qx_append_hex(at, end, qx_process.identity + 4, 4);
  qx_append(at, end, ending);
  return true;
}

/* QUINCUNX_OUT: %n program, %p process, %h identity, %% per cent; a trailing / means the usual name
 * there. */
void qx_record_path(char *path) {
  const char *end = path + PATH_MAX - 32;
  const char *name = qx_process.program[0] != 0 ? qx_process.program : "program";
  for (const char *p = name; *p != 0; ++p)
    if (*p == '/')
      name = p + 1;
  char *at = path;
  *at = 0;
  if (qx_process.out[0] != '/' && qx_process.folder[0] != 0) {
    at = qx_append(at, end, qx_process.folder);
    at = qx_append(at, end, "/");
  }
  size_t length = qx_length(qx_process.out);
  bool usual = length == 0 || qx_process.out[length - 1] == '/';
  for (const char *p = qx_process.out; *p != 0; ++p) {
    char one[2] = {*p, 0};
    if (*p != '%' || p[1] == 0) {
      at = qx_append(at, end, one);
      continue;
    }
    ++p;
    at = *p == 'n'   ? qx_append(at, end, name)
         : *p == 'p' ? qx_append_number(at, end, (unsigned long)qx_process.pid)
         : *p == 'h' ? qx_append_hex(at, end, qx_process.identity, 4)
                     : qx_append(at, end, *p == '%' ? "%" : "%?");
  }
  if (usual) {
    at = qx_append(at, end, "quincunx-");
    at = qx_append(at, end, name);
    at = qx_append(at, end, "-");
    at = qx_append_number(at, end, (unsigned long)qx_process.pid);
    at = qx_append(at, end, "-");
    at = qx_append_hex(at, end, qx_process.identity, 4);
    qx_append(at, end, ".qxraw");
  }
}
