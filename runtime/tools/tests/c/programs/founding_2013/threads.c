/* Threads begin before anything else of theirs and end behind everything, in their own
 * environment; who has the word 0 does not end. */
#include "tool.h"

static uint64_t selves[8];

static void check(void)
{
  int started = how_many(E(thread_create));
  RULE(started == 4, "%d threads", started);
  for (EACH(i, E(thread_create))) {
    struct note *it = &notes[i];
    RULE(ahead(i) == NONE, "thread %d has event %d before", it->thread, notes[ahead(i)].event);
    RULE(it->third == 0, "a new word is %lu", (unsigned long)it->third);
    RULE(it->self == it->first, "not in the thread's environment");
    int mark = next_of(it->thread, MARKS, i);
    RULE(mark != NONE && notes[mark].self == it->first, "the word is lost");
    int end = next_of(it->thread, E(thread_exit), i);
    if (it->first == selves[2]) {
      RULE(end == NONE, "a thread with the word 0 ends");
      continue;
    }
    RULE(end != NONE && notes[end].first == it->first && notes[end].self == it->first, "no end");
    RULE(behind(end) == NONE || notes[behind(end)].event == E(runtime_shutdown), "after its end");
  }
  RULE(next(E(runtime_shutdown), 0) == noted - 1, "something comes after the shutdown");
}

int main(void)
{
  for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(4)
    {
      int me = omp_get_thread_num();
      MARK(0);
      if (i == 0) selves[me] = ompt_get_thread_data()->value;
      /* The tool changes its mind about this one. */
      if (i == 2 && me == 2) ompt_get_thread_data()->value = 0;
    }
  }
  return 0;
}
