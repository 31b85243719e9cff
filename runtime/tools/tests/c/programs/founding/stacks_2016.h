/* A stack without the runtime's frames: of each task what lies between its exit_frame and the
 * enter_frame of the task around it belongs to the runtime, as a profiler's handler has it. */
#ifndef STACKS_2016_H
#define STACKS_2016_H
#include "targets_2016.h"
#include <unwind.h>
#include <execinfo.h>

static uintptr_t frame_of(void *address) { return (uintptr_t)address; }

/* Clang's code calls an undeferred task itself: its exit_frame is then one of the program's. */
enum { DIRECT = 256 };

/* Prints the program's functions from the leaf to main. Frames are told apart by their addresses:
 * each step is a function of one stack, from the leaf to main. */
struct step { const char *name; uintptr_t frame; struct step *caller; };
static void without_runtime(struct step *leaf) {
  struct task task, around;
  struct step *at = leaf;
  for (int level = 0; task_at(level, &task); level++) {
    uintptr_t end = frame_of(task.frame->exit_frame);
    for (; at && (!end || at->frame < end); at = at->caller)
      printf("%s%s", at == leaf ? "" : ">", at->name);
    if (!end || !task_at(level + 1, &around)) break;
    CHECK(frame_of(around.frame->enter_frame) + DIRECT >= end, "level %d: frames cross", level);
    CHECK(!at || at->frame + 64 >= frame_of(around.frame->enter_frame),
          "level %d: %s is below enter_frame", level, at->name);
    printf("|");
  }
  CHECK(!at, "the stack ends before %s", at ? at->name : "");
  putchar('\n');
}
#define STEP(name, caller) {name, frame_of(__builtin_frame_address(0)), caller}
/* The unwinder's frames of the runtime that are nearest below the program's: the frame pointer of
 * one of them is the current task's exit_frame. */
static int of_runtime(uintptr_t address) {
  Dl_info runtime, about;
  return dladdr((void *)get_task_info, &runtime) && dladdr((void *)address, &about) &&
         about.dli_fbase == runtime.dli_fbase;
}
struct search { uintptr_t exit; int inside, found; };
static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *argument) {
  struct search *search = argument;
  int runtime = of_runtime(_Unwind_GetIP(context));
  if (search->inside && !runtime) return _URC_END_OF_STACK;
  search->inside |= runtime;
  search->found |= runtime && _Unwind_GetCFA(context) - 16 == search->exit;
  return _URC_NO_REASON;
}
__attribute__((noinline)) static void exit_is_of_runtime(void) {
  struct task own;
  CHECK(task_at(0, &own), "no task");
  struct search search = {frame_of(own.frame->exit_frame), 0, 0};
  _Unwind_Backtrace(look_at_frame, &search);
  CHECK(search.inside && search.found, "exit_frame is no frame of the runtime that called this");
}

__attribute__((noinline)) static void leaf_step(struct step *caller) {
  struct step here = STEP("leaf", caller);
  without_runtime(&here);
}
__attribute__((noinline)) static void task_step(struct step *caller) {
  struct step here = STEP("tasks", caller);
#pragma omp task if (0)
  leaf_step(&here);
  leaf_step(&here);
}
__attribute__((noinline)) static void region_step(struct step *caller) {
  struct step here = STEP("region", caller);
#pragma omp parallel num_threads(1)
  task_step(&here);
  leaf_step(&here);
}
static void whole_stack(void) {
  struct step here = STEP("main", 0);
  omp_get_max_threads();
  region_step(&here);
  fflush(stdout);
#pragma omp parallel num_threads(2)
  {
    exit_is_of_runtime();
#pragma omp task
    exit_is_of_runtime();
  }
}

#endif
