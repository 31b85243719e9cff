// One lock before, one for each of eight parts after.
// says: Faster by
// says: in fill
// says: less for lock
// has: "kind":"mutex-wait"
// verdict: faster
#include "pair.h"

#define LOCKS PICK(1, 8)

static omp_lock_t locks[8];

APART void fill(void)
{
    #pragma omp parallel num_threads(2)
    for (int i = 0; i < 400; i++) {
        int part = (i + 4 * omp_get_thread_num()) % LOCKS;
        omp_set_lock(&locks[part]);
        WORK(300000);
        omp_unset_lock(&locks[part]);
    }
}

int main(void)
{
    for (int i = 0; i < 8; i++)
        omp_init_lock(&locks[i]);
    begins();
    fill();
    return ends();
}
