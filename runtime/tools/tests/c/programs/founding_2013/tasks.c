/* Explicit tasks: created in the parent's environment before they run, ended behind themselves, a
 * switch wherever a thread goes from one task to another. */
#include "tool.h"

static void check(void)
{
  int created = how_many(E(task_create)), ended = how_many(E(task_exit));
  RULE(created == 21 && ended == created - 1, "%d tasks, %d end", created, ended);
  for (EACH(i, E(task_create))) {
    struct note *it = &notes[i];
    RULE(it->first == it->task[0], "not in the parent's environment");
    RULE(it->has_frame && it->frame.reenter_runtime_frame, "no frame of the parent");
    RULE(it->third == 0, "a new word is %lu", (unsigned long)it->third);
    /* The task's marks: 1 when it begins, 2 when it ends. */
    int begin = NONE, end = NONE;
    for (int j = 0; j < noted; j++) {
      if (notes[j].task[0] != it->second) continue;
      if (notes[j].event == MARKS + 1) begin = j;
      if (notes[j].event == MARKS + 2 || notes[j].event == MARKS + 3) end = j;
    }
    RULE(begin > i && end > begin, "it runs before its create");
    RULE(notes[begin].task[1] == it->first, "another parent");
    RULE(notes[begin].task_frame != NULL, "no frame");
    int exits = 0;
    for (EACH(j, E(task_exit))) {
      if (notes[j].first != it->second) continue;
      exits++;
      RULE(notes[j].task[0] == it->first, "not in the environment of an ancestor");
      RULE(j > end && notes[j].thread == notes[end].thread, "it ends before its end");
      for (int k = end + 1; k < j; k++)
        RULE(notes[k].thread != notes[j].thread || notes[k].event < MARKS,
             "the thread goes on before the end");
    }
    RULE(exits == (notes[end].event == MARKS + 2), "%d ends", exits);
    /* The switch to it is the last before its begin. */
    int to = last_of(notes[begin].thread, E(task_switch), begin);
    RULE(to > i && notes[to].second == it->second, "no switch to it");
    RULE(notes[to].task[0] == it->second, "not in the resumed task's environment");
    int from = next_of(notes[end].thread, E(task_switch), end);
    RULE(from > end && notes[from].word == NULL, "an ended task that is suspended");
    RULE(notes[from].task[0] == notes[from].second, "not in the resumed task's environment");
  }
  /* A task that waits is suspended, and not ended. */
  int suspended = 0;
  for (EACH(i, E(task_switch))) suspended += notes[i].word != NULL && notes[i].first != 0;
  RULE(suspended > 0, "no task is suspended");
}

static void leaf(int keeps)
{
#pragma omp task firstprivate(keeps)
  {
    MARK(1);
    if (keeps)
      MARK(2);
    else {
      MARK(3);
      ompt_get_task_data(0)->value = 0;
    }
  }
}

int main(void)
{
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    {
      for (int i = 0; i < 10; i++) leaf(1);
      leaf(0);
#pragma omp task if (0)
      {
        MARK(1);
        for (int i = 0; i < 8; i++) leaf(1);
#pragma omp taskwait
        MARK(2);
      }
#pragma omp task
      {
        MARK(1);
        MARK(2);
      }
    }
  }
  return 0;
}
