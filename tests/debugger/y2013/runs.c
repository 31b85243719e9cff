/* y2013 run COMMAND runs [WORD ...]: runs a program to its end, with breakpoints at the places that
 * the library names. A word for each SIGUSR1 that the program sends itself: "0" and "1" switch tool
 * support, anything else does nothing; "late" as the first: the library is loaded at the first. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "../running.h"
#include "y2013.h"

static const char *const names[] = {"parallel_begin", "parallel_end", "task_begin", "task_end",
                                    "enable_complete"};
static uint64_t places[5];

static void begin(void) {
  ompd_breakpoints_t found;
  load();
  OK(p_ompd_get_breakpoints(context, &found));
  memcpy(places, &found, sizeof found);
  places[4] = target_symbol("ompt_enable_complete");
  for (int i = 0; i < 5; i++) running_break(places[i]);
}

/* What the text says can be asked at a place of a region or task. */
static void look(int lwp, int is_task) {
  ompd_thread_handle_t thread;
  ompd_parallel_handle_t region;
  ompd_task_handle_t task;
  ompd_taddr_t function = 0;
  ompd_tword_t size;
  ompd_parallel_id_t id = 0;
  ompd_osthread_t native = {.kind = ompd_osthread_lwp, .data.lwp = lwp};
  OK(p_ompd_get_thread_handle(context, &native, &thread));
  ompd_rc_t code;
  if (is_task) {
    OK(p_ompd_get_top_task_region(context, thread, &task));
    code = p_ompd_get_task_function(context, task, &function);
  } else {
    OK(p_ompd_get_top_parallel_region(context, thread, &region));
    OK(p_ompd_get_num_threads(context, region, &size));
    OK(p_ompd_get_parallel_id(context, region, &id));
    if (!id) printf("WRONG: the region has no id\n");
    code = p_ompd_get_parallel_function(context, region, &function);
  }
  if (code != ompd_rc_unavailable && (code || !function))
    printf("WRONG: function %#lx, code %d\n", (long)function, code);
}

void runs(char **words) {
  int passed[5] = {0}, late = *words && !strcmp(*words, "late");
  words += late;
  if (!late) begin();
  for (struct stop stop; (stop = running_go()).why != RUNNING_ENDED;) {
    if (stop.why == RUNNING_ASKED) {
      if (late) begin();
      late = 0;
      if (*words && (**words == '0' || **words == '1')) OK(p_ompd_enable(**words == '1'));
      words += *words != 0;
    } else {
      int i = 0;
      while (i < 5 && places[i] != stop.address) i++;
      passed[i]++;
      if (i < 4) look(stop.lwp, i > 1);
    }
  }
  for (int i = 0; i < 5; i++) printf("%s %d\n", names[i], passed[i]);
}

static ompd_thread_handle_t threads[64];
static ompd_parallel_handle_t regions[64];
static ompd_task_handle_t tasks[64];
static int kept;

static const char *lives(ompd_rc_t code) {
  return code == ompd_rc_ok ? "lives" : code == ompd_rc_stale_handle ? "over" : "WRONG";
}

/* At each SIGUSR1: whether what was current at the earlier ones still is there. Then the handles of
 * all that encloses the task. */
void handles(void) {
  load();
  for (struct stop stop; (stop = running_go()).why != RUNNING_ENDED;) {
    ompd_osthread_t native = {.kind = ompd_osthread_lwp, .data.lwp = stop.lwp};
    ompd_tword_t word;
    int small, around = 0;
    uint64_t wait;
    for (int i = 0; i < kept; i++)
      printf("thread %s, region %s, task %s\n",
             lives(p_ompd_get_state(context, threads[i], &small, &wait)),
             lives(p_ompd_get_level(context, regions[i], &word)),
             lives(p_ompd_get_max_threads(context, tasks[i], &small)));
    OK(p_ompd_get_thread_handle(context, &native, &threads[kept]));
    OK(p_ompd_get_innermost_parallel_region(context, threads[kept], &regions[kept]));
    OK(p_ompd_get_top_task_region(context, threads[kept], &tasks[kept]));
    ompd_task_handle_t task = tasks[kept], again;
    while (!p_ompd_get_ancestor_task_handle(context, task, &task)) around++;
    OK(p_ompd_get_top_task_region(context, threads[kept], &again));
    if (again != tasks[kept]) printf("WRONG: the task has another handle\n");
    OK(p_ompd_get_max_threads(context, tasks[kept], &small));
    printf("stop %d, %d around\n", ++kept, around);
  }
}
