/* Loops, sections, single and master: the begin comes before the first piece of the work, the end
 * behind the last one and before the barrier. */
#include "tool.h"

/* Every mark of a number lies in a scope of its thread, whose barrier, if any, comes behind it. */
static void around(int begin, int mark, int barrier)
{
  int found = 0;
  for (EACH(i, MARKS + mark)) {
    int from = last_of(notes[i].thread, begin, i), to = next_of(notes[i].thread, begin + 1, i);
    int earlier = last_of(notes[i].thread, begin + 1, i);
    found++;
    RULE(from >= 0 && to > i && earlier < from, "mark %d outside", mark);
    if (from < 0 || to < 0) continue;
    RULE(notes[from].first == notes[i].task[0] && notes[to].first == notes[i].task[0], "task");
    RULE(notes[from].first == notes[from].task[0] && notes[to].first == notes[to].task[0], "env");
    RULE(notes[from].second == notes[i].region[0] && notes[to].second == notes[i].region[0], "id");
    for (int k = from; k < to; k++)
      RULE(notes[k].thread != notes[i].thread || notes[k].event != E(barrier_begin),
           "a barrier inside");
    int after = behind(to);
    RULE(notes[after].event == (barrier ? E(barrier_begin) : MARKS + 50), "event %d behind mark %d",
         notes[after].event, mark);
  }
  RULE(found > 0, "no mark %d", mark);
}

static void check(void)
{
  around(E(loop_begin), 0, 1);
  around(E(loop_begin), 1, 0);
  around(E(section_begin), 2, 1);
  around(E(section_begin), 3, 0);
  RULE(how_many(E(single_in_block_begin)) == 2 && how_many(E(single_in_block_end)) == 2, "one");
  RULE(how_many(E(single_others_begin)) == 4 && how_many(E(single_others_end)) == 4, "others");
  for (EACH(i, E(single_others_begin))) {
    int to = behind(i);
    RULE(notes[to].event == E(single_others_end) && notes[to].first == notes[i].first, "others");
    RULE(notes[i].first == notes[i].task[0] && notes[i].second == notes[i].region[0], "others");
  }
  RULE(how_many(E(loop_begin)) == how_many(E(loop_end)), "loops");
  RULE(how_many(E(section_begin)) == how_many(E(section_end)), "sections");
}

int main(void)
{
#pragma omp parallel num_threads(3)
  {
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 30; i++) MARK(0);
#pragma omp for schedule(guided, 2) nowait
    for (int i = 0; i < 30; i++) MARK(1);
    MARK(50);
#pragma omp barrier
#pragma omp sections
    {
#pragma omp section
      MARK(2);
#pragma omp section
      MARK(2);
    }
#pragma omp sections nowait
    {
#pragma omp section
      MARK(3);
#pragma omp section
      MARK(3);
    }
    MARK(50);
#pragma omp barrier
#pragma omp single
    MARK(4);
#pragma omp single nowait
    MARK(4);
  }
  return 0;
}
