/* Critical sections, ordered regions and atomic ones that a lock makes: one id for each, the same
 * in its wait, its begin and its end, and the state of who waits. */
#include "tool.h"

static int holds;
static pthread_t second;
static long double wide;

/* What gcc calls around an atomic construct for which there is no instruction. */
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

/* Who waits is looked at in its wait; then it goes on, with the same id throughout. */
static void waited(int wait, int acquired, int release, int state)
{
  int at = next(wait, 0), looked = NONE;
  RULE(how_many(wait) == 1, "%d waits", how_many(wait));
  RULE(notes[at].first != 0 && notes[at].state == state, "state %#x", notes[at].state);
  for (EACH(i, SAMPLE))
    if (ahead(i) == at) looked = i;
  RULE(looked != NONE && notes[looked].state == state, "no look at the wait");
  RULE(notes[looked].wait == notes[at].first, "it waits for another id");
  int first = next(acquired, 0), end = next(release, first);
  RULE(notes[first].first == notes[at].first && notes[end].first == notes[at].first, "two ids");
  int got = next_of(notes[at].thread, acquired, at), gave = next_of(notes[at].thread, release, at);
  RULE(got > looked && gave > got, "both are inside");
  RULE(notes[got].first == notes[at].first && notes[gave].first == notes[at].first, "two ids");
  RULE(notes[got].state == ompt_state_work_parallel, "state %#x inside", notes[got].state);
  RULE(notes[got].task[0] == notes[at].task[0] && notes[gave].task[0] == notes[at].task[0], "task");
  RULE(how_many(acquired) == how_many(release), "what begins ends");
}

static void check(void)
{
  waited(E(wait_critical), E(acquired_critical), E(release_critical), ompt_state_wait_critical);
  waited(E(wait_ordered), E(acquired_ordered), E(release_ordered), ompt_state_wait_ordered);
  /* Another section has another id. */
  int named = next(MARKS, 0);
  RULE(notes[ahead(named)].first != notes[next(E(wait_critical), 0)].first, "one id for two names");
  int unnamed = next(MARKS + 1, 0);
  RULE(notes[ahead(unnamed)].first != notes[ahead(named)].first, "one id for two names");
  waited(E(wait_atomic), E(acquired_atomic), E(release_atomic), ompt_state_wait_atomic);
  /* An atomic construct that needs a lock; clang calls libatomic for it. */
  RULE(answers[E(acquired_atomic)] == 2 && answers[E(wait_atomic)] == 2, "always");
#ifndef __clang__
  RULE(how_many(E(acquired_atomic)) == 3, "atomic");
#endif
  for (EACH(i, E(acquired_atomic))) {
    int end = next_of(notes[i].thread, E(release_atomic), i);
    RULE(notes[i].first && notes[i].first == notes[end].first, "two ids");
    RULE(notes[i].task[0] == notes[end].task[0] && behind(i) == end, "the end");
  }
}

int main(void)
{
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    if (me == 1) second = pthread_self();
#pragma omp barrier
    if (me == 1) await_flag(&holds);
#pragma omp critical(held)
    if (me == 0) {
      raise_flag(&holds);
      await(E(wait_critical), 1);
      sample(second);
    }
#pragma omp barrier
    if (me == 0) {
#pragma omp critical(other)
      MARK(0);
#pragma omp critical
      MARK(1);
    }
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
      if (i == 0) {
        await(E(wait_ordered), 1);
        sample(second);
      }
    }
    if (me == 0) {
      holds = 0;
#pragma omp atomic
      wide += 1;
    }
#pragma omp barrier
    if (me == 0) {
      GOMP_atomic_start();
      raise_flag(&holds);
      await(E(wait_atomic), 1);
      sample(second);
      GOMP_atomic_end();
    } else {
      await_flag(&holds);
      GOMP_atomic_start();
      GOMP_atomic_end();
    }
  }
  return 0;
}
