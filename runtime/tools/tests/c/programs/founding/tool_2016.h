/* A tool of 2016 in the program itself, of either variant. Each thread's events are a story of
 * words, to which the program adds what it does, and notes of their arguments. */
#ifndef TOOL_2016_H
#define TOOL_2016_H
#include <dlfcn.h>
#include <ompt-2016.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(condition, ...)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);                                          \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                              \
      fprintf(stderr, __VA_ARGS__);                                                                \
      fputc('\n', stderr);                                                                         \
    }                                                                                              \
  } while (0)

/* Threads, regions and tasks by numbers: the runtime's, or those that this tool writes into the
 * words, which are zero before. */
#ifdef OMPT_2016_IDS
#define REF uint64_t
static uint64_t name_of(uint64_t ref) { return ref; }
static uint64_t new_name(uint64_t ref) { return ref; }
#else
typedef ompt_data_t *word;
#define REF word
static uint64_t name_of(word ref) { return ref ? ref->id : 0; }
static uint64_t new_name(word ref) {
  static uint64_t last;
  CHECK(ref && ref->id == 0, "a new object's word has %#lx", ref ? (long)ref->id : -1);
  return ref->id = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}
#endif

static ompt_function_lookup_t lookup_name;
static ompt_set_callback_t set_callback;
static ompt_get_callback_t get_callback;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_state_t get_state;
static ompt_get_target_info_t get_target_info;
static ompt_enumerate_states_t enumerate_states;
static ompt_enumerate_mutex_kinds_t enumerate_mutex_kinds;

struct task { uint64_t name, region; ompt_task_type_t type; ompt_frame_t *frame; uint32_t number; };
static int task_at(int level, struct task *task) {
  REF name = 0, region = 0;
  memset(task, 0, sizeof *task);
  if (!get_task_info(level, &task->type, &name, &task->frame, &region, &task->number)) return 0;
  task->name = name_of(name);
  task->region = name_of(region);
  return 1;
}
static uint64_t task_now(void) {
  struct task task;
  return task_at(0, &task) ? task.name : 0;
}
static uint64_t region_at(int level, int *size) {
  REF region = 0;
  int members = -1;
  if (!get_parallel_info(level, &region, &members)) return 0;
  if (size) *size = members;
  return name_of(region);
}
#ifdef OMPT_2016_IDS
static ompt_get_thread_id_t get_thread_id;
static uint64_t thread_now(void) { return get_thread_id(); }
#else
static ompt_get_thread_data_t get_thread_data;
static uint64_t thread_now(void) { return name_of(get_thread_data()); }
#endif

/* One event: its arguments, as far as it has them, and the task that was current. */
struct note {
  const char *what;
  uint64_t task, region, wait, other, number, current;
  const void *ra, *frame;
};
enum { NOTES = 128 };
static __thread struct note notes[NOTES];
static __thread int noted;
static __thread char story[2048];
static int telling = 1;
/* The last event, and whether it was the thread's end. */
static __thread const char *last_told = "";
static __thread int gone;

static void say(const char *what) {
  size_t length = strlen(story);
  if (length + strlen(what) + 2 > sizeof story) return;
  if (length) strcat(story, " ");
  strcat(story, what);
}
static struct note *note(const char *what) {
  static __thread struct note none;
  static __thread int inside;
  CHECK(!inside, "%s is told while a callback runs", what);
  CHECK(!gone, "%s is told after the thread's end", what);
  last_told = what;
  if (!telling) return &none;
  inside = 1;
  struct note *note = &notes[noted < NOTES - 1 ? noted++ : noted];
  memset(note, 0, sizeof *note);
  note->what = what;
  note->current = task_now();
  say(what);
  inside = 0;
  return note;
}
static void forget(void) {
  noted = 0;
  story[0] = 0;
}
static void is_story(const char *wanted, int line) {
  CHECK(!strcmp(story, wanted), "line %d: \"%s\", not \"%s\"", line, story, wanted);
}
#define STORY(wanted) is_story(wanted, __LINE__)
/* The note of the so-manieth event with this word. */
static struct note *noted_as(const char *what, int which) {
  static struct note none;
  for (int i = 0; i < noted; i++)
    if (!strcmp(notes[i].what, what) && which-- == 0) return &notes[i];
  CHECK(0, "no %s in \"%s\"", what, story);
  return &none;
}

/* Whether an address lies in the program. */
static int of_program(const void *address) {
  Dl_info here, there;
  return dladdr((void *)of_program, &here) && address && dladdr(address, &there) &&
         here.dli_fbase == there.dli_fbase;
}
#include "callbacks_2016.h"
#endif
