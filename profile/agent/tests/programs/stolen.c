// Tiny tasks that are made by one thread, then by both; says how many there were, and how many of
// them another thread executed than the one that made them.
#include <omp.h>
#include <stdio.h>

static struct {
    long executed, stolen;
    char rest[112];
} count[2];

static void work(int maker) {
    int number = omp_get_thread_num();
    count[number].executed++;
    count[number].stolen += number != maker;
    for (volatile int step = 0; step < 20; step++) {}
}

int main(void) {
#pragma omp parallel num_threads(2)
    {
        int maker = omp_get_thread_num();
#pragma omp single
        for (int task = 0; task < 300000; task++) {
#pragma omp task firstprivate(maker)
            work(maker);
        }
        for (int task = 0; task < (maker ? 50000 : 150000); task++) {
#pragma omp task firstprivate(maker)
            work(maker);
        }
    }
    printf("executed %ld\n", count[0].executed + count[1].executed);
    printf("stolen %ld\n", count[0].stolen + count[1].stolen);
    return 0;
}
