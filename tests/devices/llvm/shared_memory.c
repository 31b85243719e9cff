// A program that requires devices to use the host's memory maps nothing, and gives any address.
// What is on a device all the same, as `close` or associated, counts and is copied as ever.
// @says: 45 36 7
// @says: 3 18 5
// @says: 11 99
// @says: 20 21
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp requires unified_shared_memory

static int numbers[10];
#pragma omp begin declare target
struct pair { int first, second; } pair;
#pragma omp end declare target

int main(void) {
  int *block = malloc(10 * sizeof *block), local[9], first = 0, second = 0;
  int *there = omp_target_alloc(sizeof *there, omp_get_default_device());
  for (int i = 0; i < 10; i++) numbers[i] = block[i] = i;
  for (int i = 0; i < 9; i++) local[i] = i;
#pragma omp target is_device_ptr(block) map(from : first)
  for (int i = first = 0; i < 10; i++) first += block[i];
  int *other = local;
#pragma omp target map(from : second)
  for (int i = second = 0; i < 9; i++) second += other[i] + numbers[i] - i;
  *there = 6;
#pragma omp target is_device_ptr(there)
  *there += 1;
  printf("%d %d %d\n", first, second, *there);
  int before = 0;
  pair.first = 3, pair.second = 9;
#pragma omp target map(tofrom : before) map(to : pair)
  before = pair.first, pair.first = 5, pair.second *= 2;
  printf("%d %d %d\n", before, pair.second, pair.first);
  int device = omp_get_default_device(), x = 10;
  omp_target_associate_ptr(&x, there, sizeof x, 0, device);
#pragma omp target map(always, tofrom : x)
  x += 1;
  omp_target_disassociate_ptr(&x, device);
#pragma omp target enter data map(close, to : block[0 : 10])
#pragma omp target
  block[0] = 99;
#pragma omp target exit data map(from : block[0 : 10])
  printf("%d %d\n", x, block[0]);
  // Data constructs of what is shared do nothing, and are right.
  int in_data = 20, updated = 20;
#pragma omp target data map(tofrom : in_data)
#pragma omp target map(updated)
  updated += 1;
#pragma omp target enter data map(to : updated)
#pragma omp target update to(updated) from(in_data)
#pragma omp target exit data map(from : updated)
  printf("%d %d\n", in_data, updated);
  omp_target_free(there, device);
  free(block);
  return 0;
}
