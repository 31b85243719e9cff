/* Signals that interrupt every wait: a timer every millisecond, caught without SA_RESTART. */
#include "../conformance/check.h"
#include <signal.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t caught;

static void handler(int number)
{
    (void)number;
    caught++;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    struct itimerval timer = {{0, 1000}, {0, 1000}};
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &timer, 0);
    double until = omp_get_wtime() + 0.5;
    long rounds = 0, shared = 0;
    while (omp_get_wtime() < until) {
        long sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
        {
#pragma omp for schedule(dynamic) ordered
            for (int i = 0; i < 20; i++) {
#pragma omp ordered
                sum += i;
            }
#pragma omp critical
            {
                shared++;
                if (rounds % 50 == 0) {
                    struct timespec pause = {0, 2000000};
                    nanosleep(&pause, 0);
                }
            }
#pragma omp barrier
#pragma omp single
            {
#pragma omp task
                __asm__ volatile("");
#pragma omp taskwait
            }
        }
        CHECK_EQ(sum, 190);
        rounds++;
    }
    CHECK_EQ(shared, 4 * rounds);
    CHECK(caught > 0);
    return check_done();
}
