/*
 * A sampling tool of the kind that shows a program's paths as its author wrote them: a signal handler
 * unwinds the stack, cuts out what the runtime put between two pieces of the program, by the frames of
 * the tasks that the thread is in, and goes on with where the region or task was made. The program
 * sends itself signals at places whose paths are known; a timer samples everywhere else. At the end
 * each path of the former kind is written down, and what no sample may show is counted.
 */
#define _GNU_SOURCE
#include "omp-tools.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum { DEEP = 256, PATHS = 4096 };

/* A path, innermost first; what follows it belongs to where the region or task was made. */
struct path {
  int length, collapsed; /* collapsed: the thread idles, or waits for others */
  uintptr_t ip[DEEP];
  const struct path *made;
};

struct frame {
  uintptr_t sp, ip;
};

struct stack {
  int count;
  uintptr_t from; /* frames below this one are the tool's own */
  struct frame frame[DEEP];
};

static ompt_get_task_info_t get_task_info;
static ompt_get_state_t get_state;
static struct range { uintptr_t begin, end; } runtime, program;
static struct path seen[PATHS];
static int paths_seen, broken, timed;
static __thread int primary;
static __thread timer_t timer;
static __thread int armed;

static int in(const struct range *range, uintptr_t ip) { return ip >= range->begin && ip < range->end; }

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument)
{
  struct stack *stack = argument;
  /* Until the callee is popped this is the stack pointer of the frame itself. */
  uintptr_t sp = _Unwind_GetCFA(context);
  if (sp >= stack->from && stack->count < DEEP)
    stack->frame[stack->count++] = (struct frame){sp, _Unwind_GetIP(context)};
  return _URC_NO_REASON;
}

static int frame_of(int level, ompt_frame_t **frame, ompt_data_t **task, int *number)
{
  ompt_data_t *region = NULL;
  int flags = 0;
  *frame = NULL;
  *task = NULL;
  return get_task_info(level, &flags, task, frame, &region, number) == 2 && *frame != NULL;
}

/* The first frame that is not below the address; count if there is none. */
static int above(const struct stack *stack, int from, uintptr_t address)
{
  while (from < stack->count && stack->frame[from].sp < address) from++;
  return from;
}

static int is_barrier(int state) { return state >= 0x010 && state <= 0x016; }

/* Makes the author's path of a stack. synchronous: asked for in an event, inside of the runtime. */
static void author(struct path *path, struct stack *stack, int synchronous)
{
  ompt_wait_id_t wait = 0;
  ompt_frame_t *frame = NULL;
  ompt_data_t *task = NULL;
  int state = get_state(&wait), level = 0, number = 0, inner = 0;
  path->length = 0;
  path->collapsed = 1;
  path->made = NULL;
  if (state == ompt_state_idle) return;
  int found = frame_of(0, &frame, &task, &number);
  if (is_barrier(state) && found && number != 0) return;
  while (found && !frame->enter_frame.value && !frame->exit_frame.value)
    found = frame_of(++level, &frame, &task, &number);
  /* The innermost task may be made and its code not called yet. */
  if (found && frame->exit_frame.value && frame->exit_frame.value < stack->frame[0].sp)
    found = frame_of(++level, &frame, &task, &number);
  if (!found && !primary) return;
  path->collapsed = 0;
  if (found && frame->enter_frame.value) {
    int entry = above(stack, 0, frame->enter_frame.value);
    if (entry == stack->count && !primary) {
      path->collapsed = 1;
      return;
    }
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
  for (int i = inner; i < outer && path->length < DEEP; i++) path->ip[path->length++] = stack->frame[i].ip;
}

static void unwind(struct stack *stack, uintptr_t from)
{
  stack->count = 0;
  stack->from = from;
  _Unwind_Backtrace(step, stack);
}

static struct path *here(void)
{
  struct stack stack;
  unwind(&stack, (uintptr_t)__builtin_frame_address(0));
  struct path *path = malloc(sizeof *path);
  author(path, &stack, 1);
  return path;
}

static void on_signal(int signal, siginfo_t *info, void *argument)
{
  int saved = errno, i = 0, broke = 0;
  ucontext_t *context = argument;
  struct stack stack;
  struct path path;
  unwind(&stack, context->uc_mcontext.gregs[REG_RSP]);
  if (stack.count == 0) {
    /* Nothing to unwind with where the kernel's own code was interrupted. */
    errno = saved;
    return;
  }
  author(&path, &stack, 0);
  /* The program may have called the runtime, but nothing of the runtime's lies between its own frames. */
  while (i < path.length && !in(&program, path.ip[i])) i++;
  for (; i < path.length; i++) broke |= in(&runtime, path.ip[i]);
  /* A worker's path begins where its region was made, not at the worker's own begin. */
  broke |= !primary && !path.collapsed && path.made == NULL;
  if (broke) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
  if (signal == SIGRTMIN + 4) {
    int number = __atomic_fetch_add(&paths_seen, 1, __ATOMIC_RELAXED);
    if (number < PATHS) seen[number] = path;
  } else {
    __atomic_fetch_add(&timed, 1, __ATOMIC_RELAXED);
  }
  errno = saved;
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
  primary = type == ompt_thread_initial;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 5};
  event._sigev_un._tid = syscall(SYS_gettid);
  struct itimerspec every = {{0, 200000}, {0, 200000}};
  armed = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
  if (armed) timer_settime(timer, 0, &every, NULL);
}

static void on_thread_end(ompt_data_t *data)
{
  if (armed) timer_delete(timer);
  armed = 0;
  sigset_t all;
  sigemptyset(&all);
  sigaddset(&all, SIGRTMIN + 5);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
}

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

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *made, int flags,
    int dependences, const void *code)
{
  made->ptr = here();
}

/* Where an address's object lies in memory. */
struct wanted {
  uintptr_t address;
  struct range range;
};

static int look(struct dl_phdr_info *info, size_t size, void *argument)
{
  struct wanted *wanted = argument;
  struct range range = {UINTPTR_MAX, 0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + header->p_vaddr, end = begin + header->p_memsz;
    if (header->p_type != PT_LOAD) continue;
    if (begin < range.begin) range.begin = begin;
    if (end > range.end) range.end = end;
  }
  /* The program itself comes first. */
  int found = wanted->address == 0 || in(&range, wanted->address);
  if (found) wanted->range = range;
  return found;
}

static struct range object_of(uintptr_t address)
{
  struct wanted wanted = {address, {0, 0}};
  dl_iterate_phdr(look, &wanted);
  return wanted.range;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  runtime = object_of((uintptr_t)lookup);
  program = object_of(0);
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
  struct stack stack;
  unwind(&stack, 0);
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
  /* One of the two does not interrupt the other: they share nothing but counts, and the stack is deep. */
  sigaction(SIGRTMIN + 4, &action, NULL);
  sigaction(SIGRTMIN + 5, &action, NULL);
  return 1;
}

/* The names of the program's own functions on a path, outermost first. */
static void name(const struct path *path, char *text, size_t room)
{
  text[0] = 0;
  if (path->made) name(path->made, text, room);
  for (int i = path->length; i-- > 0;) {
    Dl_info info;
    /* The instruction before the return address: calls may be the last of a function. */
    if (!in(&program, path->ip[i]) || !dladdr((void *)(path->ip[i] - 1), &info) || !info.dli_sname)
      continue;
    size_t used = strlen(text), length = strlen(info.dli_sname);
    /* A function that itself runs a task's code stands on both sides of where that begins. */
    if (used > length && text[used - length - 1] == '>' && !strcmp(text + used - length, info.dli_sname))
      continue;
    snprintf(text + used, room - used, ">%s", info.dli_sname);
  }
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void finalize(ompt_data_t *data)
{
  int count = paths_seen < PATHS ? paths_seen : PATHS;
  char **texts = malloc((count + 1) * sizeof *texts);
  for (int i = 0; i < count; i++) {
    char text[4096];
    name(&seen[i], text, sizeof text);
    texts[i] = strdup(seen[i].collapsed ? ">(waits)" : text);
  }
  qsort(texts, count, sizeof *texts, by_text);
  for (int i = 0; i < count; i++)
    if (i == 0 || strcmp(texts[i], texts[i - 1])) fprintf(stderr, "sampler: %s\n", texts[i]);
  fprintf(stderr, "sampler: %d broken\n", broken);
  if (getenv("SAMPLER_COUNTS")) fprintf(stderr, "sampler: %d sent, %d timed\n", paths_seen, timed);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
