/* Everything that can be asked may be asked in a signal handler, whatever the thread does. */
#define UNWANTED(event) (event != ompt_event_runtime_shutdown)
#include "tool.h"
#include <sys/time.h>

static long asked, sum;

static void on_time(int number)
{
  (void)number;
  for (int level = -1; level < 5; level++) {
    ompt_data_t *word = ompt_get_task_data(level);
    ompt_frame_t *frame = ompt_get_task_frame(level);
    if (word) sum += word->value;
    if (frame) sum += frame->exit_runtime_frame != NULL && frame->reenter_runtime_frame != NULL;
    sum += ompt_get_parallel_id(level) + (ompt_get_parallel_function(level) != NULL);
    sum += ompt_get_task_function(level) != NULL;
  }
  int state, next_state;
  const char *name;
  uint64_t wait;
  state = ompt_get_state(&wait);
  if (state != ompt_state_undefined) ompt_enumerate_state(state, &next_state, &name);
  if (ompt_get_thread_data()) sum += ompt_get_thread_data()->value;
  __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);
}

static void check(void) { RULE(asked > 100, "%ld signals", asked); }

static int fib(int n)
{
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void)
{
  struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  omp_lock_t lock;
  signal(SIGPROF, on_time);
  setitimer(ITIMER_PROF, &often, NULL);
  omp_init_lock(&lock);
  omp_set_max_active_levels(2);
  while (__atomic_load_n(&asked, __ATOMIC_RELAXED) < 200) {
#pragma omp parallel num_threads(3)
    {
#pragma omp single
      RULE(fib(10) == 55, "a wrong sum");
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 50; i++) {
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
      }
#pragma omp parallel num_threads(2)
#pragma omp critical
      usleep(1);
    }
  }
  setitimer(ITIMER_PROF, &never, NULL);
  omp_destroy_lock(&lock);
  return 0;
}
