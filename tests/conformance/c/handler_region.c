/* A signal handler that begins a region, whatever the thread is at that it interrupts: beginning a
   region, waiting at its end or at a barrier. Neither region loses a thread or a wake-up.

   @distrust: gcc — libgomp makes new threads for each of them, in unsafe ways
   @distrust: clang — libomp takes locks that the interrupted thread may have */

#include "check.h"
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int handled;

static void handler(int signal)
{
    (void)signal;
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members++;
    CHECK(members >= 1);
    handled++;
}

static void set_timer(int microseconds)
{
    struct itimerval timer = { { 0, microseconds }, { 0, microseconds } };
    setitimer(ITIMER_REAL, &timer, NULL);
}

int main(void)
{
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    /* The threads of both regions are there, and only the primary thread gets the signal. */
    sigprocmask(SIG_BLOCK, &alarm, NULL);
    handler(0);
#pragma omp parallel
    {
        int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
        members++;
    }
    sigprocmask(SIG_UNBLOCK, &alarm, NULL);
    signal(SIGALRM, handler);
    set_timer(500);
    for (int i = 0; i < 200; i++) {
        int met = 0;
#pragma omp parallel reduction(+ : met)
        {
            if (omp_get_thread_num())
                usleep(500);
#pragma omp barrier
            if (omp_get_thread_num())
                usleep(500);
            met++;
        }
        CHECK_EQ(met, check_threads());
    }
    while (!handled)
        usleep(100);
    set_timer(0);
    return check_done();
}
