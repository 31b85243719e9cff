/* Talks to tools as programs of 2013 and 2016 did, before anything else of OpenMP. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

int main(void)
{
  void (*control)(uint64_t, uint64_t) =
      (void (*)(uint64_t, uint64_t))dlsym(RTLD_DEFAULT, "ompt_control");
  void (*fortran)(uint64_t *, uint64_t *) =
      (void (*)(uint64_t *, uint64_t *))dlsym(RTLD_DEFAULT, "ompt_control_");
  int sum = 0;
  if (!control || !fortran) return 2;
  control(1, 7);
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum++;
  uint64_t command = 64, modifier = 8;
  fortran(&command, &modifier);
  return sum != 2;
}
