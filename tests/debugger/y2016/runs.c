/* y2016 run COMMAND runs [late]: runs a program to its end, with breakpoints at the places that the
 * text names. "late": the library is loaded when the program sends itself SIGUSR1. At a task's end
 * the current task must be one that began, and ends once. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "../running.h"
#include "y2016.h"

static const char *const names[] = {"parallel_begin", "parallel_end", "task_begin", "task_end"};
static uint64_t places[4];
static ompd_task_handle_t *begun[1024];
static int nbegun;

static void arrive(void) {
  char name[64];
  load();
  begin();
  for (int i = 0; i < 4; i++) {
    snprintf(name, sizeof name, "ompd_bp_%s", names[i]);
    running_break(places[i] = target_symbol(name));
  }
}

static void region(ompd_thread_handle_t *thread) {
  ompd_parallel_handle_t *region;
  ompd_address_t function = {0, 0};
  ompd_tword_t size;
  OK(p_ompd_get_top_parallel_region(thread, &region));
  OK(p_ompd_get_num_threads(region, &size));
  ompd_rc_t code = p_ompd_get_parallel_function(region, &function);
  if (code != ompd_rc_unavailable && (code || !function.address))
    printf("WRONG: function %#lx, code %d\n", (long)function.address, code);
  OK(p_ompd_release_parallel_handle(region));
}

static void task(ompd_thread_handle_t *thread, int ends) {
  ompd_task_handle_t *task;
  ompd_address_t function;
  ompd_tword_t implicit = 1;
  int differs = 1, i;
  OK(p_ompd_get_top_task_region(thread, &task));
  OK(p_ompd_is_implicit(task, &implicit));
  if (implicit) printf("WRONG: an implicit task where an explicit one %s\n", names[2 + ends]);
  OK(p_ompd_get_task_function(task, &function));
  for (i = 0; ends && i < nbegun; i++) {
    ompd_rc_t code = p_ompd_task_handle_compare(task, begun[i], &differs);
    if (!code && !differs) break;
  }
  if (!ends) {
    if (nbegun < 1024) begun[nbegun++] = task;
    return;
  }
  if (i == nbegun)
    printf("WRONG: the task that ends has not begun\n");
  else
    begun[i] = begun[--nbegun];
}

void runs(int late) {
  int passed[4] = {0};
  if (!late) arrive();
  for (struct stop stop; (stop = running_go()).why != RUNNING_ENDED;) {
    if (stop.why == RUNNING_ASKED) {
      if (late) arrive();
      late = 0;
      continue;
    }
    int i = 0;
    while (i < 4 && places[i] != stop.address) i++;
    if (i == 4) continue;
    passed[i]++;
    ompd_thread_handle_t *thread;
    int64_t lwp = stop.lwp;
    OK(p_ompd_get_thread_handle(space, ompd_osthread_lwp, sizeof lwp, &lwp, &thread));
    if (i < 2)
      region(thread);
    else
      task(thread, i == 3);
    OK(p_ompd_release_thread_handle(thread));
  }
  for (int i = 0; i < 4; i++) printf("%s %d\n", names[i], passed[i]);
}
