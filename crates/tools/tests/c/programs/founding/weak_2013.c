/*
 * The initializer (2013, 7.1.1): the runtime defines a weak ompt_initialize that returns 0.
 */
#include "says.h"
#include <ompt-2013.h>

extern int ompt_initialize(void);

int main(void)
{
  int answer = 7;
#pragma omp parallel num_threads(2)
  answer = ompt_initialize();
  says(answer == 0, "no tool: %d", answer);
  says(ompt_set_callback(ompt_event_parallel_create, 0) == 0, "no callback without a tool");
  return 0;
}
