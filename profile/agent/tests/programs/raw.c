// Sleeps in calls that few programs make, by `syscall` and by functions of the C library: each ten
// times for 8 ms. What went wrong is printed.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 10, MS = 8 };

static struct timespec span = {0, MS * 1000000};

static struct timespec soon(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += span.tv_nsec;
    if (t.tv_nsec >= 1000000000) t.tv_nsec -= 1000000000, t.tv_sec++;
    return t;
}

static void must(int holds, const char *what) {
    if (!holds) printf("%s: errno %d\n", what, errno);
}

// A child that lives for a while, and has the lock as long.
static pid_t locker(int file) {
    int ends[2];
    char byte;
    must(pipe(ends) == 0, "pipe");
    pid_t child = fork();
    if (child == 0) {
        struct flock whole = {.l_type = F_WRLCK};
        fcntl(file, F_SETLK, &whole);
        must(write(ends[1], "x", 1) == 1, "write");
        usleep(MS * 1000);
        _exit(0);
    }
    must(read(ends[0], &byte, 1) == 1, "read");
    close(ends[0]);
    close(ends[1]);
    return child;
}

static pid_t opener(const char *path) {
    pid_t child = fork();
    if (child == 0) {
        usleep(MS * 1000);
        _exit(open(path, O_WRONLY) < 0);
    }
    return child;
}

int main(void) {
#pragma omp parallel num_threads(2)
    usleep(1000);
    char queue_name[40], text[8];
    sprintf(queue_name, "/raw-%d", getpid());
    struct mq_attr shape = {.mq_maxmsg = 1, .mq_msgsize = sizeof text};
    mqd_t queue = mq_open(queue_name, O_CREAT | O_RDWR, 0600, &shape);
    mq_unlink(queue_name);
    int file = open("locked", O_RDWR | O_CREAT, 0600);
    must(mkfifo("fifo", 0600) == 0, "mkfifo");
    for (int i = 0; i < TIMES; i++) {
        int word = 0;
        must(syscall(SYS_nanosleep, &span, NULL) == 0, "nanosleep");
        must(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &span, NULL, 0) == -1 &&
                 errno == ETIMEDOUT, "futex");
        must(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 0, "wake");
        must(syscall(SYS_getppid) == getppid(), "getppid");
        must(syscall(-1L) == -1 && errno == ENOSYS, "no call");
        struct timespec until = soon();
        must(mq_timedreceive(queue, text, sizeof text, NULL, &until) == -1 && errno == ETIMEDOUT,
             "mq_timedreceive");
        struct flock whole = {.l_type = F_WRLCK};
        pid_t child = locker(file);
        must(fcntl(file, F_SETLKW, &whole) == 0, "fcntl");
        whole.l_type = F_UNLCK;
        must(fcntl(file, F_SETLKW, &whole) == 0, "fcntl");
        must(waitpid(child, NULL, 0) == child, "waitpid");
        child = opener("fifo");
        int fifo = open("fifo", O_RDONLY);
        must(fifo >= 0, "open");
        close(fifo);
        must(waitpid(child, NULL, 0) == child, "waitpid");
    }
    // So long that the thread is looked at meanwhile.
    int two[2];
    struct timeval limit = {0, 150000};
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, two) == 0, "socketpair");
    must(setsockopt(two[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0, "setsockopt");
    must(recv(two[0], text, 1, 0) == -1 && errno == EAGAIN, "recv");
    puts("done");
    return 0;
}
