/* What programs of strands.sh wait by: each call does what libc's does, and carries the longest way. */
#include <pthread.h>
#include <semaphore.h>
#include "strands_way.h"
enum { many = 4096 };
struct known_mutex { pthread_mutex_t m; struct way way; };
struct known_semaphore { sem_t s; unsigned first, posts, takes; struct way way[many]; };
struct known_barrier { pthread_barrier_t b; unsigned size, come; struct way way[many]; };
struct known_condition { pthread_cond_t c; struct way way; };
struct known_rwlock { pthread_rwlock_t l; struct way writer, readers; };
struct known_thread { pthread_t t; void *(*run)(void *); void *argument; struct way way; };
void known_create(struct known_thread *t, void *(*run)(void *), void *argument);
void known_join(struct known_thread *t);
void known_lock(struct known_mutex *m);
void known_unlock(struct known_mutex *m);
void known_make(struct known_semaphore *s, unsigned value);
void known_post(struct known_semaphore *s);
void known_take(struct known_semaphore *s);
void known_meet_of(struct known_barrier *b, unsigned size);
void known_meet(struct known_barrier *b);
void known_wait(struct known_condition *c, struct known_mutex *m);
void known_signal(struct known_condition *c);
void known_read(struct known_rwlock *l);
void known_read_done(struct known_rwlock *l);
void known_write(struct known_rwlock *l);
void known_write_done(struct known_rwlock *l);
