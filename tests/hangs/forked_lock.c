// A child is forked while another member of the region holds an OpenMP lock, and another one is in
// a critical section: the child wants the lock.
// @kind: holder-gone
// @says: held when this process was forked
// @also: -O0
#include "hang.h"

static omp_lock_t table;
static volatile int held;

int main(void) {
    omp_init_lock(&table);
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num()) {
            omp_set_lock(&table); // <B>
            held = 1;
            sleep(240);
            omp_unset_lock(&table);
        } else {
            while (!held) usleep(1000);
            if (fork() == 0) {
                alarm(240);
                printf("child %d\n", (int)getpid());
                ready();
                omp_set_lock(&table); // <A>
                omp_unset_lock(&table);
                _exit(0);
            }
            sleep(240);
        }
    }
    return 0;
}
