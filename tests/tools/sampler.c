/*
 * A sampling tool of the kind that shows a program's paths as its author wrote them: a signal
 * handler unwinds the stack, cuts out what the runtime put between two pieces of the program, by
 * the frames of the tasks that the thread is in, and goes on with where the region or task was
 * made.
 */
#define _GNU_SOURCE
#include "omp-tools.h"
#include "sampler.h"
#include "start.h"

static ompt_get_task_info_t get_task_info;
static ompt_get_state_t get_state;

static int frame_of(int level, ompt_frame_t **frame, ompt_data_t **task, int *number)
{
  ompt_data_t *region = NULL;
  int flags = 0;
  *frame = NULL;
  *task = NULL;
  return get_task_info(level, &flags, task, frame, &region, number) == 2 && *frame != NULL;
}

static int is_barrier(int state) { return state >= 0x010 && state <= 0x016; }

static void author(struct path *path, struct stack *stack, int synchronous)
{
  ompt_wait_id_t wait = 0;
  ompt_frame_t *frame = NULL;
  ompt_data_t *task = NULL;
  int state = get_state(&wait), level = 0, number = 0, inner = 0;
  collapse(path);
  if (state == ompt_state_idle) return;
  int found = frame_of(0, &frame, &task, &number);
  if (is_barrier(state) && found && number != 0) return;
  while (found && !frame->enter_frame.value && !frame->exit_frame.value)
    found = frame_of(++level, &frame, &task, &number);
  /* The innermost task may be made and its code not called yet. */
  if (found && frame->exit_frame.value && frame->exit_frame.value < stack->frame[0].sp)
    found = frame_of(++level, &frame, &task, &number);
  if (!found && !primary) return;
  if (found && frame->enter_frame.value) {
    int entry = above(stack, 0, frame->enter_frame.value);
    if (entry == stack->count && !primary) return;
    if (synchronous && entry < stack->count) inner = entry;
  }
  int outer = stack->count;
  for (; found; found = frame_of(++level, &frame, &task, &number)) {
    uintptr_t exit = frame->exit_frame.value;
    if (!exit || exit < stack->frame[0].sp || exit > stack->frame[stack->count - 1].sp) continue;
    /* The frame of the runtime that called the program. */
    int cut = above(stack, 0, exit) - !(frame->exit_frame_flags & ompt_frame_application);
    if (task && task->ptr) {
      path->made = task->ptr;
      outer = cut;
      break;
    }
  }
  keep(path, stack, inner, outer);
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
  thread_begins(type == ompt_thread_initial);
}

static void on_thread_end(ompt_data_t *data) { thread_ends(); }

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
    unsigned requested, int flags, const void *code)
{
  region->ptr = here();
}

static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *code) {}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
    unsigned size, unsigned index, int flags)
{
  if (endpoint == ompt_scope_begin) task->ptr = region ? region->ptr : NULL;
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *made,
                           int flags, int dependences, const void *code)
{
  made->ptr = here();
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  int poor = 0;
#define ON(name) \
  poor |= set(ompt_callback_##name, (ompt_callback_t)on_##name) < ompt_set_sometimes_paired
  ON(thread_begin);
  ON(thread_end);
  ON(parallel_begin);
  ON(parallel_end);
  ON(implicit_task);
  ON(task_create);
  if (poor) fprintf(stderr, "sampler: the runtime has not all the events\n");
  begin((uintptr_t)lookup);
  return 1;
}

static void finalize(ompt_data_t *data) { report(); }

START_TOOL(initialize, finalize)
