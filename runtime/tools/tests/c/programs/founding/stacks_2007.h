/* The user's call stacks as section 6 puts them together: what FORK's stack has below the runtime,
 * and above it what a member's own stack has above the runtime. */
#ifndef STACKS_2007_H
#define STACKS_2007_H
#include "events_2007.h"
#include <execinfo.h>

enum { DEEP = 64, FORKS = 8 };
static struct stack { uint64_t region; int length; void *frames[DEEP]; } prefixes[FORKS];
static int prefixes_kept;

static int of_runtime(void *frame) {
  Dl_info runtime, about;
  return dladdr((void *)api, &runtime) && dladdr(frame, &about) &&
         about.dli_fbase == runtime.dli_fbase;
}

/* What the program has above the first frames of the runtime, from `from` on. */
static int until_runtime(void **frames, int from, int length) {
  while (from < length && !of_runtime(frames[from])) from++;
  return from;
}
static void append_prefix(struct stack *stack, uint64_t region) {
  for (int i = 0; i < prefixes_kept; i++)
    if (prefixes[i].region == region)
      for (int k = 0; k < prefixes[i].length && stack->length < DEEP; k++)
        stack->frames[stack->length++] = prefixes[i].frames[k];
}

static void keep_prefix(OMP_COLLECTORAPI_EVENT event) {
  void *frames[DEEP];
  int length = backtrace(frames, DEEP), at = until_runtime(frames, 0, length);
  CHECK(event == OMP_EVENT_FORK && at < length, "no frame of the runtime's");
  while (at < length && of_runtime(frames[at])) at++;
  uint64_t parent = id(OMP_REQ_PARENT_PRID, 0);
  struct stack *kept = &prefixes[prefixes_kept];
  kept->region = current();
  int end = parent ? until_runtime(frames, at, length) : length;
  while (at < end) kept->frames[kept->length++] = frames[at++];
  if (parent) append_prefix(kept, parent);
  prefixes_kept++;
}

/* The functions of a stack by name, innermost first, to main; regions' bodies have none. */
static void print_stack(struct stack *stack) {
  for (int i = 0; i < stack->length; i++) {
    Dl_info about;
    const char *name = dladdr(stack->frames[i], &about) ? about.dli_sname : 0;
    printf("%s%s", i ? ">" : "", name ? name : "body");
    if (name && !strcmp(name, "main")) break;
  }
  putchar('\n');
}

static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) void leaf_function(void) {
  struct stack user = {current(), 0, {0}};
  void *frames[DEEP];
  int length = backtrace(frames, DEEP);
  user.length = until_runtime(frames, 0, length);
  memcpy(user.frames, frames, user.length * sizeof *frames);
  append_prefix(&user, user.region);
  pthread_mutex_lock(&printing);
  print_stack(&user);
  pthread_mutex_unlock(&printing);
}
__attribute__((noinline)) void inner_caller(void) {
#pragma omp parallel num_threads(2)
  leaf_function();
  __asm__ volatile("");
}
__attribute__((noinline)) void outer_caller(int nested) {
#pragma omp parallel num_threads(2)
  {
    if (!nested) leaf_function();
#pragma omp barrier
    if (nested && omp_get_thread_num() == 1) inner_caller();
  }
  __asm__ volatile("");
}

void whole_program(void) {
  void *first[1];
  backtrace(first, 1);
  simple(OMP_REQ_START);
  omp_set_max_active_levels(2);
  packed_register(OMP_EVENT_FORK, keep_prefix);
  outer_caller(0);
  outer_caller(1);
  CHECK(prefixes_kept == 3, "%d forks", prefixes_kept);
  fflush(stdout);
}

#endif
