// A child is forked while another member of the region is in a critical section that the child
// wants.
// @kind: holder-gone
// @says: held when this process was forked
// @also: -O0
#include "hang.h"

static volatile int held;

int main(void) {
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num()) {
            #pragma omp critical(table) // <B>
            {
                held = 1;
                sleep(240);
            }
        } else {
            while (!held) usleep(1000);
            if (fork() == 0) {
                alarm(240);
                printf("child %d\n", (int)getpid());
                ready();
                #pragma omp critical(table) // <A>
                held = 2;
                _exit(0);
            }
            sleep(240);
        }
    }
    return 0;
}
