/* Regions and tasks whose clause is false: clang's code calls their functions by itself. */
int main(void) {
  volatile int sum = 0;
#pragma omp parallel if (sum)
  sum++;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task if (sum == 7)
    sum++;
#pragma omp task untied if (sum == 7)
    {
      sum++;
#pragma omp taskyield
      sum++;
    }
  }
  return sum != 4;
}
