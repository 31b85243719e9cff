/*
 * Single blocks (2013, 3.3.2): the end comes behind the code block and before the barrier or the
 * statement behind the construct. Where the compiler makes no call there, ompt_set_callback does
 * not promise the moment.
 */
#include "says.h"
#include <omp.h>
#include <ompt-2013.h>

static __thread int depth, done[8], ends, others;

static void begins(ompt_data_t *task, ompt_parallel_id_t region)
{
  (void)task; (void)region;
  says(!done[depth], "a single begins behind the end of the one before");
  done[++depth] = 0;
}
static void ends_now(ompt_data_t *task, ompt_parallel_id_t region)
{
  (void)task; (void)region;
  says(depth > 0 && done[depth], "the end comes behind the code block");
  done[depth--] = 0;
  ends++;
}
static void other(ompt_data_t *task, ompt_parallel_id_t region)
{
  (void)task; (void)region;
  others++;
}
static void before(ompt_data_t *task, ompt_parallel_id_t region)
{
  (void)task; (void)region;
  says(!done[depth], "the end comes before what follows");
}
int ompt_initialize(void)
{
  ompt_set_callback(ompt_event_single_in_block_begin, (ompt_callback_t)begins);
  int answer = ompt_set_callback(ompt_event_single_in_block_end, (ompt_callback_t)ends_now);
#ifdef __clang__
  says(answer == 3, "always: clang's code calls at the end: %d", answer);
#else
  says(answer == 2, "when convenient: gcc's code makes no call at the end: %d", answer);
#endif
  ompt_set_callback(ompt_event_single_others_begin, (ompt_callback_t)other);
  ompt_set_callback(ompt_event_barrier_begin, (ompt_callback_t)before);
  ompt_set_callback(ompt_event_loop_begin, (ompt_callback_t)before);
  ompt_set_callback(ompt_event_section_begin, (ompt_callback_t)before);
  ompt_set_callback(ompt_event_implicit_task_exit, (ompt_callback_t)before);
  return 1;
}

__attribute__((noinline)) static void orphan(void)
{
#pragma omp single nowait
  done[depth] = 1;
}

int main(void)
{
  static int executed, told;
  for (int size = 1; size <= 3; size++) {
#pragma omp parallel num_threads(size)
    {
      int taken = 0, value = 0;
#pragma omp single
      {
        taken++;
#pragma omp parallel num_threads(2)
#pragma omp single
        done[depth] = 1;
        done[depth] = 1;
      }
#pragma omp single nowait
      done[depth] = 1, taken++;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 4; i++) usleep(1);
#pragma omp single nowait
      done[depth] = 1, taken++;
#pragma omp sections
      {
        usleep(1);
#pragma omp section
        usleep(1);
      }
#pragma omp single copyprivate(value)
      done[depth] = 1, value = 7, taken++;
#pragma omp single nowait
      done[depth] = 1, taken++;
      orphan();
#pragma omp single nowait
      done[depth] = 1, taken++;
#pragma omp atomic
      executed += taken;
    }
  }
#pragma omp parallel num_threads(3)
#pragma omp atomic
  told += ends;
  says(executed == 3 * 6, "each single is executed once: %d", executed);
  says(told >= 3 * 7, "and ends: %d", told);
  says(depth == 0, "none is left");
  return 0;
}
