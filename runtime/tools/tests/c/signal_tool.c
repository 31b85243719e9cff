/*
 * A tool that asks everything it may ask from a signal handler, on every thread, a thousand times a
 * second, and checks that the answers make sense. It says at the end how often it asked.
 */
#define _GNU_SOURCE
#include "omp-tools.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static ompt_get_thread_data_t get_thread_data;
static ompt_get_state_t get_state;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_task_memory_t get_task_memory;
static ompt_get_proc_id_t get_proc_id;
static ompt_get_place_num_t get_place_num;
static ompt_get_num_procs_t get_num_procs;
static ompt_get_unique_id_t get_unique_id;

static uint64_t asked, in_tasks, wrong, threads;
static char states[0x200];

static void check(int holds, const char *rule)
{
  if (holds) return;
  if (__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED) < 5) {
    (void)!write(2, "signal_tool: broken: ", 21);
    (void)!write(2, rule, strlen(rule));
    (void)!write(2, "\n", 1);
  }
}

static void ask(int signal, siginfo_t *info, void *context)
{
  int saved = errno;
  ompt_wait_id_t wait = 0;
  int state = get_state(&wait);
  check(state >= 0 && state < 0x200 && (states[state] || state == ompt_state_undefined), "state");
  check(wait == 0 || (state >= 0x40 && state < 0x80), "a wait id outside of a mutex wait");
  check(get_thread_data() != NULL, "no thread data between begin and end");
  int level = 0;
  for (;; level++) {
    ompt_data_t *region = NULL;
    int size = 0, result = get_parallel_info(level, &region, &size);
    if (result == 0) break;
    if (result == 2) check(region != NULL && size >= 1, "region");
    if (level > 50) {
      check(0, "endless regions");
      break;
    }
  }
  for (level = 0;; level++) {
    ompt_data_t *task = NULL, *region = NULL;
    ompt_frame_t *frame = NULL;
    int flags = 0, number = -1;
    int result = get_task_info(level, &flags, &task, &frame, &region, &number);
    if (result == 0) break;
    if (result == 2) {
      check(task != NULL && frame != NULL && number >= 0 && number < 1000, "task");
      check((flags & 0xf) != 0, "kind of task");
      if (level == 0 && (flags & ompt_task_explicit))
        __atomic_fetch_add(&in_tasks, 1, __ATOMIC_RELAXED);
    }
    if (level > 100) {
      check(0, "endless tasks");
      break;
    }
  }
  void *memory;
  size_t bytes;
  get_task_memory(&memory, &bytes, 0);
  check(get_proc_id() >= 0, "processor");
  check(get_place_num() >= -1, "place");
  check(get_num_procs() > 0, "processors");
  check(get_unique_id() != get_unique_id(), "unique id");
  __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
  errno = saved;
}

static __thread timer_t timer;

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 3};
  event._sigev_un._tid = syscall(SYS_gettid);
  struct itimerspec every = {{0, 1000000}, {0, 1000000}};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &every, NULL);
  __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
}

static void on_thread_end(ompt_data_t *data) { timer_delete(timer); }

#define FIND(name) name = (ompt_##name##_t)lookup("ompt_" #name)

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  FIND(get_thread_data);
  FIND(get_state);
  FIND(get_parallel_info);
  FIND(get_task_info);
  FIND(get_task_memory);
  FIND(get_proc_id);
  FIND(get_place_num);
  FIND(get_num_procs);
  FIND(get_unique_id);
  ompt_enumerate_states_t enumerate = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
  int state = ompt_state_undefined;
  const char *name;
  while (enumerate(state, &state, &name)) states[state] = 1;
  struct sigaction action = {.sa_sigaction = ask, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGRTMIN + 3, &action, NULL);
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
  set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
  return 1;
}

static void finalize(ompt_data_t *data)
{
  signal(SIGRTMIN + 3, SIG_IGN);
  fprintf(stderr, "signal_tool: asked=%llu tasks=%llu wrong=%llu threads=%llu\n",
      (unsigned long long)asked, (unsigned long long)in_tasks, (unsigned long long)wrong,
      (unsigned long long)threads);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
