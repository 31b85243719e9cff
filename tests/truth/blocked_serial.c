// The program sleeps between its regions, in two calls.
#include "truth.h"
#include <poll.h>
#include <unistd.h>

int main(void)
{
    double begin = now(), slept = 0, polled = 0, work = 0;
    for (int step = 0; step < 12; step++) { // disease: blocked anywhere
        double from = now();
        usleep(25000);
        slept += now() - from;
        from = now();
        poll(0, 0, 10);
        polled += now() - from;
        #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
        work += burn(0.030);
    }
    truth("blocked.usleep", slept);
    truth("blocked.poll", polled);
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
