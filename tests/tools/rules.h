/*
 * How the state machine looks at an event: its thread, its task and region, its scopes, and the
 * frames on the stack.
 */
#ifndef RULES_H
#define RULES_H
#include "state.h"
#include "storm.h"
#include <stdarg.h>

static void break_rule(const char *rule, const char *where, int line, const char *format, ...)
{
  if (__atomic_add_fetch(&broken, 1, __ATOMIC_RELAXED) > 8) return;
  char text[512];
  int n = snprintf(text, sizeof text, "checker: broken: %s:%d: %s: ", where, line, rule);
  va_list arguments;
  va_start(arguments, format);
  n += vsnprintf(text + n, sizeof text - n - 1, format, arguments);
  va_end(arguments);
  text[n++] = '\n';
  (void)!write(2, text, n);
}

static void *record(enum what what, size_t bytes, ompt_data_t *word, const char *event)
{
  RULE(word != NULL, "%s: no data word", event);
  RULE(word == NULL || word->ptr == NULL, "%s: a new data word is empty", event);
  enum what *made = calloc(1, bytes);
  *made = what;
  if (word) word->ptr = made;
  return made;
}

static void *of_word(enum what what, ompt_data_t *word, const char *event)
{
  enum what *found = word ? word->ptr : NULL;
  RULE(found != NULL && *found == what, "%s: the data word of a %d", event, what - THREAD);
  return found != NULL && *found == what ? found : NULL;
}

#define ADD(count, n) __atomic_add_fetch(&(count), n, __ATOMIC_RELAXED)

/* Every event: on a thread that has begun and not ended, which has its word. */
static struct thread *here(const char *event)
{
  ADD(events, 1);
  RULE(self != NULL, "%s on a thread that has not begun", event);
  if (self == NULL) _exit(99);
  RULE(!self->ended, "%s on a thread that has ended", event);
  RULE(get_thread_data() && get_thread_data()->ptr == self, "%s: the thread's word", event);
  return self;
}

static int on_stack(struct thread *t, uintptr_t at) { return at >= t->stack && at < t->stack_end; }

/* The task's frames, and those of the tasks around it that run on this thread. */
static void frames(struct thread *t, const char *event, const ompt_frame_t *entered)
{
  uintptr_t above = (uintptr_t)__builtin_frame_address(0);
  if (entered) RULE(entered->enter_frame.value != 0, "%s: no enter frame", event);
  for (int level = 0;; level++) {
    ompt_frame_t *frame = NULL;
    ompt_data_t *word = NULL, *region = NULL;
    int flags = 0, num = -1;
    if (get_task_info(level, &flags, &word, &frame, &region, &num) != 2) break;
    /* -2: omp_unassigned_thread, a free agent's. */
    RULE(frame && word && (num >= 0 || num == -2), "%s: level %d", event, level);
    RULE(level < 100000, "%s: endless tasks", event);
    struct task *task = word->ptr;
    RULE(level > 0 || task == t->current, "%s: level 0 is the current task", event);
    RULE(frame->exit_frame_flags == 0x10 || frame->exit_frame_flags == 0x11, "%s: exit flags",
         event);
    RULE(frame->enter_frame_flags == 0x10 || frame->enter_frame_flags == 0x11, "%s: flags", event);
    uintptr_t enter = frame->enter_frame.value, exit = frame->exit_frame.value;
    if (enter && on_stack(t, enter)) {
      RULE(enter >= above, "%s: level %d: enter frame %lx below %lx", event, level, enter, above);
      above = enter;
    }
    RULE(!exit || level > 0 || on_stack(t, exit), "%s: exit frame %lx elsewhere", event, exit);
    if (exit && on_stack(t, exit)) {
      RULE(exit >= above, "%s: level %d: exit frame %lx below %lx", event, level, exit, above);
      above = exit;
    }
    if (task == NULL || task->region == NULL || level > 100000) break;
    /* Above a region's own task the stack may be another thread's. */
    if ((flags & ompt_task_implicit) && num != 0) break;
  }
}

static void open_scope(struct thread *t, const char *name, int kind)
{
  struct task *task = t->current;
  RULE(task && task->depth < 64, "%s: nesting", name);
  if (task && task->depth < 64) task->scopes[task->depth++] = (struct scope){name, kind};
}

static void close_scope(struct thread *t, const char *name, int kind)
{
  struct task *task = t->current;
  struct scope *top = task && task->depth > 0 ? &task->scopes[task->depth - 1] : NULL;
  RULE(top && strcmp(top->name, name) == 0 && top->kind == kind, "%s %d ends inside %s %d", name,
      kind, top ? top->name : "nothing", top ? top->kind : 0);
  if (top) task->depth--;
}

static int inside(struct thread *t, const char *name)
{
  struct task *task = t->current;
  for (int i = task ? task->depth : 0; i > 0; i--)
    if (strcmp(task->scopes[i - 1].name, name) == 0) return 1;
  return 0;
}

static void scope(struct thread *t, const char *name, int kind, ompt_scope_endpoint_t endpoint)
{
  RULE(endpoint == ompt_scope_begin || endpoint == ompt_scope_end, "%s: endpoint", name);
  (endpoint == ompt_scope_begin ? open_scope : close_scope)(t, name, kind);
}

/* The task and region that most callbacks name. */
static void current(struct thread *t, const char *event, ompt_data_t *region, ompt_data_t *task)
{
  struct task *named = of_word(TASK, task, event);
  RULE(named == t->current, "%s: of the current task", event);
  if (region && named) {
    struct region *r = of_word(REGION, region, event);
    RULE(r == named->region && r && !r->ended, "%s: of the task's region", event);
  }
}
#endif
