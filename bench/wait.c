// Uses between 0.5 and 1.5 ms of processor time, then becomes a program.
//
//   wait NUMBER PROGRAM [ARGUMENT...]
//
// NUMBER (any) modulo 1000: so many microseconds more than 0.5 ms. A clock of samples that began
// with this process is then at any phase when the program begins.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count < 3)
    return 2;
  const long until = 500000 + atol(words[1]) % 1000 * 1000;
  struct timespec now;
  do
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  while (now.tv_sec == 0 && now.tv_nsec < until);
  execv(words[2], words + 2);
  perror(words[2]);
  return 2;
}
