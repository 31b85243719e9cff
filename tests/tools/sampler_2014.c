/*
 * The sampling tool as tools for LLVM's runtime of 2015 did it: tasks and regions have identifiers,
 * frames have no flags, and both words of a frame lie beneath the program's stack pointer, in
 * frames of the runtime: the first frame of the program is the first one whose stack pointer is
 * above the word.
 */
#define _GNU_SOURCE
#include "ompt-2014.h"
#include "sampler.h"

static ompt_get_task_frame_t get_task_frame;
static ompt_get_task_id_t get_task_id;
static ompt_get_state_t get_state;

/* Where tasks and regions were made, by their identifiers. */
enum { MADE = 1 << 16 };
struct map {
  struct { uint64_t id; const struct path *path; } at[MADE];
};
static struct map tasks, regions;

static void note(struct map *map, uint64_t id, const struct path *path)
{
  if (id == 0 || path == NULL) return;
  unsigned at = id * 0x9e3779b97f4a7c15 >> 48;
  for (;; at = (at + 1) % MADE) {
    uint64_t free = 0;
    if (__atomic_compare_exchange_n(&map->at[at].id, &free, id, 0, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
      break;
    if (free == id) break;
  }
  __atomic_store_n(&map->at[at].path, path, __ATOMIC_SEQ_CST);
}

static const struct path *noted(struct map *map, uint64_t id)
{
  unsigned at = id * 0x9e3779b97f4a7c15 >> 48;
  uint64_t there;
  while ((there = __atomic_load_n(&map->at[at].id, __ATOMIC_SEQ_CST)) != 0 && there != id)
    at = (at + 1) % MADE;
  return there ? __atomic_load_n(&map->at[at].path, __ATOMIC_SEQ_CST) : NULL;
}

static uintptr_t exit_of(const ompt_frame_t *frame) { return (uintptr_t)frame->exit_runtime_frame; }
static uintptr_t entry_of(const ompt_frame_t *frame)
{
  return (uintptr_t)frame->reenter_runtime_frame;
}

static void author(struct path *path, struct stack *stack, int synchronous)
{
  ompt_wait_id_t wait = 0;
  int state = get_state(&wait), level = 0, inner = 0, outer = stack->count;
  collapse(path);
  if (state == ompt_state_idle && !primary) return;
  /* A worker that waits for the others, in the barrier that ends its region perhaps. */
  if (state >= ompt_state_wait_barrier && state <= ompt_state_wait_barrier_explicit && !primary)
    return;
  ompt_frame_t *frame = get_task_frame(0);
  while (frame && !entry_of(frame) && !exit_of(frame)) frame = get_task_frame(++level);
  /* The innermost task may be made and its code not called yet. */
  if (frame && exit_of(frame) && exit_of(frame) < stack->frame[0].sp)
    frame = get_task_frame(++level);
  if (!frame && !primary) return;
  if (frame && entry_of(frame)) {
    int entry = above(stack, 0, entry_of(frame) + 1);
    if (entry == stack->count && !primary) return;
    if (synchronous && entry < stack->count) inner = entry;
  }
  for (; frame; frame = get_task_frame(++level)) {
    uintptr_t exit = exit_of(frame);
    if (!exit || exit < stack->frame[0].sp || exit > stack->frame[stack->count - 1].sp) continue;
    path->made = noted(&tasks, get_task_id(level));
    if (path->made) {
      outer = above(stack, 0, exit + 1) - 1;
      break;
    }
  }
  keep(path, stack, inner, outer);
}

static void on_thread_begin(ompt_thread_type_t type, ompt_thread_id_t id)
{
  thread_begins(type == ompt_thread_initial);
}

static void on_thread_end(ompt_thread_type_t type, ompt_thread_id_t id) { thread_ends(); }

static void on_parallel_begin(ompt_task_id_t parent, ompt_frame_t *frame, ompt_parallel_id_t region,
    uint32_t requested, void *function, ompt_invoker_t invoker)
{
  note(&regions, region, here());
}

static void on_implicit_task_begin(ompt_parallel_id_t region, ompt_task_id_t task)
{
  note(&tasks, task, noted(&regions, region));
}

static void on_task_begin(ompt_task_id_t parent, ompt_frame_t *frame, ompt_task_id_t task,
                          void *function)
{
  note(&tasks, task, here());
}

static void on_runtime_shutdown(void) { report(); }

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version, unsigned version)
{
  get_task_frame = (ompt_get_task_frame_t)lookup("ompt_get_task_frame");
  get_task_id = (ompt_get_task_id_t)lookup("ompt_get_task_id");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  int always = 1;
#define ON(name) always &= set(ompt_event_##name, (ompt_callback_t)on_##name) == 4
  ON(thread_begin);
  ON(thread_end);
  ON(parallel_begin);
  ON(implicit_task_begin);
  ON(task_begin);
  ON(runtime_shutdown);
  if (!always) fprintf(stderr, "sampler: the runtime has not all the events\n");
  begin((uintptr_t)lookup);
}

ompt_initialize_t ompt_tool(void) { return initialize; }
