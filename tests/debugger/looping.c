/* One region after the other, for good. */
#include <stdio.h>
#include <sys/prctl.h>

int main(void) {
  int sum = 0;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  for (long turn = 0;; turn++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum++;
    if (turn == 10) {
      puts("ready");
      fflush(stdout);
    }
  }
}
