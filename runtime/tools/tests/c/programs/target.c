/* Target constructs, which the host executes. */
int main(void)
{
  int values[8] = {0}, sum = 0;
#pragma omp target enter data map(to : values)
#pragma omp target map(tofrom : values)
  for (int i = 0; i < 8; i++) values[i] = i;
#pragma omp target update from(values)
#pragma omp target exit data map(from : values)
  for (int i = 0; i < 8; i++) sum += values[i];
  return sum != 28;
}
