/* What gcc makes without a call: the end of a single, master, static loops, flush. Compilers that
 * call are told in full; the answer to ompt_set_callback says which it is. */
#include "tool.h"

static int calls;

static void exact(int begin, int mark)
{
  for (EACH(i, MARKS + mark)) {
    int from = ahead(i), to = behind(i);
    RULE(notes[from].event == begin && notes[to].event == begin + 1, "mark %d: %d, %d", mark,
         notes[from].event, notes[to].event);
    RULE(notes[from].first == notes[i].task[0] && notes[to].first == notes[i].task[0], "task");
    RULE(notes[from].first == notes[from].task[0] && notes[to].first == notes[to].task[0], "env");
    RULE(notes[from].second == notes[i].region[0] && notes[to].second == notes[i].region[0], "id");
  }
}

static void check(void)
{
  static const int partly[] = {E(master_begin), E(master_end), E(loop_begin), E(loop_end)};
#ifdef __clang__
  calls = 1;
#endif
  RULE(answers[E(flush)] == 2, "flush: %d", answers[E(flush)]);
  for (int i = 0; i < 4; i++) RULE(answers[partly[i]] == 2, "%d answered", answers[partly[i]]);
  if (calls) {
    exact(E(single_in_block_begin), 0);
    exact(E(master_begin), 1);
    exact(E(loop_begin), 2);
    int flush = next(E(flush), 0);
    RULE(how_many(E(flush)) == 1 && notes[flush].first == notes[flush].self, "flush");
    RULE(notes[ahead(flush)].event == MARKS + 3, "event %d", notes[ahead(flush)].event);
    RULE(notes[behind(flush)].event == MARKS + 4, "event %d", notes[behind(flush)].event);
  } else {
    RULE(how_many(E(master_begin)) == 0 && how_many(E(flush)) == 0, "gcc calls for it");
  }
  for (EACH(i, MARKS + 1)) RULE(notes[i].self == notes[next(MARKS + 3, 0)].self, "the primary");
}

int main(void)
{
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    MARK(0);
#pragma omp master
    MARK(1);
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 2; i++) MARK(2);
#pragma omp master
    {
      MARK(3);
#pragma omp flush
      MARK(4);
    }
  }
  return 0;
}
