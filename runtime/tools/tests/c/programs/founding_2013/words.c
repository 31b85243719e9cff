/* Without callbacks for creations all words begin with 0; each lives as long as its thread or
 * task, and is nobody else's. */
#define UNWANTED(event) \
  (event == ompt_event_thread_create || event == ompt_event_task_create || \
   event == ompt_event_implicit_task_create)
#include "tool.h"

static uint64_t kept[4];
static pthread_t owner;
static uint64_t sampled, sampled_task;

static void check(void)
{
  RULE(how_many(E(thread_exit)) == 2, "%d threads with a word end", how_many(E(thread_exit)));
  for (EACH(i, E(thread_exit))) RULE(notes[i].first >= 1000, "not the word that was written");
  RULE(how_many(E(task_exit)) == 1, "%d tasks with a word end", how_many(E(task_exit)));
  RULE(notes[next(E(task_exit), 0)].first == 77, "not the word that was written");
  RULE(how_many(E(implicit_task_exit)) == 2, "%d implicit tasks", how_many(E(implicit_task_exit)));
}

static void on_look(int number)
{
  (void)number;
  sampled = word_of(ompt_get_thread_data());
  __atomic_store_n(&sampled_task, word_of(ompt_get_task_data(0)), __ATOMIC_SEQ_CST);
}

int main(void)
{
  omp_get_max_threads();
  RULE(ompt_get_thread_data() && word_of(ompt_get_thread_data()) == 0, "the initial thread's");
  RULE(word_of(ompt_get_task_data(0)) == 0, "the initial task's");
  for (int turn = 0; turn < 2; turn++) {
#pragma omp parallel num_threads(3)
    {
      int me = omp_get_thread_num();
      ompt_data_t *mine = ompt_get_thread_data(), *task = ompt_get_task_data(0);
      RULE(task->value == 0, "an implicit task's word is %lu", (unsigned long)task->value);
      if (turn == 0) {
        RULE(mine->value == 0, "a thread's word is %lu", (unsigned long)mine->value);
        if (me) mine->value = kept[me] = 1000 + me;
      } else {
        RULE(mine->value == kept[me] || mine->value == kept[3 - me], "a thread's word is lost");
        if (me) task->value = 50 + me;
      }
#pragma omp barrier
      RULE(turn == 0 || ompt_get_task_data(0)->value == (me ? 50u + me : 0), "a task's is lost");
      /* Tasks have their own. */
      if (turn == 1 && me == 1) {
        owner = pthread_self();
#pragma omp task if (0)
        {
          ompt_data_t *own = ompt_get_task_data(0);
          RULE(own != task && own->value == 0, "a task's word is %lu", (unsigned long)own->value);
          own->value = 77;
          RULE(ompt_get_task_data(1)->value == 51, "not the parent's word");
          signal(SIGUSR1, on_look);
          pthread_kill(owner, SIGUSR1);
          RULE(sampled == mine->value && sampled_task == 77, "a handler sees others");
        }
        RULE(ompt_get_task_data(0)->value == 51, "the task's word is changed");
      }
    }
  }
  return 0;
}
