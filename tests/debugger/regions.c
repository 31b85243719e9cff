/* Regions in regions, tasks and an implicit barrier: what LLVM's extension of gdb shows at a
 * breakpoint in leaf(). */
#include <omp.h>
#include <stdio.h>

static int sum;
void leaf(int n) {
#pragma omp atomic
  sum += n;
}
void task_body(void) { leaf(100); }
void inner(void) {
#pragma omp parallel num_threads(3)
  {
    leaf(omp_get_thread_num());
#pragma omp barrier
#pragma omp single
    {
#pragma omp task if (0)
      task_body();
    }
  }
}
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    inner();
  }
  printf("%d\n", sum);
  return 0;
}
