// Devices have threads of their own: no worker of a region on one of them executes anything of the
// host's, whatever nests there, nor of another device's. And a device keeps its threads for its
// next region.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, MOST = 64, PLACES = 4, ROUNDS = 3 };

// Workers, in the order in which they come.
struct workers {
    int count;
    pthread_t who[MOST];
};

static void note(struct workers *here) {
    if (omp_get_thread_num() == 0) return;
#pragma omp critical
    if (here->count < MOST) here->who[here->count++] = pthread_self();
}

static void teams(struct workers *here) {
#pragma omp parallel num_threads(THREADS)
    {
        note(here);
#pragma omp parallel num_threads(2)
        note(here);
    }
}

static int has(const struct workers *here, int first, int end, pthread_t thread) {
    for (int i = first; i < end; i++)
        if (pthread_equal(here->who[i], thread)) return 1;
    return 0;
}

int main(void) {
    static struct workers all[PLACES];
    int devices = omp_get_num_devices(), right = 1;
    if (devices > PLACES - 1) devices = PLACES - 1;
    omp_set_max_active_levels(4);
    for (int round = 0; round < ROUNDS; round++) {
        teams(all);
        // One level deeper: regions begin there as on a device.
#pragma omp parallel num_threads(1)
        teams(all);
        for (int device = 0; device < devices; device++) {
            struct workers *here = &all[device + 1];
            int before = here->count;
#pragma omp target device(device) map(tofrom : here[0:1])
            {
                omp_set_max_active_levels(4);
                teams(here);
            }
            for (int i = before; i < here->count && round > 0; i++)
                right &= has(here, 0, before, here->who[i]);
        }
    }
    for (int one = 0; one <= devices; one++)
        for (int other = 0; other < one; other++)
            for (int i = 0; i < all[one].count; i++)
                right &= !has(&all[other], 0, all[other].count, all[one].who[i]);
    for (int device = 0; device < devices; device++) right &= all[device + 1].count > 0;
    printf("%s\n", right ? "apart" : "mixed");
    return !right;
}
