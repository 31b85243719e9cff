// A signal that comes to one thread again and again.
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

// From now on the calling thread executes `handler` some thousand times a second.
static inline void tick(void (*handler)(int)) {
    signal(SIGUSR1, handler);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
    struct itimerspec often = {.it_interval.tv_nsec = 200000, .it_value.tv_nsec = 200000};
    timer_t timer;
    if (!timer_create(CLOCK_MONOTONIC, &event, &timer)) timer_settime(timer, 0, &often, NULL);
}
