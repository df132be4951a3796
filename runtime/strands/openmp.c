/* What OpenMP's library says of teams, barriers, tasks and locks (OMPT, OpenMP 5.2, chapters 19 and
 * 20), as events. Objects that ask for strands define ompt_start_tool weakly as a jump to here
 * (passes/strands/), so another tool in the program goes first. Types and numbers are those of the
 * specification, as far as they are needed: omp-tools.h is part of a compiler's OpenMP, which not
 * everybody has. How the library itself makes its threads wait is none of the program's waits. */
#include "strands/strands.h"

#include <link.h>

enum { /* of the specification */
       parallel_begin = 3,
       parallel_end = 4,
       task_create = 5,
       task_schedule = 6,
       implicit_task = 7,
       mutex_released = 17,
       dependences = 18,
       sync_region = 23,
       mutex_acquired = 27,
       scope_begin = 1,
       scope_end = 2,
       task_initial = 0x1,
       task_taskwait = 0x10,
       task_undeferred = 0x08000000,
       task_complete = 1,
       task_cancel = 3,
       sync_taskwait = 5,
       sync_taskgroup = 6,
       sync_implicit_parallel = 9,
       depend_in = 1,
       depend_source = 5,
       depend_sink = 6
};
union data {
  uint64_t
      value; /* of a team its number; of a task its number, or that of who runs it as its own */
  void *pointer;
};
struct dependence {
  union data variable;
  int type;
};
typedef void (*function)(void);
struct tool {
  int (*begin)(function (*find)(const char *name), int device, union data *own);
  void (*end)(union data *own);
  union data own;
};

static uint64_t numbers;
static __thread uint64_t current __attribute__((tls_model("initial-exec"))); /* the task's value */

static uint64_t next_number(void) { return __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED); }

static void on_parallel_begin(union data *by, const void *frame, union data *team, unsigned asked,
                              int flags, const void *place) {
  (void)by, (void)frame, (void)asked, (void)flags, (void)place;
  team->value = next_number();
  qx_strand_event(QX_STRAND_TEAM, team->value);
}

static void on_parallel_end(union data *team, union data *by, int flags, const void *place) {
  (void)by, (void)flags, (void)place;
  qx_strand_event(QX_STRAND_LEAVE, team->value);
}

/* The first thread of a team goes on with what it did; others leave it when they are called for the
 * next one. */
static void on_implicit_task(int scope, union data *team, union data *task, unsigned threads,
                             unsigned index, int flags) {
  (void)threads;
  if ((flags & task_initial) != 0)
    return;
  if (scope == scope_end) {
    if (index != 0)
      qx_strand_event(QX_STRAND_LEAVE, 0);
    return;
  }
  if (index != 0) {
    current = 0;
    qx_forget_loops();
    qx_strand_made(QX_STRAND_MEMBER, team->value, index);
  }
  task->value = current;
}

static void on_sync_region(int kind, int scope, union data *team, union data *task,
                           const void *place) {
  (void)task, (void)place;
  if (kind == sync_taskwait) {
    if (scope == scope_end)
      qx_strand_event(QX_STRAND_TASKWAIT, 0);
  } else if (kind == sync_taskgroup) {
    qx_strand_event(scope == scope_begin ? QX_STRAND_GROUP : QX_STRAND_GROUP_END, 0);
  } else if (scope == scope_begin && team != NULL) {
    qx_strand_event(QX_STRAND_MEET, team->value);
  } else if (kind != sync_implicit_parallel && team != NULL) {
    qx_strand_event(QX_STRAND_PART, team->value);
  }
}

static void on_task_create(union data *by, const void *frame, union data *task, int flags,
                           int has_dependences, const void *place) {
  (void)by, (void)frame, (void)has_dependences, (void)place;
  if (task == NULL)
    return;
  if ((flags & task_taskwait) != 0) { /* with dependences */
    task->value = current;
    qx_strand_event(QX_STRAND_SPAWN, 0);
    return;
  }
  const uint64_t number = next_number();
  task->value = 2 * number + ((flags & task_undeferred) != 0);
  qx_strand_event(QX_STRAND_SPAWN, number);
}

/* The kind of a dependence takes the place of the site. */
static void on_dependences(union data *task, const struct dependence *all, int count) {
  (void)task;
  for (int i = 0; i < count; ++i)
    if (all[i].type != depend_source && all[i].type != depend_sink)
      qx_strand_made(all[i].type == depend_in ? QX_STRAND_USE : QX_STRAND_WRITE,
                     (uintptr_t)all[i].variable.pointer, (uint32_t)all[i].type);
}

/* Who makes a task that is not deferred goes on behind its end. */
static void on_task_schedule(union data *before, int status, union data *next) {
  if (before == NULL || next == NULL || before->value == next->value)
    return;
  current = next->value;
  qx_strand_event(QX_STRAND_RUN, next->value / 2);
  if ((status == task_complete || status == task_cancel) && before->value % 2 == 1)
    qx_strand_event(QX_STRAND_TASKWAIT, before->value / 2);
}

enum mutex { test_lock = 2, test_nest_lock = 4 };

static void on_acquired(int kind, uint64_t lock, const void *place) {
  (void)place;
  if (kind == test_lock || kind == test_nest_lock)
    qx_strand_event(QX_STRAND_TRIED, lock | QX_STRAND_QUEUED);
  else
    qx_strand_locked(lock | QX_STRAND_QUEUED);
}

static void on_released(int kind, uint64_t lock, const void *place) {
  (void)kind, (void)place;
  qx_strand_unlocked(lock | QX_STRAND_QUEUED);
}

static int begin(function (*find)(const char *), int device, union data *own) {
  (void)device, (void)own;
  static const struct {
    int event;
    function call;
  } calls[] = {
      {parallel_begin, (function)on_parallel_begin}, {parallel_end, (function)on_parallel_end},
      {implicit_task, (function)on_implicit_task},   {sync_region, (function)on_sync_region},
      {task_create, (function)on_task_create},       {task_schedule, (function)on_task_schedule},
      {dependences, (function)on_dependences},       {mutex_acquired, (function)on_acquired},
      {mutex_released, (function)on_released}};
  int (*const set)(int, function) = (int (*)(int, function))find("ompt_set_callback");
  for (size_t i = 0; set != NULL && i < sizeof calls / sizeof *calls; ++i)
    set(calls[i].event, calls[i].call);
  return set != NULL;
}

static void end(union data *own) { (void)own; }

/* ---- the library's own waits ---- */

uintptr_t qx_openmp_begin, qx_openmp_size;

static int find_library(struct dl_phdr_info *image, size_t size, void *of) {
  (void)size;
  for (int i = 0; i < image->dlpi_phnum; ++i) {
    const ElfW(Phdr) *p = &image->dlpi_phdr[i];
    const uintptr_t from = image->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_LOAD && (uintptr_t)of - from < p->p_memsz) {
      qx_openmp_begin = from;
      qx_openmp_size = p->p_memsz;
      return 1;
    }
  }
  return 0;
}

QX_HIDDEN struct tool *__quincunx_strands_ompt_start_tool(unsigned version, const char *name) {
  (void)version, (void)name;
  static struct tool tool = {begin, end, {0}};
  dl_iterate_phdr(find_library, __builtin_return_address(0));
  return &tool;
}
