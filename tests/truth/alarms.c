// An interval timer's handler runs in whatever thread it meets, in a region of unequal work.
#include "truth.h"
#include <signal.h>
#include <sys/time.h>

static own_t own[2];
static volatile sig_atomic_t alarms;

static void on_alarm(int number)
{
    alarms += number == SIGALRM;
    burn(0.0002);
}

int main(void)
{
    double begin = now();
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, 0);
    struct itimerval every = {{0, 5000}, {0, 5000}};
    setitimer(ITIMER_REAL, &every, 0);
    double idle = 0, arrived[2];
    for (int step = 0; step < 10; step++) {
        #pragma omp parallel num_threads(2) // mark: region, disease: imbalance
        {
            int me = omp_get_thread_num();
            own[me].seconds += burn(me ? 0.020 : 0.060);
            arrived[me] = now();
        }
        idle += waits(arrived, 2);
    }
    every.it_interval.tv_usec = every.it_value.tv_usec = 0;
    setitimer(ITIMER_REAL, &every, 0);
    truth("work@region", sum_of(own, 2));
    truth("barrier@region", idle);
    truth("imbalance@region", idle);
    truth("elapsed", now() - begin);
    return alarms == 0;
}
