// Locks in arrays and structures in a circle: each has the name of its element.
// @kind: lock-cycle
// @says: the lock 'seats[1].fork', which thread 1 holds
// @also: -O0
// @debuggers
#include "hang.h"

struct seat {
    int number;
    omp_lock_t fork;
};

static struct seat seats[4];
static omp_lock_t rows[3][2];

static void __attribute__((noinline)) eat(int me) {
    omp_set_lock(&seats[me].fork);
    #pragma omp barrier
    omp_set_lock(&seats[1 - me].fork); // <A>
    puts("eats");
}

int main(void) {
    for (int i = 0; i < 4; i++) omp_init_lock(&seats[i].fork);
    for (int i = 0; i < 6; i++) omp_init_lock(&rows[i / 2][i % 2]);
    omp_set_lock(&rows[2][1]); // <never>
    ready();
    #pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        if (me == 2) {
            omp_set_lock(&rows[1][0]); // <never>
            #pragma omp barrier
        } else {
            eat(me);
        }
    }
    return 0;
}
