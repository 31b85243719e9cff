// With the host's memory in use, what begins right behind something that is associated is not it.
// @says: 3 5
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp requires unified_shared_memory

int main(void) {
  enum { COUNT = 64 };
  int *block = calloc(2 * COUNT, sizeof *block), *first = block, *second = block + COUNT;
  int device = omp_get_default_device();
  size_t bytes = COUNT * sizeof *block;
  int *there = omp_target_alloc(bytes, device);
  if (omp_get_num_devices()) omp_target_associate_ptr(first, there, bytes, 0, device);
  second[0] = 3;
#pragma omp target map(tofrom : second[0 : COUNT])
  second[COUNT - 1] = second[0] + 2;
  printf("%d %d\n", second[0], second[COUNT - 1]);
  if (omp_get_num_devices()) omp_target_disassociate_ptr(first, device);
  omp_target_free(there, device);
  free(block);
  return 0;
}
