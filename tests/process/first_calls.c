/* A signal handler asks OpenMP things while the thread that it interrupts makes its first calls,
 * begins or ends: on the main thread, on threads of the program and on workers. Nobody waits for
 * himself, and each is who he is. */
#include "../conformance/check.h"
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile long hits, wrong;

static void on_signal(int number)
{
    int before = errno;
    (void)number;
    __atomic_add_fetch(&hits, 1, __ATOMIC_RELAXED);
    /* A team of no more threads than there are. */
    if (omp_get_num_threads() < 1 || omp_get_num_threads() > 3 || omp_get_thread_num() >= 3)
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    (void)omp_get_max_threads();
    (void)omp_get_level();
    (void)omp_in_parallel();
    errno = before;
}

static void storm(int microseconds)
{
    struct itimerval time;
    memset(&time, 0, sizeof time);
    time.it_interval.tv_usec = time.it_value.tv_usec = microseconds;
    setitimer(ITIMER_REAL, &time, 0);
}

/* One after the other the members signal themselves, where the kernel signals whom it likes. */
static int region(void)
{
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        sum += omp_get_thread_num() + 1;
        pthread_kill(pthread_self(), SIGALRM);
    }
    return sum;
}

static void *thread(void *argument)
{
    if (region() != 6)
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    return argument;
}

int main(int count, char **arguments)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, 0);
    alarm(0);
    (void)arguments;
    /* Without an argument the main thread is the first to come, in the storm. */
    if (count == 1) {
        storm(20);
        CHECK_EQ(region(), 6);
    }
    storm(20);
    for (int i = 0; i < 50; i++) {
        pthread_t threads[2];
        for (int j = 0; j < 2; j++)
            CHECK_EQ(pthread_create(&threads[j], 0, thread, 0), 0);
        for (int j = 0; j < 2; j++) {
            pthread_kill(threads[j], SIGALRM);
            pthread_join(threads[j], 0);
        }
    }
    storm(0);
    CHECK(hits > 0);
    CHECK_EQ(wrong, 0);
    return check_done();
}
