// What a data region has mapped through a pointer is deleted in it, and may come back there.
// @says: 7
// @says: 3
#include <stdio.h>
#include <stdlib.h>

static int *there, *copied;

int main(void) {
  int n = 4;
  there = malloc(n * sizeof *there), copied = malloc(n * sizeof *copied);
  for (int i = 0; i < n; i++) there[i] = copied[i] = i;
#pragma omp target data map(tofrom : there[:n]) map(from : copied[:n])
  {
#pragma omp target exit data map(delete : there[:n])
    for (int i = 0; i < n; i++) there[i] = 7;
#pragma omp target map(to : there[:n])
    for (int i = 0; i < n; i++) copied[i] = there[i];
  }
  printf("%d\n", copied[3]);
  for (int i = 0; i < n; i++) there[i] = i;
#pragma omp target data map(tofrom : there[:n])
  {
#pragma omp target exit data map(delete : there[:n])
  }
  printf("%d\n", there[3]);
  free(there);
  free(copied);
  return 0;
}
