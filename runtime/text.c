/* Text without stdio and locale, and the one line in which the runtime reports. It allocates
 * nothing. */
#include "calls.h"
#include "runtime.h"

#include <sys/stat.h>

size_t qx_length(const char *text) {
  const char *at = text;
  while (*at != 0)
    ++at;
  return (size_t)(at - text);
}

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

void qx_complain(const char *what, const char *detail) {
  char line[2 * PATH_MAX];
  const char *end = line + sizeof line - 2;
  char *at = qx_append(line, end, "quincunx: ");
  at = qx_append(at, end, what);
  at = qx_append(at, end, detail);
  *at++ = '\n';
  struct rlimit most;
  struct stat to;
  if (call_limit(RLIMIT_FSIZE, &most) && most.rlim_cur != RLIM_INFINITY && fstat(2, &to) == 0 &&
      S_ISREG(to.st_mode))
    return; /* rather than a signal for a file that grew too long */
  if (call_write(2, line, (size_t)(at - line)) < 0)
    return; /* nobody listens */
}
