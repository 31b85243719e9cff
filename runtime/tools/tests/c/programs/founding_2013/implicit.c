/* Implicit tasks begin before their work and end behind the closing barrier, in their own
 * environment; one with the word 0 does not end. */
#include "tool.h"

static void check(void)
{
  int made = how_many(E(implicit_task_create));
  RULE(made == 3 * 3, "%d implicit tasks", made);
  RULE(how_many(E(implicit_task_exit)) == made - 1, "%d end", how_many(E(implicit_task_exit)));
  for (EACH(i, E(implicit_task_create))) {
    struct note *it = &notes[i];
    RULE(it->first == it->task[0] && it->word == it->task_word, "not in its environment");
    RULE(it->second == it->region[0], "another region");
    RULE(it->third == 0, "a new word is %lu", (unsigned long)it->third);
    int mark = behind(i);
    RULE(notes[mark].event == MARKS && notes[mark].task[0] == it->first, "no work behind it");
    int barrier = next_of(it->thread, E(barrier_end), mark);
    int end = next_of(it->thread, E(implicit_task_exit), i);
    if (notes[barrier].task[0] == 0) {
      RULE(end == NONE || notes[end].first != it->first, "a word of 0 ends");
      continue;
    }
    RULE(notes[end].first == it->first && notes[end].second == it->second, "another task ends");
    RULE(notes[end].task[0] == it->first, "not in its environment");
    RULE(barrier > 0 && barrier < end, "it ends before its barrier");
    int after = behind(end);
    RULE(after == NONE || notes[after].event == E(idle_begin) ||
             notes[after].event == E(parallel_exit) || notes[after].event == E(thread_exit),
         "event %d behind it", notes[after].event);
  }
}

int main(void)
{
  for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(3)
    {
      MARK(0);
      if (i == 1 && omp_get_thread_num() == 2) ompt_get_task_data(0)->value = 0;
    }
  }
  return 0;
}
