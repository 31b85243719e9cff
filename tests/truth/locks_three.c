// Three locks: the second is the hot one, the third is never contended.
#include "truth.h"

static omp_lock_t cool, hot, own[2];

int main(void)
{
    double begin = now(), held_hot = 0, held_cool = 0, work = 0, wait = 0, wait_hot = 0;
    omp_init_lock(&cool), omp_init_lock(&hot);
    omp_init_lock(&own[0]), omp_init_lock(&own[1]);
    #pragma omp parallel num_threads(2) reduction(+ : work, wait, wait_hot, held_hot, held_cool)
    for (int i = 0; i < 40; i++) {
        work += burn(0.003);
        double asked = now();
        omp_set_lock(&hot); // mark: hot, disease: hot-mutex
        wait_hot += now() - asked;
        held_hot += burn(0.008);
        omp_unset_lock(&hot);
        asked = now();
        omp_set_lock(&cool); // mark: cool
        wait += now() - asked;
        held_cool += burn(0.001);
        omp_unset_lock(&cool);
        int me = omp_get_thread_num();
        omp_set_lock(&own[me]);
        work += burn(0.001);
        omp_unset_lock(&own[me]);
    }
    truth("work", work + held_hot + held_cool);
    truth("lock_wait@hot", wait_hot);
    truth("held@hot", held_hot);
    truth("acquisitions@hot", 80);
    truth("held@cool", held_cool);
    truth("mutex_wait", wait + wait_hot);
    truth("elapsed", now() - begin);
}
