#include <omp.h>
static volatile double sink;
static void work(double seconds) {
    double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end) sink += 1.0;
}
int main(void) {
    #pragma omp parallel num_threads(2)
    {
        work(0.03 + 0.03 * omp_get_thread_num());
        #pragma omp barrier
        #pragma omp for schedule(dynamic)
        for (int i = 0; i < 8; i++) work(0.004);
        #pragma omp single
        for (int i = 0; i < 4; i++) {
            #pragma omp task
            work(0.005);
        }
        #pragma omp critical(gate)
        work(0.005);
    }
}
