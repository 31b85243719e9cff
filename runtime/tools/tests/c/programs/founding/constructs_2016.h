/* Worksharing, synchronization, mutexes: stories of one thread. */
#ifndef CONSTRUCTS_2016_H
#define CONSTRUCTS_2016_H
#include "stories_2016.h"

/* Not in every library that compilers link: the runtime has it. */
#pragma weak omp_init_lock_with_hint

/* Each pair around its construct's body has the region, the task and a place in the program. */
static void around(const char *begin, const char *end) {
  struct note *first = noted_as(begin, 0), *last = noted_as(end, 0);
  CHECK(first->task == task_now() && last->task == task_now(), "%s: its task", begin);
  CHECK(first->current == task_now() && last->current == task_now(), "%s: in its task", begin);
  CHECK(first->region == region_at(0, 0) && last->region == region_at(0, 0), "%s: region", begin);
  CHECK(of_program(first->ra), "%s: its place", begin);
}

static void worksharing_of_2016(void) {
#pragma omp parallel num_threads(1)
  {
    forget();
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; i++) say("body");
    STORY("loop+ body body loop-");
    around("loop+", "loop-");
    forget();
#pragma omp sections nowait
    {
#pragma omp section
      say("body");
#pragma omp section
      say("body");
    }
    STORY("sections+ body body sections-");
    around("sections+", "sections-");
    /* The barrier comes behind the last unit of work. */
    forget();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 1; i++) say("body");
    no_wait(story);
    STORY("loop+ body loop- barrier+ barrier-");
#ifdef __clang__
    forget();
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 2; i++) say("body");
    STORY("loop+ body body loop-");
    forget();
#pragma omp single nowait
    say("body");
    STORY("single+ body single-");
    around("single+", "single-");
    forget();
#pragma omp master
    say("body");
    STORY("master+ body master-");
    around("master+", "master-");
    forget();
#pragma omp flush
    STORY("flush");
    CHECK(noted_as("flush", 0)->other == thread_now(), "another thread");
#endif
  }
  /* Who does not execute a single region is told that it is one of the others. */
  int others = 0, executors = 0;
#pragma omp parallel num_threads(2)
  {
    forget();
#pragma omp single
    say("body");
#pragma omp atomic
    executors += strstr(story, "single+ ") != 0;
#pragma omp atomic
    others += strstr(story, "other+ other-") != 0;
#pragma omp barrier
    if (omp_get_thread_num() == 1) CHECK(!strstr(story, "master"), "%s", story);
  }
  CHECK(others == 1 && executors == 1, "%d executors, %d others", executors, others);
}

static void synchronization_of_2016(void) {
#pragma omp parallel num_threads(1)
  {
    forget();
#pragma omp barrier
    no_wait(story);
    STORY("barrier+ barrier-");
    around("barrier+", "barrier-");
    forget();
#pragma omp taskwait
    no_wait(story);
    STORY("taskwait+ taskwait-");
    around("taskwait+", "taskwait-");
    forget();
#pragma omp taskgroup
    say("body");
    no_wait(story);
    CHECK(!strncmp(story, "taskgroup+", 10) && strstr(story, "taskgroup-"), "%s", story);
    CHECK(noted_as("taskgroup+", 0)->task == task_now(), "its task");
  }
}

/* A mutex from acquire to release: one wait id, one kind, the program's places. */
static void one_mutex(ompt_mutex_kind_t kind, uint64_t wait) {
  struct note *steps[] = {noted_as("acquire", 0), noted_as("acquired", 0), noted_as("release", 0)};
  for (int i = 0; i < 3; i++) {
    CHECK(steps[i]->number == kind, "kind %#x", (int)steps[i]->number);
    CHECK(steps[i]->wait == steps[0]->wait && steps[0]->wait, "wait id");
    CHECK(!wait || steps[i]->wait == wait, "another wait id");
    CHECK(steps[i]->current == task_now(), "in another task");
  }
  /* The acquisition says which implementation the mutex has. An ordered region has none. */
  if (kind == ompt_mutex_ordered) return;
  const char *name = 0;
  uint32_t known = 0;
  while (known != steps[0]->region && enumerate_mutex_kinds(known, &known, &name)) {}
  CHECK(name && known == steps[0]->region, "implementation %d", (int)steps[0]->region);
}
static void ordered_part(void) {
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < 1; i++) {
    forget();
#pragma omp ordered
    say("body");
    STORY("acquire acquired body release");
    one_mutex(ompt_mutex_ordered, 0);
    CHECK(noted_as("acquire", 0)->other == omp_lock_hint_none, "an ordered region has no hint");
  }
}
static void mutexes_of_2016(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  const char *kind_name = 0;
  uint32_t kind = 0;
  omp_get_max_threads();
  forget();
  omp_init_lock_with_hint(&lock, omp_lock_hint_contended);
  STORY("init");
  uint64_t wait = noted_as("init", 0)->wait;
  CHECK(noted_as("init", 0)->other == omp_lock_hint_contended && wait, "its hint");
  CHECK(noted_as("init", 0)->current == task_now(), "in its task");
  CHECK(enumerate_mutex_kinds(0, &kind, &kind_name) && kind_name, "no kinds");
  CHECK(noted_as("init", 0)->number == kind, "kind %d", (int)noted_as("init", 0)->number);
  forget();
  omp_set_lock(&lock);
  say("body");
  omp_unset_lock(&lock);
  STORY("acquire acquired body release");
  one_mutex(ompt_mutex_lock, wait);
  forget();
  omp_destroy_lock(&lock);
  STORY("destroy");
  CHECK(noted_as("destroy", 0)->wait == wait, "another lock");
  forget();
  omp_init_nest_lock(&nest);
  STORY("init_nest");
  wait = noted_as("init_nest", 0)->wait;
  forget();
  omp_set_nest_lock(&nest);
  say("body");
  omp_set_nest_lock(&nest);
  say("body");
  omp_unset_nest_lock(&nest);
  say("body");
  omp_unset_nest_lock(&nest);
  STORY("acquire acquired body nested+ nested- body body release");
  one_mutex(ompt_mutex_nest_lock, wait);
  CHECK(noted_as("nested+", 0)->wait == wait && noted_as("nested-", 0)->wait == wait, "nested");
  forget();
  omp_destroy_nest_lock(&nest);
  STORY("destroy_nest");
  forget();
#pragma omp critical
  say("body");
  STORY("acquire acquired body release");
  one_mutex(ompt_mutex_critical, 0);
  wait = noted_as("acquire", 0)->wait;
  forget();
#pragma omp critical(named)
  say("body");
  CHECK(noted_as("acquire", 0)->wait != wait, "two names, one wait id");
  forget();
#pragma omp critical(hinted) hint(omp_lock_hint_contended)
  say("body");
#ifdef __clang__
  CHECK(noted_as("acquire", 0)->other == omp_lock_hint_contended, "its hint");
#endif
  forget();
  ATOMIC_START();
  say("body");
  ATOMIC_END();
  STORY("acquire acquired body release");
  one_mutex(ompt_mutex_atomic, 0);
#pragma omp parallel num_threads(1)
  ordered_part();
}

#endif
