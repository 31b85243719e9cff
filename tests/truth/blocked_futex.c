// A thread sleeps in a futex call that it makes itself; the other works.
#include "truth.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    double begin = now(), asleep = 0, work = 0;
    #pragma omp parallel num_threads(2) reduction(+ : asleep, work) // mark: region, disease: blocked
    if (omp_get_thread_num() == 1) {
        for (int i = 0; i < 10; i++) {
            int word = 0;
            struct timespec limit = {0, 50000000};
            double from = now();
            syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &limit, 0, 0);
            asleep += now() - from;
        }
    } else {
        work += burn(0.2);
    }
    truth("blocked@region", asleep);
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
