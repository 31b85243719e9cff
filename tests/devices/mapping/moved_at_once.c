/* One instruction moves what is stale on the host, and in a region what nobody wrote there.
 * @finds: stale-on-host newer
 * @finds: never-written-on-device alone
 */
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 50001 };

static void move(void *to, const void *from, size_t bytes) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory"); /* @here */
}

int main(void) {
  char *newer = calloc(SIZE, 1), *to = calloc(SIZE, 1), *alone = calloc(SIZE, 1);
#pragma omp target map(to : newer[:SIZE])
  for (int i = 0; i < SIZE; i++) newer[i] = 1;
  move(to, newer, SIZE);
#pragma omp target map(from : to[:SIZE]) map(alloc : alone[:SIZE])
  move(to, alone, SIZE);
  printf("%d\n", to[0]);
  free(newer);
  free(to);
  free(alone);
}
