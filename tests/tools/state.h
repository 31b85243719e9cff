/*
 * The state machine's objects: what the checking tool keeps in the data words of threads, regions
 * and tasks, and how it says that a rule is broken. Records are never freed, so a word that points
 * to an ended object is recognised.
 */
#ifndef STATE_H
#define STATE_H
#define _GNU_SOURCE
#include "omp-tools.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum what { THREAD = 0x7e57001, REGION, TASK };

/* A construct that a task is in. */
struct scope {
  const char *name;
  int kind;
};

struct region {
  enum what what;
  int ended, league, initial, size;
  int begun, left, open_tasks; /* implicit tasks; explicit tasks that are not complete */
  int arrived; /* a league's initial tasks at its barrier */
  struct task *encountering;
};

enum life { CREATED, RUNS, SUSPENDED, DETACHED, DONE };

struct task {
  enum what what;
  enum life life;
  int flags, index, fulfilled, depth, arrived;
  struct region *region;
  struct task *below; /* what a region's own task interrupted on its thread */
  struct scope scopes[64];
};

struct thread {
  enum what what;
  int ended;
  struct task *current;
  uintptr_t stack, stack_end;
  struct { int kind; ompt_wait_id_t wait; } wanted, held[64];
  int helds;
};

static long events, broken;
static __thread struct thread *self;

#define RULE(holds, ...) \
  do { \
    if (!(holds)) break_rule(#holds, __func__, __LINE__, __VA_ARGS__); \
  } while (0)

static void break_rule(const char *rule, const char *where, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void *record(enum what what, size_t bytes, ompt_data_t *word, const char *event);
static void *of_word(enum what what, ompt_data_t *word, const char *event);

#endif
