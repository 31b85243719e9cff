// One member of a team of three does not come to the barrier at which the others wait.
#include <omp.h>
#include <unistd.h>

volatile int after;

int main(void) {
    alarm(240);
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() != 1) {
            #pragma omp barrier /* waits */
            after = 1;
        }
    }
    return 0;
}
