/*
 * A forked child that starts OpenMP again calls the tool's function as any process (2013, 7.1.1;
 * 2016, Tool Registration). The tool of 2016, or of 2013 with -DOF_2013.
 */
#ifdef OF_2013
#include <ompt-2013.h>
#else
#include <ompt-2016.h>
#endif
#include "says.h"
#include <omp.h>
#include <stdlib.h>
#include <sys/wait.h>

static int asked, threads, regions, members, ended;
static int first = 1, word_is_empty, was_first, is_declined;

static void thread_begins(ompt_data_t *thread, int is_initial)
{
  if (is_initial) {
    was_first = first;
#ifdef OF_2013
    word_is_empty = !thread->value;
    thread->value = 77;
#else
    word_is_empty = !thread->id;
    thread->id = 77;
#endif
  }
  first = 0;
  __atomic_add_fetch(&threads, 1, __ATOMIC_SEQ_CST);
}
static void region_begins(void) { first = 0; regions++; }
static void member_begins(void) { __atomic_add_fetch(&members, 1, __ATOMIC_SEQ_CST); }
static void on_end(void) { ended++; }

#ifdef OF_2013
static void on_thread(ompt_data_t *thread) { thread_begins(thread, !threads); }
static void on_parallel(ompt_data_t *task, ompt_frame_t *frame, ompt_parallel_id_t region)
{
  (void)frame;
  if (!region || (task && task->value)) exit(9);
  region_begins();
}
static void on_implicit(ompt_data_t *task, ompt_parallel_id_t region)
{
  (void)task; (void)region;
  member_begins();
}
int ompt_initialize(void)
{
  asked = (int)getpid();
  if (is_declined) return 0;
  ompt_set_callback(ompt_event_thread_create, (ompt_callback_t)on_thread);
  ompt_set_callback(ompt_event_parallel_create, (ompt_callback_t)on_parallel);
  ompt_set_callback(ompt_event_implicit_task_create, (ompt_callback_t)on_implicit);
  ompt_set_callback(ompt_event_runtime_shutdown, (ompt_callback_t)on_end);
  return 1;
}
#else
static void on_thread(ompt_thread_type_t type, ompt_data_t *thread)
{
  thread_begins(thread, type == ompt_thread_initial);
}
static void on_parallel(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                        uint32_t requested, ompt_invoker_t invoker, const void *ra)
{
  (void)frame; (void)requested; (void)invoker; (void)ra;
  if (!region || region->id || task->id) exit(9);
  region_begins();
}
static void on_implicit(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                        uint32_t number)
{
  (void)region; (void)task; (void)number;
  if (endpoint == ompt_scope_begin) member_begins();
}
static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  (void)runtime; (void)version;
  lookup("ompt_get_thread_data");
  set(ompt_event_thread_begin, (ompt_callback_t)on_thread);
  set(ompt_event_parallel_begin, (ompt_callback_t)on_parallel);
  set(ompt_event_implicit_task, (ompt_callback_t)on_implicit);
  set(ompt_event_runtime_shutdown, (ompt_callback_t)on_end);
}
ompt_initialize_fn_t *ompt_tool(void)
{
  asked = (int)getpid();
  return is_declined ? NULL : initialize;
}
#endif

static void region(void)
{
  int count = 0;
#pragma omp parallel num_threads(2) reduction(+ : count)
  count++;
  if (count != 2) exit(8);
}

/* Forks, executes `what` in the child, and waits for the child. */
static void in_child(const char *name, void (*what)(const char *))
{
  pid_t child = fork();
  if (!child) {
    asked = threads = regions = members = 0;
    first = 1;
    was_first = 0;
    what(name);
    exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  says(status == 0, "%s: the child ends with %#x", name, status);
}

static void starts_again(const char *name)
{
  region();
  says(asked == getpid(), "%s: the tool is asked", name);
  says(was_first && word_is_empty, "%s: the thread begins first, with an empty word", name);
  says(threads == 2 && regions == 1 && members == 2, "%s: %d threads, %d regions, %d members", name,
       threads, regions, members);
}
static void does_not(const char *name)
{
  says(!asked && !threads, "%s: nothing is told", name);
  _exit(ended);
}
static void forks_again(const char *name)
{
  (void)name;
  in_child("a grandchild", starts_again);
  starts_again("the child behind it");
}
static void goes_on(const char *name)
{
#pragma omp parallel num_threads(1)
  first = 0;
  says(!asked && regions == 1, "%s: the tool goes on", name);
  _exit(0);
}
static void declines(const char *name)
{
  is_declined = 1;
  region();
  says(asked == getpid() && !threads && !regions, "%s: a tool that declines is told nothing", name);
}

int main(void)
{
  setbuf(stdout, 0);
  region();
  says(asked == getpid() && regions == 1, "the parent's tool");
  in_child("a child", starts_again);
  in_child("a child without OpenMP", does_not);
  in_child("a child with a child", forks_again);
  in_child("a child that declines", declines);
#pragma omp parallel num_threads(2)
#pragma omp single
  in_child("a child of a region", goes_on);
  asked = 0;
  region();
  says(!asked && regions == 3, "the parent's tool goes on: %d", regions);
  return 0;
}
