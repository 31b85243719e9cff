/*
 * What the programs of this folder share: a tool of 2013 in the program itself. It notes each
 * event with what the inquiries say at that moment; the program marks points of its own between
 * them (MARK), and `check` says at the runtime's end which rule the order breaks.
 */
#ifndef TOOL_H
#define TOOL_H
#define _GNU_SOURCE
#include "ompt-2013.h"
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Short for an event. */
#define E(name) ompt_event_##name
enum { EVENTS = 58, SAMPLE = 90, MARKS = 100, NONE = -1 };

/* An event, a mark or a sample, and what the inquiries said then. */
struct note {
  int event, thread, state, has_frame;
  /* The arguments: words by what they hold, ids and wait ids as they are. */
  uint64_t first, second, third;
  ompt_data_t *word;
  ompt_frame_t frame;
  uint64_t wait, self, region[3], task[3];
  ompt_data_t *task_word;
  ompt_frame_t *task_frame;
  ompt_frame_t frames[2];
};
static struct note notes[1 << 18];
static int noted, threads_seen, broken, over;
static __thread int thread;

/* What ompt_set_callback answered; whether words get a value where their thing is created. */
static int answers[EVENTS], words = 1;
static uint64_t last_word;

#define RULE(condition, ...) \
  do { \
    if (!(condition) && __atomic_add_fetch(&broken, 1, __ATOMIC_RELAXED) < 20) { \
      printf("WRONG, line %d: %s: ", __LINE__, #condition); \
      printf("" __VA_ARGS__); \
      puts(""); \
    } \
  } while (0)

static uint64_t word_of(ompt_data_t *word) { return word ? word->value : (uint64_t)NONE; }

static struct note *note(int event)
{
  int at = __atomic_fetch_add(&noted, 1, __ATOMIC_SEQ_CST);
  if (at >= (int)(sizeof notes / sizeof *notes)) abort();
  struct note *it = &notes[at];
  if (!thread) thread = __atomic_add_fetch(&threads_seen, 1, __ATOMIC_SEQ_CST);
  it->thread = thread;
  it->state = ompt_get_state(&it->wait);
  it->self = word_of(ompt_get_thread_data());
  it->task_word = ompt_get_task_data(0);
  it->task_frame = ompt_get_task_frame(0);
  for (int level = 0; level < 3; level++) {
    it->region[level] = ompt_get_parallel_id(level);
    it->task[level] = word_of(ompt_get_task_data(level));
  }
  for (int level = 0; level < 2; level++) {
    ompt_frame_t *frame = ompt_get_task_frame(level);
    if (frame) it->frames[level] = *frame;
  }
  return it;
}
/* The last that is done to a note: who waits for an event finds it whole. */
static void done(struct note *it, int event)
{
  __atomic_store_n(&it->event, event, __ATOMIC_SEQ_CST);
}
#define MARK(number) done(note(MARKS + (number)), MARKS + (number))

/* The index of the next event from an index on, of one thread or of all (0). */
static int next_of(int of, int event, int from)
{
  for (int i = from; i < noted; i++)
    if (__atomic_load_n(&notes[i].event, __ATOMIC_SEQ_CST) == event &&
        (!of || notes[i].thread == of))
      return i;
  return NONE;
}
static int next(int event, int from) { return next_of(0, event, from); }
/* The last one before an index. */
static int last_of(int of, int event, int before)
{
  for (int i = before - 1; i >= 0; i--)
    if (notes[i].event == event && (!of || notes[i].thread == of)) return i;
  return NONE;
}
/* The note of the same thread behind one, or before it. */
static int behind(int at)
{
  for (int i = at + 1; i < noted; i++)
    if (notes[i].thread == notes[at].thread) return i;
  return NONE;
}
static int ahead(int at)
{
  for (int i = at - 1; i >= 0; i--)
    if (notes[i].thread == notes[at].thread) return i;
  return NONE;
}
#define EACH(i, event) int i = next(event, 0); i >= 0; i = next(event, i + 1)
static int how_many(int event)
{
  int count = 0;
  for (EACH(i, event)) count++;
  return count;
}
/* Until so many of an event came. */
static void await(int event, int count)
{
  while (how_many(event) < count) sched_yield();
}
static void await_flag(int *flag)
{
  while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST)) sched_yield();
}
static void raise_flag(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST); }

/* A sample: what a signal handler is told on a thread. Waits until it was. */
static void on_sample(int number) { (void)number; done(note(SAMPLE), SAMPLE); }
static struct note *sample(pthread_t of)
{
  int before = noted, count = how_many(SAMPLE);
  signal(SIGUSR1, on_sample);
  pthread_kill(of, SIGUSR1);
  await(SAMPLE, count + 1);
  return &notes[next(SAMPLE, before)];
}

static void on_word(int event, ompt_data_t *word)
{
  struct note *it = note(event);
  it->first = word_of(word);
  it->word = word;
  done(it, event);
}
static void on_pair(int event, ompt_data_t *word, ompt_parallel_id_t region)
{
  struct note *it = note(event);
  it->first = word_of(word);
  it->word = word;
  it->second = region;
  done(it, event);
}
/* A program may do something behind each event of a mutex. */
#ifndef BEHIND_ID
#define BEHIND_ID(event, id)
#endif
static void on_id(int event, uint64_t id)
{
  struct note *it = note(event);
  it->first = id;
  done(it, event);
  BEHIND_ID(event, id);
}
static void on_parent(int event, ompt_data_t *word, ompt_frame_t *frame, uint64_t second)
{
  struct note *it = note(event);
  it->first = word_of(word);
  it->word = word;
  it->second = second;
  it->has_frame = frame != NULL;
  if (frame) it->frame = *frame;
  done(it, event);
}
static uint64_t fresh(ompt_data_t *word)
{
  uint64_t found = word->value;
  if (words) word->value = __atomic_add_fetch(&last_word, 1, __ATOMIC_SEQ_CST);
  return found;
}

/* Every event with the kind of its callback; those of OWN are written out. */
#define EVERY_EVENT(X) \
  X(PARENT, parallel_create) X(PARENT, parallel_exit) X(OWN, task_create) X(WORD, task_exit) \
  X(OWN, thread_create) X(WORD, thread_exit) X(OWN, control) X(OWN, runtime_shutdown) \
  X(WORD, idle_begin) X(WORD, idle_end) X(PAIR, wait_barrier_begin) X(PAIR, wait_barrier_end) \
  X(PAIR, wait_taskwait_begin) X(PAIR, wait_taskwait_end) X(PAIR, wait_taskgroup_begin) \
  X(PAIR, wait_taskgroup_end) X(ID, release_lock) X(ID, release_nest_lock_last) \
  X(ID, release_critical) X(ID, release_atomic) X(ID, release_ordered) \
  X(OWN, implicit_task_create) X(PAIR, implicit_task_exit) X(OWN, task_switch) \
  X(PAIR, loop_begin) X(PAIR, loop_end) X(PAIR, section_begin) X(PAIR, section_end) \
  X(PAIR, single_in_block_begin) X(PAIR, single_in_block_end) X(PAIR, single_others_begin) \
  X(PAIR, single_others_end) X(PAIR, master_begin) X(PAIR, master_end) X(PAIR, barrier_begin) \
  X(PAIR, barrier_end) X(PAIR, taskwait_begin) X(PAIR, taskwait_end) X(PAIR, taskgroup_begin) \
  X(PAIR, taskgroup_end) X(ID, release_nest_lock_prev) X(ID, wait_lock) X(ID, wait_nest_lock) \
  X(ID, wait_critical) X(ID, wait_atomic) X(ID, wait_ordered) X(ID, acquired_lock) \
  X(ID, acquired_nest_lock_first) X(ID, acquired_nest_lock_next) X(ID, acquired_critical) \
  X(ID, acquired_atomic) X(ID, acquired_ordered) X(ID, init_lock) X(ID, init_nest_lock) \
  X(ID, destroy_lock) X(ID, destroy_nest_lock) X(WORD, flush)
#define ID(n) static void on_##n(uint64_t id) { on_id(E(n), id); }
#define WORD(n) static void on_##n(ompt_data_t *word) { on_word(E(n), word); }
#define PAIR(n) \
  static void on_##n(ompt_data_t *word, ompt_parallel_id_t region) { on_pair(E(n), word, region); }
#define PARENT(n) \
  static void on_##n(ompt_data_t *word, ompt_frame_t *frame, ompt_parallel_id_t region) \
  { \
    on_parent(E(n), word, frame, region); \
  }
#define OWN(n)
#define CALLBACK(kind, name) kind(name)
EVERY_EVENT(CALLBACK)
/* Of what is created, `third` is the word as it came. */
static void on_task_create(ompt_data_t *parent, ompt_frame_t *frame, ompt_data_t *made)
{
  uint64_t found = fresh(made);
  on_parent(E(task_create), parent, frame, made->value);
  notes[last_of(thread, E(task_create), noted)].third = found;
}
static void on_thread_create(ompt_data_t *word)
{
  uint64_t found = fresh(word);
  on_word(E(thread_create), word);
  notes[last_of(thread, E(thread_create), noted)].third = found;
}
static void on_implicit_task_create(ompt_data_t *word, ompt_parallel_id_t region)
{
  uint64_t found = fresh(word);
  on_pair(E(implicit_task_create), word, region);
  notes[last_of(thread, E(implicit_task_create), noted)].third = found;
}
static void on_control(uint64_t command, uint64_t modifier)
{
  struct note *it = note(E(control));
  it->first = command;
  it->second = modifier;
  done(it, E(control));
}
static void on_task_switch(ompt_data_t *suspended, ompt_data_t *resumed)
{
  struct note *it = note(E(task_switch));
  it->first = word_of(suspended);
  it->word = suspended;
  it->second = word_of(resumed);
  done(it, E(task_switch));
}

/* The program's: what must hold in the end. */
static void check(void);
static void on_runtime_shutdown(void)
{
  done(note(E(runtime_shutdown)), E(runtime_shutdown));
  RULE(!over, "the runtime ends twice");
  over = 1;
  check();
  if (!broken) puts("it holds");
  fflush(stdout);
}

/* A program may say which events it does not want, and what is done while the tool starts. */
#ifndef UNWANTED
#define UNWANTED(event) 0
#endif
#ifndef WHILE_STARTING
#define WHILE_STARTING
#endif
#ifndef ANSWER
#define ANSWER 1
#endif
#define REGISTER(kind, n) \
  if (!(UNWANTED(E(n)))) answers[E(n)] = ompt_set_callback(E(n), (ompt_callback_t)on_##n);
int ompt_initialize(void)
{
  EVERY_EVENT(REGISTER)
  WHILE_STARTING;
  return ANSWER;
}

#endif
