/* Four threads that stand still for good, each in another way: thread 0 holds a lock and waits at
 * the end of the
   region, thread 1 waits at the barrier of a region inside, thread 2 waits for the lock, and the
   second thread of the region inside sleeps in the user's code. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static omp_lock_t gate;

static void deep(int n, int *shared)
{
    if (n > 0) {
        deep(n - 1, shared);
        return;
    }
    *shared += 1;
    for (;;)
        pause(); /* sleeps */
}

static void outer(int *data)
{
    int here = 5, secret = 77;
#pragma omp parallel num_threads(3) shared(here) /* outer region */
    {
        int me = omp_get_thread_num();
        if (me == 0)
            omp_set_lock(&gate);
#pragma omp barrier
        if (me == 1) {
            int inner = 123;
#pragma omp parallel num_threads(2) shared(inner)
            {
                if (omp_get_thread_num() == 1)
                    deep(3, &inner); /* calls */
#pragma omp barrier /* met by one */
                inner++;
            }
        }
        if (me == 2)
            omp_set_lock(&gate); /* waits for the lock */
        data[me] = here;
    }
    printf("%d\n", secret);
}

int main(void)
{
    int data[3] = {1, 2, 3};
    omp_init_lock(&gate);
    omp_set_max_active_levels(2);
    outer(data); /* from main */
    return data[0];
}
