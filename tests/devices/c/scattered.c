// One instruction writes and reads several places, where the processor has such instructions.
// @says: 16773120 16773120
#include <stdio.h>
#include <stdlib.h>

enum { N = 4096 };

__attribute__((target("avx512f"), optimize("O3")))
static void scatter(int *to, const int *at, const int *from) {
#pragma omp simd
  for (int i = 0; i < N; i++) to[at[i]] = from[i] * 2;
}

__attribute__((target("avx512f"), optimize("O3")))
static void gather(int *to, const int *at, const int *from) {
#pragma omp simd
  for (int i = 0; i < N; i++) to[i] = from[at[i]];
}

static void one_by_one(int *to, const int *at, const int *from, int *again) {
  for (int i = 0; i < N; i++) to[at[i]] = from[i] * 2;
  for (int i = 0; i < N; i++) again[i] = to[at[i]];
}

int main(void) {
  int *from = malloc(N * 4), *to = malloc(N * 4), *at = malloc(N * 4), *again = malloc(N * 4);
  int has_them = __builtin_cpu_supports("avx512f");
  for (int i = 0; i < N; i++) from[i] = i, at[i] = i * 1237 % N;
#pragma omp target map(to : from[:N], at[:N]) map(from : to[:N], again[:N])
  if (has_them) {
    scatter(to, at, from);
    gather(again, at, to);
  } else {
    one_by_one(to, at, from, again);
  }
  long sums[2] = {0, 0};
  for (int i = 0; i < N; i++) sums[0] += to[i], sums[1] += again[i];
  printf("%ld %ld\n", sums[0], sums[1]);
  free(from);
  free(to);
  free(at);
  free(again);
  return 0;
}
