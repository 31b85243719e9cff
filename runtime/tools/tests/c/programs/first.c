/* Each construct and routine as the first that a process, or a thread of the program's own, has of
 * OpenMP:
 *
 *     first list                    what there is
 *     first NAME cold|warm [thread [after]] [client]
 *
 * `warm`: the runtime and the thread are known before, by a call that no tool hears of. `thread`:
 * in a thread that the program makes, and that knows nothing of OpenMP else; `after`: when the main
 * thread knows of it. `client`: with a client of the Collector API, which says at the end what it
 * heard. All begin outside of regions, and with one thread what tools hear has one order. */
#define _GNU_SOURCE
#include "collector/client.h"
#include <complex.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Not in every library that compilers link: the runtime has them. */
#pragma weak omp_control_tool
#pragma weak omp_init_lock_with_hint
#pragma weak omp_target_alloc
#pragma weak omp_target_free

#include "first/constructs.h"

static int private_one = 3;
#pragma omp threadprivate(private_one)
ONE(threadprivate, use(private_one++);)
ONE(copyin, DO(omp parallel copyin(private_one)) use(private_one);)

#ifndef __clang__
extern int omp_control_tool(int command, int modifier, void *argument);
#endif
static omp_lock_t lock;
static omp_nest_lock_t nest;
ONE(lock_init, omp_init_lock(&lock);)
ONE(lock_init_hint, omp_init_lock_with_hint(&lock, omp_sync_hint_contended);)
ONE(lock_destroy, omp_destroy_lock(&lock);)
ONE(lock_set, omp_set_lock(&lock);)
ONE(lock_test, use(omp_test_lock(&lock));)
ONE(nest_init, omp_init_nest_lock(&nest);)
ONE(nest_destroy, omp_destroy_nest_lock(&nest);)
ONE(nest_set, omp_set_nest_lock(&nest); omp_set_nest_lock(&nest); omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);)
ONE(nest_test, use(omp_test_nest_lock(&nest));)

ONE(control, use(omp_control_tool(3, 3, 0));)
ONE(get_thread_num, use(omp_get_thread_num()); use(omp_in_parallel());)
ONE(get_num_procs, use(omp_get_num_procs());)
ONE(set_num_threads, omp_set_num_threads(1);)
ONE(set_schedule, omp_set_schedule(omp_sched_dynamic, 2);)
ONE(wtime, use((int)omp_get_wtime());)
ONE(alloc, void *p = omp_alloc(8, omp_default_mem_alloc); omp_free(p, omp_default_mem_alloc);)
ONE(target_alloc, void *p = omp_target_alloc(8, omp_get_initial_device());
    omp_target_free(p, omp_get_initial_device());)
ONE(pause, use(omp_pause_resource_all(omp_pause_soft));)
ONE(affinity, char text[99]; use((int)omp_capture_affinity(text, sizeof text, "%n"));)

ONE(masked, DO(omp masked) use(1);)
ONE(masked_filter, DO(omp masked filter(0)) use(1);)
#if !defined(__clang__) || __clang_major__ >= 22
ONE(scope, DO(omp parallel) { DO(omp scope) use(1); })
#endif
ONE(error, DO(omp error at(execution) severity(warning)) use(1);)
ONE(parallel_masked, DO(omp parallel masked taskloop) for (int i = 0; i < 3; i++) use(i);)
#ifdef __clang__
ONE(taskwait_nowait, DO(omp taskwait depend(in: x) nowait) DO(omp taskwait))
ONE(task_inoutset, DO(omp task depend(inoutset: x)) x = 1;)
#endif

#define ROW(name) {#name, name}
static const struct { const char *name; void (*run)(void);
} table[] = {
    ROW(task),
    ROW(task_if0),
    ROW(task_final),
    ROW(task_untied),
    ROW(task_mergeable),
    ROW(task_priority),
    ROW(task_in),
    ROW(task_out),
    ROW(task_out_if0),
    ROW(task_set),
    ROW(task_dag),
    ROW(task_nested),
    ROW(task_two),
    ROW(task_region),
    ROW(task_copy),
    ROW(task_detach),
    ROW(task_detach_late),
    ROW(taskloop),
    ROW(taskloop_grainsize),
    ROW(taskloop_nogroup),
    ROW(taskloop_if0),
    ROW(taskloop_simd),
    ROW(taskloop_empty),
    ROW(taskloop_ull),
    ROW(taskloop_reduction),
    ROW(taskgroup),
    ROW(taskgroup_task),
    ROW(taskgroup_reduction),
    ROW(taskwait),
    ROW(taskwait_depend),
    ROW(taskyield),
    ROW(barrier),
    ROW(single),
    ROW(single_nowait),
    ROW(single_copyprivate),
    ROW(master),
    ROW(critical),
    ROW(critical_named),
    ROW(critical_hint),
    ROW(ordered),
    ROW(ordered_dynamic),
    ROW(doacross),
    ROW(for_static),
    ROW(for_static_chunk),
    ROW(for_dynamic),
    ROW(for_guided),
    ROW(for_runtime),
    ROW(for_auto),
    ROW(for_monotonic),
    ROW(for_ull),
    ROW(for_reduction),
    ROW(for_nowait),
    ROW(loop),
    ROW(sections),
    ROW(parallel),
    ROW(parallel_if0),
    ROW(parallel_one),
    ROW(parallel_bind),
    ROW(parallel_for),
    ROW(parallel_for_dynamic),
    ROW(parallel_sections),
    ROW(parallel_reduction),
    ROW(parallel_master),
    ROW(parallel_taskloop),
    ROW(teams),
    ROW(teams_distribute),
    ROW(teams_parallel),
    ROW(target),
    ROW(target_teams),
    ROW(target_nowait),
    ROW(target_data),
    ROW(target_enter),
    ROW(target_update),
    ROW(atomic),
    ROW(atomic_wide),
    ROW(flush),
    ROW(cancel),
    ROW(cancel_for),
    ROW(cancel_group),
    ROW(depobj),
    ROW(threadprivate),
    ROW(copyin),
    ROW(lock_init),
    ROW(lock_init_hint),
    ROW(lock_destroy),
    ROW(lock_set),
    ROW(lock_test),
    ROW(nest_init),
    ROW(nest_destroy),
    ROW(nest_set),
    ROW(nest_test),
    ROW(control),
    ROW(get_thread_num),
    ROW(get_num_procs),
    ROW(set_num_threads),
    ROW(set_schedule),
    ROW(wtime),
    ROW(alloc),
    ROW(target_alloc),
    ROW(pause),
    ROW(affinity),
    ROW(masked),
    ROW(masked_filter),
    ROW(error),
    ROW(parallel_masked),
#if !defined(__clang__) || __clang_major__ >= 22
    ROW(scope),
#endif
#ifdef __clang__
    ROW(atomic_complex),
    ROW(taskwait_nowait),
    ROW(task_inoutset),
#endif
};
enum { ROWS = sizeof table / sizeof *table };

/* What the client heard, in order. */
static int heard[256], number;
static void hear(OMP_COLLECTORAPI_EVENT event) { if (number < 256) heard[number++] = event; }
static void become_client(void) {
  find_api();
  CHECK(api && simple(OMP_REQ_START) == OMP_ERRCODE_OK, "no session");
  for (int event = OMP_EVENT_FORK; event <= OMP_EVENT_THR_END_ATWT; event++)
    packed_register(event, hear);
}

static int warm;
static void *run(void *row) {
  if (warm) use(omp_get_max_threads());
  table[*(int *)row].run();
  return 0;
}

int main(int count, char **arguments) {
  if (count == 2 && !strcmp(arguments[1], "list")) {
    for (int row = 0; row < ROWS; row++) puts(table[row].name);
    return 0;
  }
  if (count < 3) return 2;
  int row = 0, thread = 0;
  while (row < ROWS && strcmp(table[row].name, arguments[1])) row++;
  if (row == ROWS) return 2;
  warm = !strcmp(arguments[2], "warm");
  for (int at = 3; at < count; at++) {
    if (!strcmp(arguments[at], "thread")) thread = 1;
    if (!strcmp(arguments[at], "client")) become_client();
    if (!strcmp(arguments[at], "after")) use(omp_get_max_threads());
  }
  if (thread) {
    pthread_t other;
    if (pthread_create(&other, 0, run, &row) || pthread_join(other, 0)) return 3;
  } else {
    run(&row);
  }
  if (number) printf("client:");
  for (int at = 0; at < number; at++) printf(" %d", heard[at]);
  if (number) putchar('\n');
  use(y);
  return failures != 0;
}
