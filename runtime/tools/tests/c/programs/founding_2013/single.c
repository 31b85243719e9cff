/* A single's block lies between its begin and its end, with gcc too, and its barrier behind it. */
#include "tool.h"

static void check(void)
{
  for (EACH(i, MARKS)) {
    int from = ahead(i), to = behind(i);
    RULE(notes[from].event == E(single_in_block_begin), "event %d before", notes[from].event);
    RULE(notes[to].event == E(single_in_block_end), "event %d behind", notes[to].event);
    RULE(notes[from].first == notes[i].task[0] && notes[to].first == notes[i].task[0], "task");
    RULE(notes[behind(to)].event == E(barrier_begin), "event %d behind", notes[behind(to)].event);
  }
}

int main(void)
{
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    MARK(0);
#pragma omp single
    MARK(0);
  }
  return 0;
}
