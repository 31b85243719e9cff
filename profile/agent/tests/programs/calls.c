// Forty blocking calls: each must return the same, move as much and last as long as without a
// profiler, whatever ticks come. What is wrong is printed, and the number of calls.
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int calls, bad;
static volatile double sink;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

// Some work right before each call, so that a tick may be close.
static void work(void) {
    for (double begin = now(); now() - begin < 0.003;) sink += 1;
}

static void judge(const char *name, long result, long wanted, int error, int wanted_error,
                  double took, double least) {
    calls++;
    if (result != wanted || (wanted_error && error != wanted_error) || took < least - 0.0001) {
        printf("%s: %ld instead of %ld, errno %d instead of %d, after %f s\n", name, result, wanted,
               error, wanted_error, took);
        bad++;
    }
}

#define WAIT 0.03
#define CALL(least, wanted, wanted_error, call) PREPARED((void)0, least, wanted, wanted_error, call)
// A call that waits until a moment: the time counts from where the moment was set, however late the
// call begins.
#define UNTIL(clock, wanted, wanted_error, call) \
    PREPARED(until = at(clock), WAIT, wanted, wanted_error, call)
#define PREPARED(prepare, least, wanted, wanted_error, call)                     \
    do {                                                                         \
        work();                                                                  \
        double begin = now();                                                    \
        prepare;                                                                 \
        errno = 0;                                                               \
        long result = (long)(call);                                              \
        int error = errno;                                                       \
        judge(#call, result, wanted, error, wanted_error, now() - begin, least); \
    } while (0)

static struct timespec at(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += 30000000;
    if (t.tv_nsec >= 1000000000) t.tv_nsec -= 1000000000, t.tv_sec++;
    return t;
}

static const int big = 1 << 20;
static char *data;

// A child that reads, or writes, slowly: all that the parent has.
static pid_t partner(int file, int other, int writes) {
    pid_t child = fork();
    if (child) {
        close(file);
        return child;
    }
    close(other);
    usleep(5000);
    if (writes)
        for (int done = 0; done < big; done += 8192) {
            if (write(file, data, 8192) != 8192) _exit(1);
            usleep(100);
        }
    else
        while (read(file, data, 16384) > 0) usleep(100);
    _exit(0);
}

#define TRANSFER(kind, writes, call)                                       \
    do {                                                                   \
        int ends[2];                                                       \
        if (kind) pipe(ends);                                              \
        else socketpair(AF_UNIX, SOCK_STREAM, 0, ends);                    \
        int mine = kind && !(writes) ? ends[1] : ends[0];                  \
        int theirs = kind && !(writes) ? ends[0] : ends[1];                \
        pid_t child = partner(theirs, mine, writes);                       \
        CALL(0, big, 0, call);                                             \
        close(mine);                                                       \
        CALL(0, child, 0, waitpid(child, NULL, 0));                        \
    } while (0)

static int waits_for_child(int way) {
    int status;
    siginfo_t info;
    pid_t child = fork();
    if (child == 0) {
        usleep(30000);
        _exit(0);
    }
    switch (way) {
    case 0: return wait(&status) == child;
    case 1: return wait4(child, &status, 0, NULL) == child;
    default: return waitid(P_PID, child, &info, WEXITED) == 0;
    }
}

static void *sleeper(void *unused) {
    (void)unused;
    usleep(30000);
    return NULL;
}

static pthread_t begun(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleeper, NULL);
    return thread;
}

int main(void) {
    data = calloc(1, big);
    // Threads that are sampled, and the profiler's own, are there from here on.
#pragma omp parallel num_threads(2)
    work();

    struct timespec t = {0, 30000000}, until;
    struct timeval v = {0, 30000};
    struct epoll_event event;
    siginfo_t info;
    char byte;
    int two[2], word = 0, one = 1;
    (void)one;
    CALL(WAIT, 0, 0, nanosleep(&t, NULL));
    CALL(WAIT, 0, 0, clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL));
    CALL(WAIT, 0, 0, usleep(30000));
    CALL(WAIT, 0, 0, thrd_sleep(&t, NULL));
    CALL(WAIT, 0, 0, poll(NULL, 0, 30));
    CALL(WAIT, 0, 0, ppoll(NULL, 0, &t, NULL));
    CALL(WAIT, 0, 0, select(0, NULL, NULL, NULL, &v));
    CALL(WAIT, 0, 0, pselect(0, NULL, NULL, NULL, &t, NULL));
    int epoll = epoll_create1(0);
    CALL(WAIT, 0, 0, epoll_wait(epoll, &event, 1, 30));
    CALL(WAIT, 0, 0, epoll_pwait(epoll, &event, 1, 30, NULL));
#ifdef SYS_epoll_pwait2
    CALL(WAIT, 0, 0, syscall(SYS_epoll_pwait2, epoll, &event, 1, &t, NULL, 0));
#endif
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    UNTIL(CLOCK_REALTIME, -1, ETIMEDOUT, sem_timedwait(&semaphore, &until));
    UNTIL(CLOCK_MONOTONIC, -1, ETIMEDOUT, sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until));
    CALL(WAIT, -1, ETIMEDOUT, syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0));
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    UNTIL(CLOCK_REALTIME, ETIMEDOUT, 0, pthread_mutex_timedlock(&mutex, &until));
    UNTIL(CLOCK_REALTIME, ETIMEDOUT, 0, pthread_cond_timedwait(&condition, &mutex, &until));
    sigset_t full;
    sigfillset(&full);
    pthread_sigmask(SIG_BLOCK, &full, NULL);
    CALL(WAIT, -1, EAGAIN, sigtimedwait(&full, &info, &t));
    int signals = signalfd(-1, &full, SFD_NONBLOCK);
    CALL(0, -1, EAGAIN, read(signals, data, 128));
    sigset_t pending;
    sigpending(&pending);
    for (int signal = 1; signal < 65; signal++)
        if (sigismember(&pending, signal) == 1) printf("signal %d is pending\n", signal), bad++;
    pthread_sigmask(SIG_UNBLOCK, &full, NULL);
    int set = semget(IPC_PRIVATE, 1, 0600);
    struct sembuf down = {0, -1, 0};
    CALL(WAIT, -1, EAGAIN, semtimedop(set, &down, 1, &t));
    semctl(set, 0, IPC_RMID);
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec once = {{0, 0}, {0, 30000000}};
    PREPARED(timerfd_settime(timer, 0, &once, NULL), WAIT, 8, 0, read(timer, data, 8));

    socketpair(AF_UNIX, SOCK_STREAM, 0, two);
    setsockopt(two[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 30000},
               sizeof(struct timeval));
    setsockopt(two[0], SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){0, 30000},
               sizeof(struct timeval));
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    CALL(0.02, -1, EAGAIN, recv(two[0], &byte, 1, 0));
    CALL(0.02, -1, EAGAIN, read(two[0], &byte, 1));
    CALL(0.02, -1, EAGAIN, recvfrom(two[0], &byte, 1, 0, NULL, NULL));
    CALL(0.02, -1, EAGAIN, recvmsg(two[0], &message, 0));
    CALL(0.02, -1, EAGAIN, readv(two[0], &part, 1));
    CALL(0.02, -1, EAGAIN, syscall(SYS_recvfrom, two[0], &byte, 1, 0, NULL, NULL));
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    listen(listener, 1);
    setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 30000},
               sizeof(struct timeval));
    CALL(0.02, -1, EAGAIN, accept(listener, NULL, NULL));
    CALL(0.02, -1, EAGAIN, accept4(listener, NULL, NULL, 0));

    struct iovec all = {data, big};
    struct msghdr whole = {.msg_iov = &all, .msg_iovlen = 1};
    TRANSFER(0, 0, send(mine, data, big, 0));
    TRANSFER(0, 0, sendmsg(mine, &whole, 0));
    TRANSFER(0, 0, syscall(SYS_write, mine, data, big));
    TRANSFER(1, 0, write(mine, data, big));
    TRANSFER(1, 0, writev(mine, &all, 1));
    TRANSFER(0, 1, recv(mine, data, big, MSG_WAITALL));
    TRANSFER(0, 1, recvmsg(mine, &whole, MSG_WAITALL));
    TRANSFER(0, 1, syscall(SYS_recvfrom, mine, data, big, MSG_WAITALL, NULL, NULL));

    CALL(0.02, 1, 0, waits_for_child(0));
    CALL(0.02, 1, 0, waits_for_child(1));
    CALL(0.02, 1, 0, waits_for_child(2));
    CALL(0.02, 0, 0, pthread_join(begun(), NULL));
    CALL(0.02, 0, 0, system("sleep 0.03"));
    printf("%d calls, %d bad\n", calls, bad);
    return bad != 0;
}
