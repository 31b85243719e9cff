/*
 * The signal storm of the checking tool: on every thread, ten thousand times a second of its
 * running, a handler asks everything that a tool may ask from one, and checks that the answers make
 * sense.
 */
#ifndef STORM_H
#define STORM_H
#include "state.h"
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EACH(do) \
  do(get_thread_data) do(get_state) do(get_parallel_info) do(get_task_info) do(get_task_memory) \
  do(get_proc_id) do(get_place_num) do(get_num_procs) do(get_unique_id) do(get_num_places) \
  do(get_place_proc_ids) do(get_partition_place_nums) do(get_target_info) do(get_num_devices) \
  do(enumerate_states) do(enumerate_mutex_impls)
#define DECLARE(name) static ompt_##name##_t name;
EACH(DECLARE)

static __thread timer_t timer;
static __thread int armed;

static void ask(int signal, siginfo_t *info, void *context)
{
  int saved = errno;
  ompt_wait_id_t wait = 0;
  int state = get_state(&wait);
  RULE(state >= 0 && state < 0x200, "state %x", state);
  RULE(wait == 0 || (state >= 0x40 && state < 0x80), "a wait id outside of a mutex wait: %x",
       state);
  RULE(get_thread_data() && get_thread_data()->ptr == self, "the thread's word");
  for (int level = 0; level < 100; level++) {
    ompt_data_t *region = NULL;
    int size = 0, result = get_parallel_info(level, &region, &size);
    if (result == 0) break;
    RULE(result == 1 || (region && size >= 1), "region %d: %d", level, size);
  }
  for (int level = 0; level < 100; level++) {
    ompt_data_t *task = NULL, *region = NULL;
    ompt_frame_t *frame = NULL;
    int flags = 0, number = -1,
        result = get_task_info(level, &flags, &task, &frame, &region, &number);
    if (result == 0) break;
    /* -2: omp_unassigned_thread, a free agent's. */
    RULE(result == 1 || (task && frame && region && (number >= 0 || number == -2)), "task %d",
         level);
    RULE(result == 1 || (flags & 0x1f), "kind of task: %x", flags);
    RULE(result == 1 || frame->exit_frame_flags, "flags of frames");
  }
  void *memory;
  size_t bytes;
  int numbers[8], next = 0;
  const char *name;
  uint64_t device;
  ompt_id_t target, operation;
  get_task_memory(&memory, &bytes, 0);
  get_target_info(&device, &target, &operation);
  RULE(get_proc_id() >= 0 && get_place_num() >= -1 && get_num_procs() > 0, "processors");
  get_place_proc_ids(0, 8, numbers);
  get_partition_place_nums(8, numbers);
  RULE(get_num_places() >= 0 && get_num_devices() >= 0, "places");
  RULE(enumerate_states(0x102, &next, &name) == 1, "states");
  enumerate_mutex_impls(0, &next, &name);
  RULE(get_unique_id() != get_unique_id(), "unique id");
  errno = saved;
}

/* Finds the inquiries, which the checks use too. */
static void storm_prepare(ompt_function_lookup_t lookup)
{
#define LOOK(name) name = (ompt_##name##_t)lookup("ompt_" #name);
  EACH(LOOK)
  struct sigaction action = {.sa_sigaction = ask, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGRTMIN + 3, &action, NULL);
}

static void storm_begin(void)
{
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 3};
  event._sigev_un._tid = syscall(SYS_gettid);
  struct itimerspec every = {{0, 100000}, {0, 100000}};
  armed = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
  if (armed) timer_settime(timer, 0, &every, NULL);
}

static void storm_end(void)
{
  if (armed) timer_delete(timer);
  armed = 0;
  /* One may be pending still: after this event nothing may be asked. */
  sigset_t all;
  sigemptyset(&all);
  sigaddset(&all, SIGRTMIN + 3);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
}
#endif
