/* Written from the document of 2013: the runtime has a weak ompt_initialize that returns 0. */
#include <stdio.h>

int ompt_initialize(void);

int main(void)
{
  int said = ompt_initialize();
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members++;
  printf("%d %d\n", said, members);
  return 0;
}
