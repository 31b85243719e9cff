// The clock, 64 times slower: a program that valgrind slows down looks as fast as it is.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (syscall(SYS_clock_gettime, clock, time) != 0)
        return -1;
    long long passed = (time->tv_sec * 1000000000LL + time->tv_nsec) / 64;
    time->tv_sec = passed / 1000000000;
    time->tv_nsec = passed % 1000000000;
    return 0;
}
