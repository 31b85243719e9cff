/* Each state of 2007, on a thread that stands where the text puts it, its wait id, and the events
 * of those that waited. */
#ifndef STATES_2007_H
#define STATES_2007_H
#include "../collector/client.h"
#include "standing.h"

static struct { int state, rc, codes; uint64_t wait, region; } answer;
static void answer_here(void) {
  int list[] = {28, OMP_REQ_STATE, -1, -1, -1, -1, -1, 24, OMP_REQ_CURRENT_PRID, -1, -1, -1, -1, 0};
  answer.rc = api(list);
  answer.codes = list[2] | list[9];
  answer.state = list[4];
  memcpy(&answer.wait, list + 5, 8);
  memcpy(&answer.region, list + 11, 8);
}
static int in_state(int wanted) { return answer.state == wanted && !answer.rc && !answer.codes; }

/* What each thread was told since it last forgot. */
static __thread int told[8], tells;
static void note_event(OMP_COLLECTORAPI_EVENT event) { if (tells < 8) told[tells++] = event; }

static int expected_state;
static uint64_t waits_seen[MUTEXES + BARRIERS + 2];
static int looks;
static void first_looks(void) {
  uint64_t region = current(), wait = 0;
  CHECK(state() == THR_WORK_STATE, "who holds it works: %d", state());
  for (int i = 1; i < MEMBERS; i++) {
    CHECK(comes_to(member[i], in_state, expected_state), "never in state %d: %d", expected_state,
          answer.state);
    CHECK(answer.wait, "state %d waits for nothing", expected_state);
    CHECK(answer.region == region, "in another region");
    CHECK(i == 1 || wait == answer.wait, "two wait for one thing by two ids");
    wait = answer.wait;
  }
  waits_seen[looks++] = wait;
}

/* The waiting thread and no other is told, a begin and an end. */
static void told_by_waiters(int begin) {
  int me = omp_get_thread_num(), pairs = 0, odd = 0;
  for (int i = 0; i < tells; i++) {
    if (told[i] == begin && i + 1 < tells && told[i + 1] == begin + 1) pairs++, i++;
    else odd++;
  }
  CHECK(pairs == (me != 0) && !odd, "member %d: %d pairs of %d, %d others", me, pairs, begin, odd);
}

static void watch(int begin) {
  packed_register(begin, note_event);
  packed_register(begin + 1, note_event);
}
static void forget(int begin) {
  ask(OMP_REQ_UNREGISTER, 4, &begin, 4);
  begin++;
  ask(OMP_REQ_UNREGISTER, 4, &begin, 4);
}

static void compare_told(int begin) {
  forget(begin);
#pragma omp parallel num_threads(MEMBERS)
  {
    told_by_waiters(begin);
    tells = 0;
  }
}

static void waiting_for_mutexes(void) {
  static const int states[MUTEXES] = {THR_LKWT_STATE, THR_LKWT_STATE, THR_CTWT_STATE,
                                      THR_CTWT_STATE, THR_ATWT_STATE};
  static const int begins[MUTEXES] = {OMP_EVENT_THR_BEGIN_LKWT, OMP_EVENT_THR_BEGIN_LKWT,
                                      OMP_EVENT_THR_BEGIN_CTWT, OMP_EVENT_THR_BEGIN_CTWT,
                                      OMP_EVENT_THR_BEGIN_ATWT};
  simple(OMP_REQ_START);
  make_standing();
  for (int where = 0; where < MUTEXES; where++) {
    expected_state = states[where];
    watch(begins[where]);
    stand_in_mutex(where);
    compare_told(begins[where]);
  }
  CHECK(looks == MUTEXES, "%d looks", looks);
  for (int i = 0; i < looks; i++)
    for (int j = 0; j < i; j++) CHECK(waits_seen[i] != waits_seen[j], "%d and %d are one", i, j);
  expected_state = THR_ODWT_STATE;
  watch(OMP_EVENT_THR_BEGIN_ODWT);
  stand_in_ordered();
  compare_told(OMP_EVENT_THR_BEGIN_ODWT);
  CHECK(looks == MUTEXES + 1, "%d looks", looks);
  /* What is free is waited for by nobody. */
  watch(OMP_EVENT_THR_BEGIN_LKWT);
  omp_set_lock(&other_lock);
  omp_set_nest_lock(&nest_lock);
  omp_set_nest_lock(&nest_lock);
  CHECK(tells == 0 && state() == THR_SERIAL_STATE, "%d events", tells);
}

static void waiting_at_barriers(void) {
  simple(OMP_REQ_START);
  make_standing();
  for (int where = 0; where < BARRIERS; where++) {
#ifndef __clang__
    /* GCC's code calls the same function for it as for a barrier directive. */
    if (where == AT_SINGLE) continue;
#endif
    int begin = where == AT_BARRIER ? OMP_EVENT_THR_BEGIN_EBAR : OMP_EVENT_THR_BEGIN_IBAR;
    expected_state = where == AT_BARRIER ? THR_EBAR_STATE : THR_IBAR_STATE;
    int before = looks;
    stand_at_barrier(where);
    CHECK(looks == before + 1, "nobody looked at %d", begin);
  }
}

/* A worker behind its region, and threads that are in none. */
static void *outside_of_regions(void *unused) {
  CHECK(state() == THR_SERIAL_STATE && current() == 0, "a thread of the program's own");
#pragma omp parallel num_threads(2)
  CHECK(state() == THR_WORK_STATE && current() != 0, "in a region of its own");
  CHECK(state() == THR_SERIAL_STATE && current() == 0, "behind its region");
  return unused;
}
static void waiting_for_work(void) {
  simple(OMP_REQ_START);
  make_standing();
  CHECK(state() == THR_SERIAL_STATE && current() == 0, "before any region");
#pragma omp parallel num_threads(MEMBERS)
  begin_member();
  for (int i = 1; i < MEMBERS; i++) {
    CHECK(comes_to(member[i], in_state, THR_IDLE_STATE), "state %d", answer.state);
    CHECK(answer.region == 0, "idle in region %#lx", (unsigned long)answer.region);
  }
  CHECK(state() == THR_SERIAL_STATE && current() == 0, "behind the region");
  pthread_t other;
  pthread_create(&other, 0, outside_of_regions, 0);
  pthread_join(other, 0);
}

/* There is no state for what a thread holds: it works. */
static void works_here(void) { CHECK(state() == THR_WORK_STATE, "state %d", state()); }
static void working(void) {
  simple(OMP_REQ_START);
  make_standing();
#pragma omp parallel num_threads(2)
  {
    works_here();
#pragma omp critical
    works_here();
#pragma omp master
    works_here();
#pragma omp single
    works_here();
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 4; i++) {
      works_here();
#pragma omp ordered
      works_here();
    }
#pragma omp sections
    {
#pragma omp section
      works_here();
#pragma omp section
      works_here();
    }
    omp_set_lock(&plain_lock);
    works_here();
    omp_unset_lock(&plain_lock);
    ATOMIC_START();
    works_here();
    ATOMIC_END();
#pragma omp task
    works_here();
#pragma omp taskwait
    works_here();
  }
}

/* Who combines a reduction's parts, as far as the compiler's code calls at its end: LLVM's, where a
 * barrier follows or a lock is taken. */
static int combined;
static void combine_here(int *into, int *part) {
#ifdef __clang__
  CHECK(state() == THR_REDUC_STATE, "state %d", state());
#endif
  __atomic_add_fetch(&combined, 1, __ATOMIC_RELAXED);
  *into += *part;
}
#pragma omp declare reduction(parts : int : combine_here(&omp_out, &omp_in))                       \
    initializer(omp_priv = 0)
#ifdef __clang__
int __kmpc_reduce(void *, int, int, size_t, void *, void (*)(void *, void *), int *);
void __kmpc_end_reduce(void *, int, int *);
static void combine_by_instructions(void) {
  static struct { int reserved, flags, rest[2]; const char *place; } location = {0, 0x12, {0}, ""};
  static int lock[8], sum;
  if (__kmpc_reduce(&location, 0, 1, 4, &sum, 0, lock) == 2) {
    CHECK(state() == THR_REDUC_STATE, "state %d", state());
    __atomic_add_fetch(&combined, 1, __ATOMIC_RELAXED);
    __kmpc_end_reduce(&location, 0, lock);
  }
}
#endif
static void reducing(void) {
  int sum = 0;
  simple(OMP_REQ_START);
  packed_register(OMP_EVENT_FORK, ignore);
#pragma omp parallel num_threads(2)
  {
#pragma omp for reduction(parts : sum)
    for (int i = 0; i < 4; i++) sum++;
    works_here();
#ifdef __clang__
    combine_by_instructions();
    works_here();
#endif
  }
  CHECK(sum == 4 && combined >= 2, "%d, %d", sum, combined);
}

#endif
