/* Regions: created before their tasks and ended behind them, in the parent's environment; their
 * ids are unique. */
#include "tool.h"

static uint64_t outer;

static void check(void)
{
  int created = how_many(E(parallel_create)), ended = how_many(E(parallel_exit));
  RULE(created == 1 + 2 + 500 && ended == created, "%d regions, %d end", created, ended);
  for (EACH(i, E(parallel_create))) {
    struct note *it = &notes[i];
    RULE(it->second && next(E(parallel_create), i + 1) != i, "no id");
    for (int j = next(E(parallel_create), i + 1); j >= 0; j = next(E(parallel_create), j + 1))
      RULE(notes[j].second != it->second, "an id comes twice");
    RULE(it->first == it->task[0], "not in the parent task");
    RULE(it->has_frame && it->frame.reenter_runtime_frame, "no frame of the parent");
    RULE(it->region[0] != it->second, "the region is current in its create");
    int end = next_of(it->thread, E(parallel_exit), i);
    while (end >= 0 && notes[end].second != it->second)
      end = next_of(it->thread, E(parallel_exit), end + 1);
    RULE(end != NONE, "no end on the thread of the create");
    if (end == NONE) continue;
    RULE(notes[end].first == it->first && notes[end].task[0] == it->first, "not in the parent");
    RULE(notes[end].has_frame, "no frame at the end");
    /* All that is in the region lies in between. */
    int members = 0;
    for (EACH(j, E(implicit_task_create))) {
      if (notes[j].second != it->second) continue;
      members++;
      RULE(j > i && j < end, "an implicit task begins outside");
      RULE(notes[j].region[0] == it->second, "not in the region");
      int own = next_of(notes[j].thread, E(implicit_task_exit), j);
      while (own >= 0 && notes[own].first != notes[j].first)
        own = next_of(notes[j].thread, E(implicit_task_exit), own + 1);
      RULE(own > j && own < end, "an implicit task ends outside");
    }
    RULE(members == 2, "%d implicit tasks", members);
  }
  for (int i = 0; i < noted; i++) {
    if (notes[i].event != MARKS && notes[i].event != MARKS + 1) continue;
    RULE(notes[i].region[0] != 0 && notes[i].region[1] == (notes[i].event == MARKS ? 0 : outer),
         "the regions around");
  }
  int after = next(MARKS + 2, 0);
  RULE(notes[ahead(after)].event == E(parallel_exit), "the parent goes on before the end");
  RULE(notes[after].region[0] == 0, "a region outside");
}

int main(void)
{
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    MARK(0);
#pragma omp single
    outer = ompt_get_parallel_id(0);
#pragma omp parallel num_threads(2)
    MARK(1);
  }
  MARK(2);
  for (int i = 0; i < 500; i++) {
#pragma omp parallel num_threads(2)
    MARK(0);
  }
  return 0;
}
