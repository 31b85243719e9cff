/* Teams of three of which the first holds what the others want, or stays away from where they
 * wait: `first_looks` runs then, on the first. The including file has it. */
#ifndef STANDING_H
#define STANDING_H
#include "asked.h"
#include <omp.h>

static void first_looks(void);

static omp_lock_t plain_lock, other_lock;
static omp_nest_lock_t nest_lock;

#ifdef __clang__
void __kmpc_atomic_start(void), __kmpc_atomic_end(void);
#define ATOMIC_START __kmpc_atomic_start
#define ATOMIC_END __kmpc_atomic_end
#else
void GOMP_atomic_start(void), GOMP_atomic_end(void);
#define ATOMIC_START GOMP_atomic_start
#define ATOMIC_END GOMP_atomic_end
#endif

/* Inside, with what excludes the others. */
static void inside(void) {
  if (omp_get_thread_num() != 0) return;
  signal_all();
  first_looks();
}

enum standing { IN_LOCK, IN_NEST, IN_CRITICAL, IN_NAMED, IN_ATOMIC, MUTEXES };
static void exclude(int where) {
  switch (where) {
  case IN_LOCK:
    omp_set_lock(&plain_lock);
    inside();
    omp_unset_lock(&plain_lock);
    break;
  case IN_NEST:
    omp_set_nest_lock(&nest_lock);
    inside();
    omp_unset_nest_lock(&nest_lock);
    break;
  case IN_CRITICAL:
#pragma omp critical
    inside();
    break;
  case IN_NAMED:
#pragma omp critical(named)
    inside();
    break;
  case IN_ATOMIC: /* As compilers make an atomic construct that no instruction does. */
    ATOMIC_START();
    inside();
    ATOMIC_END();
    break;
  }
}

static void begin_member(void) {
  member[omp_get_thread_num()] = pthread_self();
  meet_members();
}

static void stand_in_mutex(int where) {
  signalled = 0;
#pragma omp parallel num_threads(MEMBERS)
  {
    begin_member();
    if (omp_get_thread_num() != 0) await_signal();
    exclude(where);
    meet_members();
  }
}

static void stand_in_ordered(void) {
  signalled = 0;
#pragma omp parallel num_threads(MEMBERS)
  {
    begin_member();
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < MEMBERS; i++) {
      if (i) await_signal();
#pragma omp ordered
      inside();
    }
  }
}

/* A part of what is shared out: nobody goes on before all have one. */
static void one_each(void) {
  meet_members();
  if (omp_get_thread_num() == 0) first_looks();
}

enum barrier { AT_BARRIER, AT_LOOP, AT_SECTIONS, AT_SINGLE, AT_REGION, BARRIERS };
static void stand_at_barrier(int where) {
  signalled = 0;
#pragma omp parallel num_threads(MEMBERS)
  {
    int first = omp_get_thread_num() == 0;
    begin_member();
    switch (where) {
    case AT_BARRIER:
      if (first) first_looks();
#pragma omp barrier
      break;
    case AT_LOOP:
#pragma omp for schedule(dynamic)
      for (int i = 0; i < MEMBERS; i++) one_each();
      break;
    case AT_SECTIONS:
#pragma omp sections
    {
#pragma omp section
      one_each();
#pragma omp section
      one_each();
#pragma omp section
      one_each();
    } break;
    case AT_SINGLE:
      if (!first) await_signal();
#pragma omp single
      inside();
      break;
    case AT_REGION:
      if (first) first_looks();
      break;
    }
  }
}

static void make_standing(void) {
  expect_questions();
  omp_set_dynamic(0);
  omp_init_lock(&plain_lock);
  omp_init_lock(&other_lock);
  omp_init_nest_lock(&nest_lock);
  pthread_barrier_init(&meeting_place, 0, MEMBERS);
}

#endif
