/* Locks and nest locks: each event's wait id is the lock's address; a wait is told where a thread
 * waits, an acquisition behind itself, a release when the lock is free. */
#define BEHIND_ID(event, id) probe(event, id)
static void probe(int event, unsigned long id);
#include "tool.h"

static omp_lock_t lock, other;
static omp_nest_lock_t nest, calm;
static int holds, free_in_release = -1, free_in_nest = -1;

/* In a release the lock is free: it can be had. */
static void probe(int event, unsigned long id)
{
  static __thread int inside;
  if (inside) return;
  inside = 1;
  if (event == E(release_lock) && id == (uint64_t)&other) {
    free_in_release = omp_test_lock(&other);
    if (free_in_release) omp_unset_lock(&other);
  }
  if (event == E(release_nest_lock_last) && id == (uint64_t)&calm) {
    free_in_nest = omp_test_nest_lock(&calm);
    if (free_in_nest) omp_unset_nest_lock(&calm);
  }
  inside = 0;
}

static void check(void)
{
  uint64_t at = (uint64_t)&lock, inner = (uint64_t)&nest;
  int wait = next(E(wait_lock), 0), sampled = next(SAMPLE, 0);
  RULE(how_many(E(wait_lock)) == 1 && notes[wait].first == at, "the wait");
  RULE(notes[wait].state == ompt_state_wait_lock && notes[wait].wait == at, "the state");
  RULE(notes[sampled].state == ompt_state_wait_lock && notes[sampled].wait == at, "the sample");
  int got = next_of(notes[wait].thread, E(acquired_lock), wait);
  RULE(notes[got].first == at && got > sampled, "acquired while another has it");
  RULE(notes[got].state == ompt_state_work_parallel && notes[got].wait == 0, "still waits");
  RULE(how_many(E(acquired_lock)) == 4 && how_many(E(release_lock)) == 4, "uncontended ones too");
  RULE(free_in_release == 1, "not free in its release");
  RULE(how_many(E(init_lock)) == 2 && how_many(E(destroy_lock)) == 2, "locks");
  int made = next(E(init_lock), 0), gone = next(E(destroy_lock), 0);
  RULE(notes[made].first == at && notes[behind(made)].event == MARKS, "made");
  RULE(notes[gone].first == at && notes[ahead(gone)].event == MARKS + 1, "destroyed");
  RULE(notes[next(E(init_lock), made + 1)].first == (uint64_t)&other, "the other");

  wait = next(E(wait_nest_lock), 0), sampled = next(SAMPLE, sampled + 1);
  RULE(how_many(E(wait_nest_lock)) == 1 && notes[wait].first == inner, "the wait");
  RULE(notes[sampled].state == ompt_state_wait_nest_lock && notes[sampled].wait == inner, "nest");
  static const int order[] = {E(acquired_nest_lock_first), E(acquired_nest_lock_next),
                              E(acquired_nest_lock_next),  E(release_nest_lock_prev),
                              E(release_nest_lock_prev),   E(release_nest_lock_last)};
  int i = next(E(acquired_nest_lock_first), 0);
  while (notes[i].first != inner) i = next(E(acquired_nest_lock_first), i + 1);
  for (int k = 0; k < 6; k++, i = behind(i)) {
    while (notes[i].event >= MARKS) i = behind(i);
    RULE(notes[i].event == order[k] && notes[i].first == inner, "event %d", notes[i].event);
  }
  RULE(how_many(E(acquired_nest_lock_next)) == 2, "next");
  RULE(free_in_nest == 1, "not free in its last release");
  RULE(how_many(E(init_nest_lock)) == 2, "nest locks");
  RULE(notes[next(E(init_nest_lock), 0)].first == inner, "made");
  RULE(notes[next(E(destroy_nest_lock), 0)].first == inner, "destroyed");
}

int main(void)
{
  static pthread_t second;
  omp_init_lock(&lock);
  MARK(0);
  omp_init_lock(&other);
  omp_init_nest_lock(&nest);
  omp_init_nest_lock(&calm);
  omp_set_nest_lock(&calm);
  omp_unset_nest_lock(&calm);
  omp_set_lock(&other);
  omp_unset_lock(&other);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) second = pthread_self();
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      raise_flag(&holds);
      await(E(wait_lock), 1);
      sample(second);
      omp_unset_lock(&lock);
    } else {
      await_flag(&holds);
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
    }
#pragma omp barrier
    holds = 0;
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      omp_set_nest_lock(&nest);
      omp_set_nest_lock(&nest);
      omp_set_nest_lock(&nest);
      raise_flag(&holds);
      await(E(wait_nest_lock), 1);
      sample(second);
      omp_unset_nest_lock(&nest);
      omp_unset_nest_lock(&nest);
      omp_unset_nest_lock(&nest);
    } else {
      await_flag(&holds);
      omp_set_nest_lock(&nest);
      omp_unset_nest_lock(&nest);
    }
  }
  MARK(1);
  omp_destroy_lock(&lock);
  omp_destroy_lock(&other);
  omp_destroy_nest_lock(&nest);
  omp_destroy_nest_lock(&calm);
  return 0;
}
