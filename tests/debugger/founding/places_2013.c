/* The places for breakpoints: each is passed once for a region or a task, and there OMPD says what
 * begins or ends. */
#include "own.h"

enum { REGION_BEGINS, REGION_ENDS, TASK_BEGINS, TASK_ENDS };
static struct { int place; uint64_t region, task, size; } passed[256];
static int npassed, entered, left;
static uint64_t executed[16];
static int nexecuted;

static void at_place(int place)
{
  pthread_mutex_lock(&asking);
  ompd_thread_handle_t thread = own_thread();
  ompd_parallel_handle_t region = 0;
  ompd_task_handle_t task = 0;
  ompd_taddr_t region_code = 0, task_code = 0;
  ompd_tword_t size = -1;
  OK(p_ompd_get_top_parallel_region(context, thread, &region));
  OK(p_ompd_get_parallel_function(context, region, &region_code));
  OK(p_ompd_get_num_threads(context, region, &size));
  OK(p_ompd_get_top_task_region(context, thread, &task));
  if (place == TASK_BEGINS || place == TASK_ENDS)
    OK(p_ompd_get_task_function(context, task, &task_code));
  passed[npassed].place = place;
  passed[npassed].region = region_code;
  passed[npassed].task = task_code;
  passed[npassed++].size = size;
  /* No member executes the region before, or any more. */
  if (place == REGION_BEGINS) RULE(entered == left, "a member is in the region");
  if (place == REGION_ENDS) RULE(entered == left, "a member is in the region");
  pthread_mutex_unlock(&asking);
}

static int count(int place)
{
  int found = 0;
  for (int i = 0; i < npassed; i++) found += passed[i].place == place;
  return found;
}

int main(void)
{
  ompd_breakpoints_t at;
  uint64_t regions[3] = {0}, in_region = 0;
  load();
  omp_get_max_threads();
  OK(p_ompd_get_breakpoints(context, &at));
  plant(at.parallel_pre_execute);
  plant(at.parallel_post_execute);
  plant(at.task_pre_execute);
  plant(at.task_post_execute);
  for (int turn = 0; turn < 3; turn++) {
#pragma omp parallel num_threads(3)
    {
      __atomic_add_fetch(&entered, 1, __ATOMIC_SEQ_CST);
      if (omp_get_thread_num() == 0) {
        ALONE(OK(p_ompd_get_parallel_function(context, own_region(), &regions[turn])));
        in_region = npassed;
      }
#pragma omp barrier
      if (omp_get_thread_num() == 1 && turn == 2) {
        for (int i = 0; i < 8; i++) {
#pragma omp task
          {
            ompd_taddr_t code = 0;
            pthread_mutex_lock(&asking);
            OK(p_ompd_get_task_function(context, own_task(), &code));
            executed[nexecuted++] = code;
            pthread_mutex_unlock(&asking);
          }
        }
      }
#pragma omp barrier
      __atomic_add_fetch(&left, 1, __ATOMIC_SEQ_CST);
    }
  }
  RULE(count(REGION_BEGINS) == 3 && count(REGION_ENDS) == 3, "%d, %d", count(REGION_BEGINS),
       count(REGION_ENDS));
  RULE(count(TASK_BEGINS) == 8 && count(TASK_ENDS) == 8 && nexecuted == 8, "%d, %d tasks",
       count(TASK_BEGINS), count(TASK_ENDS));
  int region = 0;
  for (int i = 0; i < npassed; i++) {
    RULE(passed[i].size == 3, "%lu threads", (unsigned long)passed[i].size);
    if (passed[i].place == REGION_BEGINS)
      RULE(passed[i].region == regions[region++] && passed[i].region, "the region's code");
    if (passed[i].place == TASK_BEGINS || passed[i].place == TASK_ENDS)
      RULE(passed[i].task == executed[0] && passed[i].task, "the task's code");
  }
  RULE(in_region == 5, "%lu places before the last region's code", (unsigned long)in_region);
  return end();
}
