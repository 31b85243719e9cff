// A program that brings code for devices by hand, as GCC's compilers with one for devices do: the
// host's list of functions and variables, and an image with the device's own of each.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

enum { VERSION = 1 << 16 | 1, TYPE = 5, TO = 1, FROM = 2, TOFROM = 3 };

extern void GOMP_offload_register_ver(unsigned, const void *, int, const void *);
extern void GOMP_offload_unregister_ver(unsigned, const void *, int, const void *);
extern void GOMP_target_ext(int, void (*)(void *), size_t, void **, size_t *, unsigned short *,
                            unsigned, void **, void **);
extern void GOMP_target_update_ext(int, size_t, void **, size_t *, unsigned short *, unsigned,
                                   void **);

int counter = 100;
static int counter_there = 100;

// Of the host: nobody executes it while a device has the other one.
static void region(void *data) { (*((int **)data)[0])++; }
static void region_there(void *data) {
  (*((int **)data)[0]) += 1000 + counter_there;
}

struct pair { uintptr_t start, end; };
static struct pair there[] = {{(uintptr_t)region_there, (uintptr_t)region_there + 1},
                              {(uintptr_t)&counter_there, (uintptr_t)(&counter_there + 1)}};
static struct { unsigned functions, variables; struct pair *all; } image = {1, 1, there};
static void *functions[] = {(void *)region};
static void *variables[] = {&counter, (void *)sizeof counter};
static void *table[] = {functions, functions + 1, variables, variables + 2};

static int run(int device) {
  int value = 1;
  void *addresses[] = {&value};
  size_t sizes[] = {sizeof value};
  unsigned short kinds[] = {2 << 8 | TOFROM};
  void *words[] = {0};
  GOMP_target_ext(device, region, 1, addresses, sizes, kinds, 0, NULL, words);
  return value;
}

int main(void) {
  printf("devices %d\n", omp_get_num_devices());
  printf("no code: %d\n", run(0));
  GOMP_offload_register_ver(VERSION, table, TYPE, &image);
  printf("region: %d\n", run(0));
  printf("variable: %d\n", omp_target_is_present(&counter, 0));
  // The device's variable is another one.
  counter = 7;
  void *addresses[] = {&counter};
  size_t sizes[] = {sizeof counter};
  unsigned short from[] = {2 << 8 | FROM};
  GOMP_target_update_ext(0, 1, addresses, sizes, from, 0, NULL);
  printf("counter: %d\n", counter);
  GOMP_offload_unregister_ver(VERSION, table, TYPE, &image);
  printf("gone: %d\n", run(0));
  GOMP_offload_register_ver(VERSION, table, TYPE, &image);
  printf("again: %d\n", run(0));

  int host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {0};
  int *block = omp_target_alloc(sizeof host, 0);
  int self = omp_get_initial_device();
  omp_target_memcpy(block, host, sizeof host, 0, 0, 0, self);
  omp_target_memcpy(block, block, 4 * sizeof *host, 0, 4 * sizeof *host, 0, 0);
  omp_target_memcpy(back, block, sizeof back, 0, 0, self, 0);
  printf("copied:");
  for (int i = 0; i < 8; i++) printf(" %d", back[i]);
  size_t volume[] = {2, 2}, offsets[] = {0, 1}, dimensions[] = {2, 4};
  omp_target_memcpy_rect(block, back, sizeof *host, 2, volume, offsets, offsets, dimensions,
                         dimensions, 0, self);
  omp_target_free(block, 0);
  printf("\n");
  return 0;
}
