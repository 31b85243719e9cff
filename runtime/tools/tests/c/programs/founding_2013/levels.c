/* Inquiries by level: regions and tasks from the inside out, with their code, then nothing. */
#include "tool.h"

static uint64_t outer_id;
static void *outer_code;

static void check(void) {}

static void expect_nothing(int level, int tasks)
{
  RULE(ompt_get_parallel_id(level) == 0 && ompt_get_parallel_function(level) == NULL, "region");
  RULE(ompt_get_task_data(tasks) == NULL && ompt_get_task_frame(tasks) == NULL, "task");
  RULE(ompt_get_task_function(tasks) == NULL, "function");
}

int main(void)
{
  omp_set_max_active_levels(2);
  omp_get_max_threads();
  expect_nothing(0, 1);
  expect_nothing(-1, -1);
  RULE(ompt_get_task_data(0) && ompt_get_task_frame(0), "the initial task");
  RULE(ompt_get_task_function(0) == NULL, "the initial task has no code of its own");
#pragma omp parallel num_threads(2)
  {
    RULE(ompt_get_parallel_id(0) != 0 && ompt_get_parallel_id(1) == 0, "one region");
    RULE(ompt_get_parallel_function(0) == ompt_get_task_function(0), "two functions");
    RULE(ompt_get_parallel_function(0) != NULL, "no function");
    RULE(ompt_get_task_data(1) != NULL && ompt_get_task_data(2) == NULL, "tasks");
#pragma omp master
    {
      outer_id = ompt_get_parallel_id(0);
      outer_code = ompt_get_parallel_function(0);
    }
#pragma omp barrier
    RULE(ompt_get_parallel_id(0) == outer_id, "two ids of one region");
#pragma omp parallel num_threads(2)
    {
      RULE(ompt_get_parallel_id(0) != outer_id && ompt_get_parallel_id(1) == outer_id, "ids");
      RULE(ompt_get_parallel_function(1) == outer_code, "the outer code");
      RULE(ompt_get_parallel_function(0) != outer_code, "the inner code");
      RULE(ompt_get_task_function(1) == outer_code, "the task around");
#pragma omp task if (0)
      {
        RULE(ompt_get_task_function(0) != ompt_get_task_function(1), "the task's code");
        RULE(ompt_get_task_function(0) != NULL, "no code");
        RULE(ompt_get_task_function(2) == outer_code, "two levels up");
        RULE(ompt_get_parallel_id(1) == outer_id, "a task's regions");
        expect_nothing(2, 4);
      }
      expect_nothing(2, 3);
    }
  }
  expect_nothing(0, 1);
  return 0;
}
