/* ompt_control: what the program says reaches the tool, where it says it; from Fortran too. */
#include "tool.h"

void ompt_control_(uint64_t *command, uint64_t *modifier);

static void check(void)
{
  RULE(how_many(E(control)) == 3, "%d calls", how_many(E(control)));
  int one = next(E(control), 0), two = next(E(control), one + 1), three = next(E(control), two + 1);
  RULE(notes[one].first == 1 && notes[one].second == 1ull << 63, "other words");
  RULE(notes[two].first == ~0ull && notes[two].second == 0, "other words");
  RULE(notes[three].first == 3 && notes[three].second == 4, "other words");
  RULE(notes[one].region[0] == 0 && notes[one].task[0] == notes[ahead(one)].task[0], "elsewhere");
  for (int i = 0; i < 2; i++, one = two) {
    int mark = ahead(one);
    RULE(notes[mark].event == MARKS && notes[mark].task[0] == notes[one].task[0] &&
             notes[mark].region[0] == notes[one].region[0] && notes[mark].self == notes[one].self,
         "not in the caller's environment");
  }
}

int main(void)
{
  uint64_t command = 3, modifier = 4;
  omp_get_max_threads();
  MARK(0);
  ompt_control(1, 1ull << 63);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) {
      MARK(0);
      ompt_control(~0ull, 0);
    }
  }
  ompt_control_(&command, &modifier);
  return 0;
}
