/* A worker idles between its regions, and is told so on the thread itself. */
#include "tool.h"

static void check(void)
{
  int idles = how_many(E(idle_begin));
  RULE(idles >= 6 && how_many(E(idle_end)) <= idles, "%d times", idles);
  for (EACH(i, E(idle_begin))) {
    struct note *it = &notes[i];
    RULE(it->first == it->self, "not in the thread's environment");
    RULE(it->region[0] == 0, "in a region");
    int before = notes[ahead(i)].event;
    RULE(before == E(implicit_task_exit) || before == E(thread_create), "idle inside");
    int after = behind(i);
    RULE(after == NONE || notes[after].event == E(idle_end) || notes[after].event == SAMPLE,
         "event %d while idle", notes[after].event);
  }
  for (EACH(i, E(idle_end))) {
    RULE(notes[i].first == notes[i].self, "elsewhere");
    RULE(notes[i].state != ompt_state_idle || notes[i].region[0] == 0,
         "state %#x region %#lx", notes[i].state, (unsigned long)notes[i].region[0]);
    int after = behind(i);
    RULE(after == NONE || notes[after].event == E(implicit_task_create) ||
             notes[after].event == E(thread_exit),
         "event %d after the idling", notes[after].event);
  }
  /* What a signal handler was told while it idled. */
  int at = next(SAMPLE, 0);
  RULE(notes[at].state == ompt_state_idle, "state %#x", notes[at].state);
  RULE(notes[at].region[0] == 0, "an idle thread is in a region");
}

int main(void)
{
  static pthread_t second;
  int its = 0;
  for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(3)
    {
      if (omp_get_thread_num() == 1) {
        second = pthread_self();
        its = thread;
      }
    }
    await(E(idle_begin), 2 * (i + 1));
  }
  /* Nobody calls it any more: it idles, and goes on idling. */
  for (int at = NONE; at < 0 || notes[at].event != E(idle_begin);) {
    sched_yield();
    at = last_of(its, E(idle_begin), noted);
    if (at >= 0 && behind(at) >= 0) at = NONE;
  }
  sample(second);
  return 0;
}
