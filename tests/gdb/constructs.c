/* Each construct once, for breakpoints and steps. */
#include <omp.h>
#include <stdio.h>

static int sum;

int main(void)
{
    int x = 41;
    double half = 0.5;
    printf("started\n"); /* starts */
#pragma omp parallel num_threads(3) shared(x) firstprivate(half) /* region */
    {
        int me = omp_get_thread_num();
#pragma omp critical(update) /* critical */
        {
            x += me; /* in critical */
            sum += (int)half;
        }
#pragma omp barrier /* barrier */
#pragma omp single /* single */
        {
            sum++; /* in single */
#pragma omp task shared(x) /* task */
            { /* task begins */
                x++; /* in task */
                printf("task %d\n", x);
            }
#pragma omp taskwait /* taskwait */
            sum++;
        }
#pragma omp master /* master */
        sum++; /* in master */
#pragma omp sections /* sections */
        { /* begin of sections */
#pragma omp section
            printf("one\n"); /* first section */
#pragma omp section
            printf("two\n"); /* second section */
        }                    /* end of sections */
#pragma omp for ordered schedule(dynamic) /* loop */
        for (int i = 0; i < 6; i++) { /* turns */
#pragma omp ordered /* ordered */
            sum += i; /* in ordered */
        }
#pragma omp atomic /* atomic */
        sum += me; /* in atomic */
    }
    printf("sum %d x %d team of one %d\n", sum, x, x == 42); /* behind */
    return 0;
}
