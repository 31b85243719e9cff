/* Asks all that there is to know of a program, and writes it down. */
#include <stdio.h>

#include "y2016.h"

#define NUMBER(function, handle)                          \
  do {                                                    \
    ompd_tword_t number = -1;                             \
    OK(function(handle, &number));                        \
    printf("    %s %ld\n", #function + 2, (long)number);  \
  } while (0)

/* What may be unknown: then there is a code for it, and no value. */
#define KNOWN(call)                                                             \
  do {                                                                          \
    ompd_rc_t is = call;                                                        \
    if (is == ompd_rc_needs_state_tracking) printf("    %s untracked\n", #call); \
    else if (is != ompd_rc_unavailable) EXPECT(ompd_rc_ok, is);                 \
  } while (0)

static void show_task(ompd_task_handle_t *task) {
  ompd_address_t exit = {0, 0}, enter = {0, 0}, function = {0, 0};
  ompd_sched_t kind;
  ompd_proc_bind_t bind;
  ompd_tword_t chunk;
  char *name;
  KNOWN(p_ompd_get_task_function(task, &function));
  KNOWN(p_ompd_get_task_frame(task, &exit, &enter));
  OK(p_ompd_get_schedule(task, &kind, &chunk));
  OK(p_ompd_get_proc_bind(task, &bind));
  OK(p_ompd_get_task_handle_string_id(task, &name));
  printf("  task %s: function %#lx, exit %#lx, enter %#lx, schedule %d %ld, bind %d\n", name,
         function.address, exit.address, enter.address, kind, (long)chunk, bind);
  release(name);
  NUMBER(p_ompd_get_level, task);
  NUMBER(p_ompd_get_active_level, task);
  NUMBER(p_ompd_get_max_threads, task);
  NUMBER(p_ompd_in_parallel, task);
  NUMBER(p_ompd_in_final, task);
  NUMBER(p_ompd_get_dynamic, task);
  NUMBER(p_ompd_get_nested, task);
  NUMBER(p_ompd_is_implicit, task);
}

static void show_region(ompd_parallel_handle_t *region) {
  ompd_address_t function = {0, 0};
  ompd_thread_handle_t **threads, *master;
  ompd_task_handle_t **tasks;
  int nthreads, ntasks, count, order;
  char *name;
  KNOWN(p_ompd_get_parallel_function(region, &function));
  OK(p_ompd_get_parallel_handle_string_id(region, &name));
  printf("  region %s: function %#lx\n", name, function.address);
  release(name);
  NUMBER(p_ompd_get_num_threads, region);
  OK(p_ompd_get_thread_in_parallel(region, NULL, &count));
  OK(p_ompd_get_thread_in_parallel(region, &threads, &nthreads));
  OK(p_ompd_get_implicit_task_in_parallel(region, &tasks, &ntasks));
  if (count != nthreads || nthreads != ntasks)
    printf("WRONG: %d, %d threads, %d tasks\n", count, nthreads, ntasks);
  OK(p_ompd_get_master_thread_in_parallel(region, &master));
  OK(p_ompd_thread_handle_compare(master, threads[0], &order));
  if (order) printf("WRONG: thread 0 is not the primary one\n");
  OK(p_ompd_release_thread_handle(master));
  for (int i = 0; i < nthreads; i++) {
    OK(p_ompd_release_thread_handle(threads[i]));
    OK(p_ompd_release_task_handle(tasks[i]));
  }
  release(threads);
  release(tasks);
}

void dump(void) {
  int version, nthreads;
  const char *text, *const *settings;
  ompd_thread_handle_t **threads;
  begin();
  OK(p_ompd_get_version(&version));
  OK(p_ompd_get_version_string(&text));
  printf("library %d, %s\n", version, text);
  OK(p_ompd_get_display_control_vars(space, &settings));
  for (int i = 0; settings[i]; i++) printf("  %s\n", settings[i]);
  OK(p_ompd_release_display_control_vars(settings));
  NUMBER(p_ompd_get_num_procs, space);
  NUMBER(p_ompd_get_thread_limit, space);
  OK(p_ompd_get_threads(space, &threads, &nthreads));
  for (int i = 0; i < nthreads; i++) {
    ompd_state_t state;
    ompd_wait_id_t wait;
    uint64_t pthread;
    uint32_t lwp;
    char *name;
    ompd_thread_handle_t *again;
    int order;
    OK(p_ompd_get_state(threads[i], &state, &wait));
    OK(p_ompd_get_osthread(threads[i], ompd_osthread_pthread, 8, &pthread));
    OK(p_ompd_get_osthread(threads[i], ompd_osthread_lwp, 4, &lwp));
    OK(p_ompd_get_thread_handle(space, ompd_osthread_lwp, 4, &lwp, &again));
    OK(p_ompd_thread_handle_compare(threads[i], again, &order));
    if (order) printf("WRONG: two handles of a thread differ\n");
    OK(p_ompd_release_thread_handle(again));
    OK(p_ompd_get_thread_handle_string_id(threads[i], &name));
    printf("thread %s %u: state %#x, waits for %#lx\n", name, lwp, state, (long)wait);
    release(name);
    NUMBER(p_ompd_get_thread_num, threads[i]);
    ompd_parallel_handle_t *region, *around;
    if (p_ompd_get_top_parallel_region(threads[i], &region) != ompd_rc_ok) {
      OK(p_ompd_release_thread_handle(threads[i]));
      continue;
    }
    NUMBER(p_ompd_get_max_active_levels, threads[i]);
    OK(p_ompd_get_current_parallel_handle(threads[i], &around));
    OK(p_ompd_parallel_handle_compare(region, around, &order));
    if (order) printf("WRONG: the draft's region is another one\n");
    OK(p_ompd_release_parallel_handle(around));
    for (;;) {
      show_region(region);
      ompd_rc_t code = p_ompd_get_enclosing_parallel_handle(region, &around);
      OK(p_ompd_release_parallel_handle(region));
      region = around;
      if (code != ompd_rc_ok) break;
    }
    ompd_task_handle_t *task, *next;
    OK(p_ompd_get_top_task_region(threads[i], &task));
    OK(p_ompd_get_current_task_handle(threads[i], &next));
    OK(p_ompd_task_handle_compare(task, next, &order));
    if (order) printf("WRONG: the draft's task is another one\n");
    OK(p_ompd_release_task_handle(next));
    for (;;) {
      show_task(task);
      OK(p_ompd_get_task_parallel_handle(task, &region));
      OK(p_ompd_release_parallel_handle(region));
      if (p_ompd_get_generating_ancestor_task_region(task, &next) == ompd_rc_ok)
        OK(p_ompd_release_task_handle(next));
      ompd_rc_t code = p_ompd_get_scheduling_ancestor_task_region(task, &next);
      OK(p_ompd_release_task_handle(task));
      if (code != ompd_rc_ok) break;
      task = next;
    }
    OK(p_ompd_release_thread_handle(threads[i]));
  }
  release(threads);
  uint64_t id = 0;
  for (int more = 1, scope; more;) {
    OK(p_ompd_enumerate_icvs(space, id, &id, &text, &scope, &more));
    ompd_tword_t value;
    if (scope == 2 && p_ompd_get_icv_from_scope(space, scope, id, &value) == ompd_rc_ok)
      printf("  %s %ld\n", text, (long)value);
    release((void *)text);
  }
  OK(p_ompd_release_address_space_handle(space));
  OK(p_ompd_finalize());
  printf("%ld pieces of memory left\n", allocated);
}
