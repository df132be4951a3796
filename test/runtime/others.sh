#!/bin/bash
# Programs and libraries that do things of their own where we do ours: fork handlers that join threads, constructors that start
# some while they are loaded, keys and messages of their own. They behave as without us.
. "$(dirname "$0")/../judges/common.sh"

# A library that stops its worker before a fork, as numerical ones do.
cat >pool.c <<'C'
#include <pthread.h>
static pthread_t t;
static int up, stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *work(void *a) {
  pthread_mutex_lock(&m);
  while (!stop) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return a;
}
static void *nothing(void *a) { return a; }
void pool_use(void) { stop = 0; pthread_create(&t, 0, work, 0); up = 1; }
static void shut(void) {
  pthread_t other;
  if (!up) return;
  pthread_mutex_lock(&m); stop = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  pthread_create(&other, 0, nothing, 0);
  pthread_join(other, 0);
  up = 0;
}
__attribute__((constructor)) static void init(void) { pthread_atfork(shut, 0, 0); }
C
cat >forks.c <<'C'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
void pool_use(void);
__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
int main(void) {
  volatile unsigned s = 0;
  for (int i = 0; i < 3; ++i) {
    pool_use();
    pid_t p = fork();
    for (int k = 0; k < 10; ++k) s = tick(s + k);
    if (p == 0) return 0;
    waitpid(p, 0, 0);
  }
  puts("done");
  return 0;
}
C
# A library whose constructor waits for a thread that starts another.
cat >starts.c <<'C'
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *leaf(void *a) { return a; }
static void *boss(void *a) { pthread_t t; pthread_create(&t, 0, leaf, 0); pthread_join(t, 0); sem_post(&s); return a; }
__attribute__((constructor)) static void init(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, boss, 0);
  sem_wait(&s);
  pthread_join(t, 0);
}
C
cat >opens.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static void *leaf(void *a) { return a; }
int main(int argc, char **argv) {
  puts(dlopen(argv[1], RTLD_NOW) != NULL ? "opened" : dlerror());
  dlopen("/nowhere.so", RTLD_NOW);
  pthread_t t;
  pthread_create(&t, 0, leaf, 0);
  pthread_join(t, 0);
  puts(dlerror() != NULL ? "says why" : "(null)");
  return argc - 2;
}
C
# A library that makes a key and threads when the program has ended.
cat >late.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_key_t k;
static void *leaf(void *a) { return a; }
static void *boss(void *a) { pthread_setspecific(k, malloc(8)); pthread_t t; pthread_create(&t, 0, leaf, 0); pthread_join(t, 0); return a; }
void touch(void) {}
__attribute__((destructor)) static void bye(void) {
  pthread_t t;
  pthread_key_create(&k, free);
  pthread_create(&t, 0, boss, 0);
  pthread_join(t, 0);
  puts("flushed");
}
C
echo 'void touch(void); int main(void) { touch(); return 0; }' >ends.c
for l in pool starts late; do $plain -shared -fPIC -pthread -o lib$l.so $l.c; done

# A program's own functions that have names of libc's by which processes are copied.
cat >own.c <<'C'
struct list { int value; struct list *next; };
struct list *clone(struct list *l) { static struct list copy; copy = *l; return &copy; }
int _Fork(void) { return 7; }
C
cat >owns.c <<'C'
#include <stdio.h>
struct list { int value; struct list *next; };
struct list *clone(struct list *l);
int _Fork(void);
int main(void) { struct list l = {5, 0}; printf("%d %d\n", clone(&l)->value, _Fork()); return 0; }
C
# A program's own functions for memory, text and environment, each called twice; all else that would call them is in the
# runtime: threads, a copy, requests, recorders, a name of the run, the record.
cat >bytes.c <<'C'
#include <pthread.h>
#include <quincunx/quincunx.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>
void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  for (size_t i = 0; i < n; ++i) ((char *)to)[i] = ((const char *)from)[i];
  return to;
}
void *memmove(void *to, const void *from, size_t n) { return memcpy(to, from, n); }
void *memset(void *to, int c, size_t n) {
  for (size_t i = 0; i < n; ++i) ((char *)to)[i] = (char)c;
  return to;
}
int memcmp(const void *a, const void *b, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (((const char *)a)[i] != ((const char *)b)[i]) return 1;
  return 0;
}
int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }
int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) ++a, ++b;
  return *a - *b;
}
size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) ++n;
  return n;
}
char *getenv(const char *name) { return strlen(name) ? NULL : (char *)name; }
static char text[300] = "text", copy[300];
static void *work(void *a) { return a; }
QUINCUNX_REQUEST static int once(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  memcpy(copy, text, sizeof copy);
  memset(copy + 4, 7, sizeof copy - 4);
  return (memcmp(copy, text, sizeof copy) != 0) + (strcmp(copy, text) != 0) + (getenv(copy) != NULL);
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; ++i) sum += once();
  pid_t p = fork();
  if (p != 0) waitpid(p, NULL, 0);
  return sum != 4;
}
C
# A registry of a version that nobody knows comes first; only its version may be looked at.
cat >strange.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
struct { unsigned version; void (*all[16])(void); } __quincunx_registry = {
  99, {abort, abort, abort, abort, abort, abort, abort, abort, abort, abort, abort, abort, abort, abort, abort, abort}};
int count(void), flush(void);
static void *run(void *a) { count(); return a; }
static int run11(void *a) { count(); return a != NULL; }
int main(void) {
  pthread_t t;
  thrd_t c;
  count();
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  thrd_create(&c, run11, 0);
  thrd_join(c, 0);
  printf("%d %d\n", count(), flush());
  return 0;
}
C
cat >counts.c <<'C'
#include <quincunx/quincunx.h>
static int n;
__attribute__((noinline)) int count(void) { return ++n; }
int flush(void) { return quincunx_flush(); }
C

# behaves TEXT OUTPUT PROGRAM...: it ends, well, with this output
behaves() {
  text=$1 want=$2
  shift 2
  if got=$(timeout -s KILL 20 "$@" </dev/null) && [ "$got" = "$want" ]; then ok "$text"
  else bad "$text: '$got'"; fi
}
for pic in "" -fPIC; do
  $clang -O2 $pic -pthread -o forks forks.c ./libpool.so
  $clang -O2 $pic -pthread -o opens opens.c -ldl
  $clang -O2 $pic -pthread -o ends ends.c ./liblate.so
  rm -rf raw fork.qx && mkdir raw
  behaves "fork handlers that join and start threads${pic:+, $pic}" done env QUINCUNX_OUT=raw/ ./forks
  check "its records are read" "$quincunx" corpus add fork.qx raw/*
  n=$(entries fork.qx tick)
  if [ "$n" = 60 ]; then ok "counts of parent and children"; else bad "counts of parent and children: $n, not 60"; fi
  behaves "a constructor that waits for threads, a pending dlerror${pic:+, $pic}" "opened
says why" env QUINCUNX_OUT=raw/ ./opens ./libstarts.so
  behaves "keys made after the end${pic:+, $pic}" flushed env QUINCUNX_OUT=raw/ ./ends
done
$clang -O2 -c own.c
$clang -O2 -c owns.c
$clang -O2 -o owns owns.o own.o 2>/dev/null || :
behaves "functions of its own that are named like libc's" "5 7" env QUINCUNX_OUT=raw/ ./owns
rm -rf raw && mkdir raw
for o in "-O0" "-O2 -fno-builtin -fno-inline -fPIC"; do
  rm -rf raw/* bytes.qx
  $clang $o -fplugin-arg-quincunx-record=calls,runs,blocks -pthread -o bytes bytes.c
  behaves "memcpy and its like of its own, $o" "" env QUINCUNX_OUT=raw/ QUINCUNX_RUN=named QUINCUNX_MAPS=embed ./bytes
  check "its records are read, $o" "$quincunx" corpus add bytes.qx raw/*
  for f in memcpy memmove memset memcmp bcmp strcmp strlen getenv; do
    case $f in memmove|bcmp) want=0 ;; *) want=2 ;; esac
    n=$(entries bytes.qx $f)
    if [ "$n" = $want ]; then ok "$f is called $want times, $o"; else bad "$f is called $n times, not $want, $o"; fi
  done
done
$clang -O2 -fPIC -shared -o libcounts.so counts.c
$plain -rdynamic -pthread -o strange strange.c ./libcounts.so
behaves "a runtime of another version came first" "4 -1" env QUINCUNX_OUT=raw/ ./strange 2>err
check "which is said once" bash -c '[ "$(wc -l <err)" = 1 ] && grep -q "of another version" err'
finish
