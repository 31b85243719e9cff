/* Barriers, taskwaits and taskgroups: begun before all of it, ended behind all of it, each in its
 * task's environment. */
#include "tool.h"

static void around(int begin, int before, int after, int count)
{
  int found = 0;
  for (EACH(i, begin)) {
    struct note *it = &notes[i];
    int first = ahead(i);
    if (notes[first].event != MARKS + before) continue;
    found++;
    int end = next_of(it->thread, begin + 1, i);
    while (end >= 0 && notes[end].first != it->first) end = next_of(it->thread, begin + 1, end + 1);
    RULE(end > i && notes[behind(end)].event == MARKS + after, "it ends elsewhere");
    RULE(it->first == it->task[0] && it->second == it->region[0], "not in the task");
    RULE(notes[end].first == notes[end].task[0] && notes[end].second == it->second, "at its end");
  }
  RULE(found == count, "%d of %d", found, count);
}

static void check(void)
{
  around(E(barrier_begin), 0, 1, 2);
  around(E(taskwait_begin), 2, 3, 1);
  around(E(taskgroup_begin), 4, 5, 1);
  /* The construct holds all that it waits for. */
  for (EACH(i, MARKS + 10)) {
    RULE(i < next(E(taskwait_end), 0), "a child behind the taskwait");
  }
  for (EACH(i, MARKS + 11)) {
    int from = next(E(taskgroup_begin), 0), to = next(E(taskgroup_end), 0);
    RULE(i > from && i < to, "a task of the group outside");
  }
  for (EACH(i, MARKS + 1)) {
    int last = last_of(0, MARKS, noted);
    RULE(i > last, "a thread is past the barrier before all are there");
  }
}

int main(void)
{
#pragma omp parallel num_threads(2)
  {
    MARK(0);
#pragma omp barrier
    MARK(1);
#pragma omp master
    {
#pragma omp task
      MARK(10);
      MARK(2);
#pragma omp taskwait
      MARK(3);
      MARK(4);
#pragma omp taskgroup
      {
#pragma omp task
        MARK(11);
      }
      MARK(5);
    }
  }
  return 0;
}
