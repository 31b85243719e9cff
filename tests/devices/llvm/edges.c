// Routines of devices with null pointers and no bytes, where LLVM's runtime has answers of its own.
// @says: present 0 1, block 0, refused 5, set 1
#include <omp.h>
#include <stdio.h>

extern void *omp_target_memset(void *, int, size_t, int) __attribute__((weak));

static int a[4];

int main(void) {
  int host = omp_get_initial_device(), device = 0, present = 0, refused = 0, block = 0, set = 1;
  size_t one = 1, none = 0, four = 4;
  present += omp_target_is_present(NULL, host) + omp_target_is_present(NULL, device);
  block += omp_target_alloc(0, host) != NULL;
  block += omp_target_alloc(0, device) != NULL;
  refused += omp_target_memcpy(NULL, a, 4, 0, 0, device, host) != 0;
  refused += omp_target_memcpy(a, NULL, 4, 0, 0, host, device) != 0;
  refused += omp_target_memcpy_rect(NULL, a, 4, 1, &one, &none, &none, &four, &four, device,
                                    host) != 0;
  refused += omp_target_memcpy_rect(a, NULL, 4, 1, &one, &none, &none, &four, &four, host,
                                    device) != 0;
  refused += omp_target_memcpy_rect(a, a, 4, 1, NULL, &none, &none, &four, &four, host, host) != 0;
  if (omp_target_memset) set = omp_target_memset(NULL, 1, 4, device) == NULL;
  printf("present %d %d, block %d, refused %d, set %d\n", present,
         omp_target_is_present(a, host), block, refused, set);
  return 0;
}
