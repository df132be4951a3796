/* Text without stdio and locale, and the one line in which the runtime reports. It allocates
 * nothing. */
#include "os/os.h"

#include "os/syscalls.h"

#include <errno.h>

char *qx_append(char *to, const char *end, const char *from) {
  while (*from != 0 && to + 1 < end)
    *to++ = *from++;
  *to = 0;
  return to;
}

char *qx_append_number(char *to, const char *end, unsigned long n) {
  char digits[24];
  char *at = digits + sizeof digits;
  *--at = 0;
  do
    *--at = (char)('0' + n % 10);
  while ((n /= 10) != 0);
  return qx_append(to, end, at);
}

char *qx_append_hex(char *to, const char *end, const uint8_t *bytes, int count) {
  for (int i = 0; i < count; ++i) {
    char two[3] = {"0123456789abcdef"[bytes[i] >> 4], "0123456789abcdef"[bytes[i] & 15], 0};
    to = qx_append(to, end, two);
  }
  return to;
}

static struct qx_file_identity heard; /* stderr as it was at the start */
static bool said;                     /* why there is no record, or less in it */

void qx_save_stderr_identity(void) { qx_identify_file(2, &heard); }

void qx_complaints_reset_in_child(void) { said = false; }

/* Is there someone to speak to? Where the program closed stderr, 2 may be a file of its own. */
static bool is_heard(void) {
  struct stat s;
  if (!heard.known || !call_stat(2, &s) || !qx_is_file(&s, &heard))
    return false;
  /* Rather than a signal for a file that grew too long. */
  return !S_ISREG(s.st_mode) || qx_room_for(SIZE_MAX);
}

/* A pipe that nobody reads sends a signal, which is not meant for the program. */
static void write_line(const char *line, size_t n) {
  const uint64_t pipe = 1ull << (SIGPIPE - 1), before = call_mask(SIG_BLOCK, pipe);
  if (!(call_pending() & pipe) && call_write(2, line, n) < 0 && errno == EPIPE)
    call_take_signal(pipe);
  call_mask(SIG_SETMASK, before);
}

void qx_complain(const char *const *parts) {
  static char line[2 * PATH_MAX]; /* a thread's stack may be small */
  if (__atomic_exchange_n(&said, true, __ATOMIC_RELAXED) || !is_heard())
    return;
  const char *end = line + sizeof line - 2;
  char *at = qx_append(line, end, "quincunx: ");
  for (; *parts != NULL; ++parts)
    at = qx_append(at, end, *parts);
  *at++ = '\n';
  write_line(line, (size_t)(at - line));
}
