/* Explicit tasks: deferred, undeferred, final, untied, nested, awaited in each way. */
#include <omp.h>
#include <stdlib.h>

static int fib(int n)
{
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b) untied
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static int result, count;

int main(void)
{
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    {
      result = fib(7);
#pragma omp taskgroup
      {
        for (int i = 0; i < 5; i++) {
#pragma omp task
          {
#pragma omp atomic
            count++;
          }
        }
      }
#pragma omp task if (0)
      {
#pragma omp atomic
        count++;
      }
#pragma omp task final(1)
      {
#pragma omp task
        {
#pragma omp atomic
          count++;
        }
      }
#pragma omp taskwait
    }
#pragma omp task
    {
#pragma omp atomic
      count++;
    }
  }
#pragma omp task
  count++;
#pragma omp taskwait
  return result == 13 && count == 5 + 1 + 1 + 2 + 1 ? 0 : 2;
}
