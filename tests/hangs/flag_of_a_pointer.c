// Nobody sets the flag, which the code reaches by a pointer: its writers are known by its name.
// @kind: spins
// @says: The code writes such variables at
#include "hang.h"

struct job {
    int done;
    int value;
};

static int __attribute__((noinline)) run(struct job *job) {
    if (job->value < 0) return -1;
    job->value *= 2;
    __atomic_store_n(&job->done, 1, __ATOMIC_RELEASE); // <B>
    return 0;
}

static int __attribute__((noinline)) result(struct job *job) {
    while (!__atomic_load_n(&job->done, __ATOMIC_ACQUIRE)) // <A>
        usleep(1000); // <A>
    return job->value;
}

int main(void) {
    struct job all[3] = {{0, 1}, {0, -2}, {0, 3}};
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        int member = omp_get_thread_num();
        sum += run(&all[member]);
        sum += result(&all[(member + 1) % 3]);
    }
    return sum;
}
