/* A wait at a barrier, a taskwait, a taskgroup: its begin and its end lie inside the construct, in
 * its task's environment; nothing else comes in between; and the state is that of the wait. */
#include "tool.h"

static int released, begun;
static pthread_t waiter;
static int waiter_thread;

static void pairs(int begin, int construct, int state)
{
  int found = 0, opened = construct, closed = construct + 1;
  for (EACH(i, begin)) {
    struct note *it = &notes[i];
    int after = behind(i);
    found++;
    while (after >= 0 && notes[after].event == SAMPLE) after = behind(after);
    RULE(notes[after].event == begin + 1, "event %d inside a wait", notes[after].event);
    RULE(notes[after].first == it->first && notes[after].second == it->second, "two waits");
    RULE(it->first == it->task[0] && it->second == it->region[0], "not in the task");
    RULE(notes[after].first == notes[after].task[0], "not in the task");
    int from = last_of(it->thread, opened, i), to = next_of(it->thread, closed, i);
    RULE(from >= 0 && to > after && notes[from].first == it->first, "outside of the construct");
  }
  RULE(found == how_many(begin + 1) && found > 0, "%d begin, %d end", found, how_many(begin + 1));
  int samples = 0;
  for (EACH(i, SAMPLE)) {
    if (notes[ahead(i)].event != begin) continue;
    samples++;
    RULE(notes[i].state == state, "state %#x", notes[i].state);
    RULE(notes[i].region[0] == notes[ahead(i)].region[0], "another region");
  }
  RULE(samples == 1, "%d samples", samples);
}

static void check(void)
{
  pairs(E(wait_barrier_begin), E(barrier_begin), ompt_state_wait_barrier);
  pairs(E(wait_taskwait_begin), E(taskwait_begin), ompt_state_wait_taskwait);
  pairs(E(wait_taskgroup_begin), E(taskgroup_begin), ompt_state_wait_taskgroup);
}

/* The task of the other thread: it ends when the waiter was looked at in its wait. */
static void other(int event)
{
  raise_flag(&begun);
  while (next_of(waiter_thread, event, 0) < 0) sched_yield();
  /* The wait's begin is the last that came from there. */
  for (int last = NONE; last < 0 || notes[last].event != event;) {
    last = last_of(waiter_thread, event, noted);
    if (behind(last) >= 0) last = NONE;
  }
  sample(waiter);
}

int main(void)
{
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      waiter = pthread_self();
      waiter_thread = thread;
      raise_flag(&released);
    } else {
      await_flag(&released);
      other(E(wait_barrier_begin));
    }
#pragma omp barrier
    begun = 0;
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
#pragma omp task
      other(E(wait_taskwait_begin));
      await_flag(&begun);
#pragma omp taskwait
    }
#pragma omp barrier
    begun = 0;
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
      {
#pragma omp task
        other(E(wait_taskgroup_begin));
        await_flag(&begun);
      }
    }
  }
  return 0;
}
