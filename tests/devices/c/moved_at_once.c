// Much is filled and moved by one instruction, which may fault ahead of its registers.
// @says: 5 3 7
// @says: 9 6
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 50001 };

static void move(void *to, const void *from, size_t bytes) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

static void fill(void *to, char with, size_t bytes) {
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(with) : "memory");
}

int main(void) {
  char *from = malloc(SIZE), *copy = malloc(SIZE), *again = malloc(SIZE), *set = malloc(SIZE);
  memset(from, 5, SIZE);
#pragma omp target map(to : from[:SIZE]) map(from : copy[:SIZE], again[:SIZE], set[:SIZE])
  {
    memcpy(copy, from, SIZE);
    move(again, from, SIZE);
    memset(again + 100, 3, SIZE - 100);
    fill(set, 7, SIZE);
  }
  printf("%d %d %d\n", copy[SIZE - 1], again[SIZE - 1], set[SIZE - 1]);
  // The host writes over what a device has newer, and asks for none of it.
#pragma omp target data map(to : copy[:SIZE], again[:SIZE])
  {
#pragma omp target
    for (int i = 0; i < SIZE; i++) copy[i] = again[i] = 1;
    fill(copy, 9, SIZE);
    memset(from, 6, SIZE);
    move(again, from, SIZE);
  }
  printf("%d %d\n", copy[SIZE - 1], again[SIZE - 1]);
  free(from);
  free(copy);
  free(again);
  free(set);
  return 0;
}
