/* What a thread is told around each construct: in which order with the program's own steps, and in
 * which task. */
#ifndef STORIES_2016_H
#define STORIES_2016_H
#include "starting_2016.h"
#include "standing.h"

static int begun, finished;
static void member_works(void) {
  __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
  say("body");
  __atomic_add_fetch(&finished, 1, __ATOMIC_RELAXED);
}
static void no_wait(char *from) {
  char *at;
  while ((at = strstr(from, " wait+ wait-"))) memmove(at, at + 12, strlen(at + 12) + 1);
}

/* The encountering thread's story of a region, and the region's and tasks' names in it. */
static void regions_of_2016(void) {
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  for (int size = 1; size <= 3; size++) {
    struct task outer;
    CHECK(task_at(0, &outer) && outer.type == ompt_task_initial && !outer.region, "outside");
    begun = finished = 0;
    forget();
#pragma omp parallel num_threads(size)
    {
      struct task own;
      int members = 0;
      CHECK(task_at(0, &own) && own.type == ompt_task_implicit, "type %d", own.type);
      CHECK((int)own.number == omp_get_thread_num(), "number %u", own.number);
      CHECK(region_at(0, &members) == own.region && own.region && members == size, "%d", members);
      CHECK(region_at(1, 0) == 0, "a region around it");
      if (omp_get_thread_num() == 0) {
        struct task around;
        CHECK(task_at(1, &around) && around.name == outer.name, "the task around it");
        CHECK(noted_as("implicit+", 0)->task == own.name, "another task");
      }
      member_works();
    }
    no_wait(story);
    STORY("parallel+ implicit+ body barrier+ barrier- implicit- parallel-");
    CHECK(finished == size, "%d of %d", finished, size);
    struct note *begin = noted_as("parallel+", 0), *end = noted_as("parallel-", 0);
    struct note *task = noted_as("implicit+", 0), *ended = noted_as("implicit-", 0);
    CHECK(begin->task == outer.name && begin->current == outer.name, "its task");
    CHECK(end->task == outer.name && end->current == outer.name, "its task at the end");
    CHECK(begin->region && begin->region == end->region, "its region");
    CHECK(begin->number == (uint64_t)size, "requested %d", (int)begin->number);
    CHECK(begin->other == ompt_invoker_program || begin->other == ompt_invoker_runtime, "invoker");
    CHECK(end->other == begin->other && of_program(begin->ra), "invoker and address");
    CHECK(task->region == begin->region && task->current == task->task, "the implicit task");
    CHECK(ended->task == task->task && ended->current == task->task, "its end");
    CHECK(task->number == 0 && task->task != outer.name, "number %d", (int)task->number);
    struct note *barrier = noted_as("barrier+", 0);
    CHECK(barrier->task == task->task && barrier->region == begin->region, "its barrier");
  }
  /* One inside another, on a worker. */
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    uint64_t outer = region_at(0, 0), task = task_now();
    forget();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
      struct task around, outermost;
      CHECK(region_at(0, 0) != outer && region_at(1, 0) == outer && !region_at(2, 0), "nested");
      CHECK(task_at(1, &around) && around.name == task && around.number == 1, "its maker");
      CHECK(task_at(2, &outermost) == 0 || outermost.type == ompt_task_initial, "outermost");
      say("body");
    }
    no_wait(story);
    STORY("parallel+ implicit+ body barrier+ barrier- implicit- parallel-");
    CHECK(noted_as("parallel+", 0)->task == task, "a task inside");
  }
}

/* What a worker is told: idle until it has a task, and again when it has none. */
static void workers_idle(void) {
  omp_set_dynamic(0);
  for (int i = 0; i < 3; i++)
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
      no_wait(story);
      if (i == 0) STORY("thread+ idle+ idle- implicit+");
      else STORY("barrier+ barrier- implicit- idle+ idle- implicit+");
      forget();
    }
}

static int x;
static void tasks_of_2016(void) {
#pragma omp parallel num_threads(1)
  {
    uint64_t maker = task_now(), inside = 0;
    forget();
#pragma omp task if (0) shared(inside)
    {
      struct task own;
      CHECK(task_at(0, &own) && own.type == ompt_task_explicit, "type %d", own.type);
      inside = own.name;
      say("body");
    }
    STORY("create suspended body completed");
    struct note *create = noted_as("create", 0), *go = noted_as("suspended", 0);
    struct note *back = noted_as("completed", 0);
    CHECK(create->other == maker && create->current == maker && create->task == inside, "create");
    CHECK(create->number == 10 * ompt_task_explicit && of_program(create->ra), "type and address");
    CHECK(go->other == maker && go->task == inside && go->current == inside, "to the task");
    CHECK(back->other == inside && back->task == maker && back->current == maker, "and back");
    forget();
#pragma omp task depend(out : x)
    x = 1;
    char begin[32];
    snprintf(begin, sizeof begin, "%.18s", story);
    CHECK(!strcmp(begin, "create dependences"), "%s", story);
    create = noted_as("create", 0);
    CHECK(create->number == 10 * ompt_task_explicit + 1, "has_dependences");
    CHECK(noted_as("dependences", 0)->task == create->task, "whose dependences");
    CHECK(noted_as("dependences", 0)->number == 1, "how many");
    CHECK(noted_as("dependences", 0)->frame == &x, "of what");
    /* Compilers give out and inout one number. */
    CHECK(noted_as("dependences", 0)->other & ompt_task_dependence_type_out, "which kind");
    forget();
#pragma omp task depend(in : x)
    x = 1;
    CHECK(noted_as("dependences", 0)->other == ompt_task_dependence_type_in, "which kind");
#pragma omp taskwait
  }
}

/* A consumer that is made while its producer runs on another thread. */
static void pairs_of_2016(void) {
  omp_set_dynamic(0);
  int order = 0, done = 0;
  uint64_t producer = 0, consumer = 0;
#pragma omp parallel num_threads(2) shared(order, done, producer, consumer)
  {
#pragma omp single nowait
    {
      forget();
#pragma omp task depend(out : x) shared(producer)
      {
        producer = task_now();
        __atomic_store_n(&order, 1, __ATOMIC_RELEASE);
        while (__atomic_load_n(&order, __ATOMIC_ACQUIRE) < 2) sched_yield();
        x = 5;
      }
      while (!__atomic_load_n(&order, __ATOMIC_ACQUIRE)) sched_yield();
#pragma omp task depend(in : x) shared(consumer, done)
      {
        CHECK(x == 5, "ran too early");
        consumer = task_now();
        __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
      }
      CHECK(noted_as("pair", 0)->other == noted_as("create", 0)->task, "the producer");
      CHECK(noted_as("pair", 0)->task == noted_as("create", 1)->task, "the consumer");
      __atomic_store_n(&order, 2, __ATOMIC_RELEASE);
      while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) sched_yield();
      CHECK(producer == noted_as("create", 0)->task, "the task that runs");
      CHECK(consumer == noted_as("create", 1)->task, "the task that runs");
      /* None with one that is over before the other is made. */
      forget();
#pragma omp task depend(in : x) if (0)
      say("body");
      CHECK(!strstr(story, "pair"), "%s", story);
    }
  }
}

#endif
