// Says which devices there are, and where code runs.
#include <omp.h>
#include <stdio.h>

int main(void) {
    int number = -1, host = 0, threads = 0, tasks = 0, fallback = -1;
#pragma omp target map(from : number, host) map(tofrom : threads, tasks)
    {
        number = omp_get_device_num();
        host = omp_is_initial_device();
        threads = tasks = 1;
#pragma omp parallel num_threads(3) reduction(& : threads)
        {
            threads &= omp_is_initial_device();
#pragma omp single
#pragma omp task shared(tasks)
            tasks = omp_is_initial_device();
        }
    }
#pragma omp target if (0) map(from : fallback)
    fallback = omp_get_device_num();
    printf("devices %d, region on %d, host %d, threads %d, tasks %d, if %d\n",
           omp_get_num_devices(), number, host, threads, tasks, fallback);
    return 0;
}
