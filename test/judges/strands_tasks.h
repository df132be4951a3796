/* OpenMP as programs of openmp.sh have it: each call does what a directive does, and carries the longest way. */
struct team;
void team_of(unsigned threads, void (*run)(unsigned thread));
void meet(void);
void alone(void (*run)(unsigned thread), unsigned thread);
void task(void (*run)(unsigned n), unsigned n);
void task_reads(int *address, void (*run)(unsigned n), unsigned n);
void task_writes(int *address, void (*run)(unsigned n), unsigned n);
void wait_for_tasks(void);
void group(void (*run)(unsigned n), unsigned n);
