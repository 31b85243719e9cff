/* A taskloop whose first task waits for what never comes: the others are not begun. */
#include <omp.h>
#include <unistd.h>

static volatile int begun, released;

int main(void)
{
    alarm(240);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskloop grainsize(1) /* makes */
        for (int i = 0; i < 1000; i++) {
            begun = 1;
            while (!released) {
                usleep(1000); /* waits */
            }
        }
    }
    return 0;
}
