/* A library that needs the runtime and library.c, in this order. */
int outer_region(void) {
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members++;
  return members;
}
