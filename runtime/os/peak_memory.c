/* The most memory that this process has had, as the program that it is now: the system's mark of
 * the address space (VmHWM of /proc/self/status), which begins anew with exec. The idea: what
 * getrusage says outlives exec, so a small program that a large one starts would be as large as
 * that. Read in pieces, as the line stands behind one that may be long. It does not know what was
 * before an exec, nor children. See docs/11-formats.md. */
#include "os/os.h"

#include "os/syscalls.h"

#include <errno.h>

static const char wanted[] = "\nVmHWM:";

/* State of the search: in the word that is looked for, then in its number. */
struct search {
  size_t matched; /* letters of `wanted` */
  bool ended;     /* the number is all there */
  int64_t number;
};

static void look_at(struct search *s, char letter) {
  if (s->matched < sizeof wanted - 1)
    s->matched = letter == wanted[s->matched] ? s->matched + 1 : letter == wanted[0];
  else if (letter >= '0' && letter <= '9')
    s->number = s->number * 10 + (letter - '0');
  else
    s->ended = s->number > 0;
}

int64_t qx_peak_memory(void) {
  const int error = errno;
  /* O_NONBLOCK: where the program has locked itself in, that name may be anything. */
  const int fd = call_open("/proc/self/status", O_RDONLY | O_NONBLOCK);
  struct qx_file_identity file;
  const bool known = fd >= 0 && qx_identify_file(fd, &file);
  struct search s = {0};
  char text[512]; /* a thread's stack may be small */
  ssize_t n = known ? 1 : 0;
  for (uint64_t at = 0; n > 0 && !s.ended; at += (uint64_t)n) {
    n = call_read_at(fd, text, sizeof text, at); /* moves nothing, if it is another's */
    for (ssize_t i = 0; i < n && !s.ended; ++i)
      look_at(&s, text[i]);
  }
  if (fd >= 0 && (!known || qx_still_refers_to(fd, &file)))
    call_close(fd);
  errno = error;
  return s.ended ? s.number * 1024 : 0;
}
