/*
 * What the sampling tools have in common: unwinding, the two signals, and the report. The program
 * sends itself signals at places whose paths are known; a timer samples everywhere else. At the end
 * each path of the former kind is written down, and what no sample may show is counted. What a tool
 * includes this for defines author().
 */
#ifndef SAMPLER_H
#define SAMPLER_H
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

static struct range { uintptr_t begin, end; } runtime, program;
static struct path seen[PATHS];
static int paths_seen, broken, timed;
static __thread int primary;
static __thread timer_t timer;
static __thread int armed;

static int in(const struct range *range, uintptr_t ip)
{
  return ip >= range->begin && ip < range->end;
}

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument)
{
  struct stack *stack = argument;
  /* Until the callee is popped this is the stack pointer of the frame itself. */
  uintptr_t sp = _Unwind_GetCFA(context);
  if (sp >= stack->from && stack->count < DEEP)
    stack->frame[stack->count++] = (struct frame){sp, _Unwind_GetIP(context)};
  return _URC_NO_REASON;
}

/* The first frame that is not below the address; count if there is none. */
static int above(const struct stack *stack, int from, uintptr_t address)
{
  while (from < stack->count && stack->frame[from].sp < address) from++;
  return from;
}

/* Makes the author's path of a stack. synchronous: asked for in an event, inside of the runtime. */
static void author(struct path *path, struct stack *stack, int synchronous);

static void collapse(struct path *path)
{
  path->length = 0;
  path->collapsed = 1;
  path->made = NULL;
}

/* The frames of the stack from `inner` up to `outer`, and what they are made for. */
static void keep(struct path *path, const struct stack *stack, int inner, int outer)
{
  path->collapsed = 0;
  for (int i = inner; i < outer && path->length < DEEP; i++)
    path->ip[path->length++] = stack->frame[i].ip;
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
  /* The program may have called the runtime, but nothing of the runtime's lies between its own
   * frames. */
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

static void thread_begins(int is_primary)
{
  primary = is_primary;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 5};
  event._sigev_un._tid = syscall(SYS_gettid);
  struct itimerspec every = {{0, 200000}, {0, 200000}};
  armed = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
  if (armed) timer_settime(timer, 0, &every, NULL);
}

static void thread_ends(void)
{
  if (armed) timer_delete(timer);
  armed = 0;
  sigset_t all;
  sigemptyset(&all);
  sigaddset(&all, SIGRTMIN + 5);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
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

/* `inside`: an address in the runtime. */
static void begin(uintptr_t inside)
{
  runtime = object_of(inside);
  program = object_of(0);
  struct stack stack;
  unwind(&stack, 0);
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
  /* One of the two does not interrupt the other: they share nothing but counts, and the stack is
   * deep. */
  sigaction(SIGRTMIN + 4, &action, NULL);
  sigaction(SIGRTMIN + 5, &action, NULL);
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
    if (used > length && text[used - length - 1] == '>' &&
        !strcmp(text + used - length, info.dli_sname))
      continue;
    snprintf(text + used, room - used, ">%s", info.dli_sname);
  }
}

static int by_text(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void report(void)
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

#endif
