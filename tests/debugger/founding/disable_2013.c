/* ompd_enable(false): the tool is ended at the next moment at which no thread is in a region, and
 * hears of nothing afterwards; a debugger sees the place that is passed then. */
#include "own.h"

static int started, told, ended, completed, told_at_end;
static void on_region(ompt_data_t *task, ompt_frame_t *frame, ompt_parallel_id_t region)
{
  (void)task, (void)frame, (void)region;
  told++;
}
static void on_end(void)
{
  ended++;
  told_at_end = told;
}
int ompt_initialize(void)
{
  started++;
  ompt_set_callback(ompt_event_parallel_create, (ompt_callback_t)on_region);
  ompt_set_callback(ompt_event_runtime_shutdown, (ompt_callback_t)on_end);
  return 1;
}
static void at_place(int place)
{
  (void)place;
  completed++;
  RULE(ended == 1, "the place is passed before the end");
}

static volatile int sum;
static void region(void)
{
#pragma omp parallel num_threads(2)
  __atomic_add_fetch(&sum, 1, __ATOMIC_SEQ_CST);
}

int main(void)
{
  int count;
  load();
  region();
  RULE(started == 1 && told == 1, "started %d, told %d", started, told);
  plant((uint64_t)dlsym(RTLD_DEFAULT, "ompt_enable_complete"));
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      OK(p_ompd_get_threads(context, NULL, &count));
      EXPECT(ompd_rc_ok, p_ompd_enable(0));
      RULE(ended == 0, "it ends in a region");
      region();
      RULE(ended == 0, "it ends in a region");
    }
  }
  RULE(told == 3, "told %d", told);
  region();
  RULE(ended == 1 && completed == 1, "ended %d, completed %d", ended, completed);
  region();
  RULE(ended == 1 && completed == 1 && told == told_at_end, "told %d of %d", told, told_at_end);
  RULE(written > 0, "nothing is written");
  return end();
}
