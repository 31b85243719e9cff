/* One thread makes tasks until one of them has run: how many, without dependences (argument 0) or
   each after the one before (1). The other thread executes none before that. */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 300000 };

static int done;

static int is_done(void) { return __atomic_load_n(&done, __ATOMIC_ACQUIRE); }

int main(int count, char **arguments)
{
    int dependent = count > 1 && atoi(arguments[1]), made = 0, x = 0;
#pragma omp parallel num_threads(2)
    {
        while (omp_get_thread_num() == 1 && !is_done())
            ;
#pragma omp master
        {
            for (; made < MOST && !is_done(); made++) {
                if (dependent) {
#pragma omp task depend(out : x)
                    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
                } else {
#pragma omp task
                    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
                }
            }
            __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
        }
    }
    printf("%d\n", made);
    return x;
}
