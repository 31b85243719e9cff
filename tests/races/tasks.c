/* Two sibling tasks that nothing orders; they wait for each other, so two threads run them. */
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int x = 0, begun = 0, seen;
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task shared(x, begun) private(seen)
        {
#pragma omp atomic update
            begun++;
            do {
#pragma omp atomic read relaxed
                seen = begun;
            } while (seen < 2 && omp_get_num_threads() > 1);
            x++;
        }
    }
    printf("%d\n", x);
}
