/*
 * Tasks with dependences (2016, ompt_event_task_create, ompt_event_task_dependences): one construct
 * makes one task; an undeferred one has the dependences that its construct lists, and is the task
 * that runs. A taskwait is no task.
 */
#include "says.h"
#include <ompt-2016.h>

static unsigned long made, with_dependences, lists, listed, pairs;
static ompt_data_t *latest;

static void on_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
                      ompt_task_type_t type, ompt_bool_t dependent, const void *ra)
{
  (void)parent; (void)frame; (void)type; (void)ra;
  task->id = ++made;
  with_dependences += dependent;
  latest = task;
}
static void on_dependences(ompt_data_t *task, const ompt_task_dependence_t *list, int count)
{
  says(task == latest && task->id == made, "dependences of the task that was made last");
  for (int i = 0; i < count; i++) says(list[i].variable_addr != 0, "a variable's address");
  lists++;
  listed += (unsigned long)count;
}
static void on_pair(ompt_data_t *source, ompt_data_t *sink)
{
  pairs++;
  says(source->id && sink->id, "a pair of tasks that were made");
}
static void on_schedule(ompt_data_t *prior, ompt_bool_t completed, ompt_data_t *next)
{
  (void)prior; (void)completed;
  says(next != 0, "a switch to a task");
}
static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  (void)runtime; (void)version;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  lookup("ompt_get_thread_data");
  set(ompt_event_task_create, (ompt_callback_t)on_create);
  set(ompt_event_task_schedule, (ompt_callback_t)on_schedule);
  set(ompt_event_task_dependences, (ompt_callback_t)on_dependences);
  set(ompt_event_task_dependence_pair, (ompt_callback_t)on_pair);
}
ompt_initialize_fn_t *ompt_tool(void) { return initialize; }

static void expect(const char *what, unsigned long tasks, unsigned long dependent)
{
  says(made == tasks, "%s: %lu tasks, %lu told", what, tasks, made);
  says(with_dependences == dependent && lists == dependent,
       "%s: %lu with dependences, %lu and %lu told", what, dependent, with_dependences, lists);
  made = with_dependences = lists = listed = pairs = 0;
}

int main(void)
{
  int x = 0, y = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(in : x) depend(out : y) if (0)
    x++;
    says(listed == 2, "two list items");
    expect("an undeferred task", 1, 1);
#pragma omp taskwait depend(in : x)
    expect("a taskwait", 0, 0);
#pragma omp task if (0)
    x++;
    expect("an undeferred task without dependences", 1, 0);
#pragma omp task depend(out : x)
    usleep(20000);
#pragma omp task depend(inout : x) if (0)
    {
#pragma omp task if (0)
      y++;
    }
    expect("a task, one behind it, one inside", 3, 2);
#pragma omp task depend(out : x)
    usleep(20000);
#pragma omp taskwait depend(in : x)
    expect("a task and a wait for it", 1, 1);
#pragma omp task final(1)
    {
#pragma omp task depend(in : y)
      x++;
    }
#pragma omp taskwait
    expect("a final task", 2, 1);
  }
  return 0;
}
