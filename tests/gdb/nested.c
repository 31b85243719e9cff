/* A function that calls itself in a region: each of its regions is encountered by one call. */
#include <omp.h>
#include <unistd.h>

static void dig(int deeper)
{
#pragma omp parallel num_threads(2)
    {
        if (deeper && omp_get_thread_num() == 0)
            dig(deeper - 1); /* encounters */
        for (;;)
            pause(); /* sleeps */
    }
}

int main(void)
{
    omp_set_max_active_levels(3);
    alarm(240);
    dig(2);
    return 0;
}
