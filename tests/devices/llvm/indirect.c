// Functions that are called by pointers of the host's.
// @says: one 18, table 7 12, none 1
// @says: chosen 25
#include <omp.h>
#include <stdio.h>

#pragma omp begin declare target indirect
int twice(int x) { return 2 * x; }
int square(int x) { return x * x; }
#pragma omp end declare target

int plus(int x) { return x + 5; }
#pragma omp declare target indirect to(plus)

typedef int (*function)(int);
typedef struct { function all[2]; int given; } table;

int main(void) {
  function one = twice, none = 0;
  table both = {{plus, twice}, 0};
  int result = 0, first = 0, second = 0, is_none = 0;
#pragma omp target map(from : result)
  result = one(9);
  function begin = both.all[0], end = both.all[1];
#pragma omp target map(from : first, second, is_none)
  {
    first = begin(2);
    second = end(6);
    is_none = none == 0;
  }
  printf("one %d, table %d %d, none %d\n", result, first, second, is_none);
  int sum = 0;
  function chosen = omp_get_num_devices() < 100 ? square : plus;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 1; i++) sum += chosen(5);
  printf("chosen %d\n", sum);
  return 0;
}
