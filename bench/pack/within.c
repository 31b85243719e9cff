/* `within SECONDS COMMAND…` runs the command and prints how long that took, as the row
 * `process_start us T`, behind what the command itself prints. A command that goes on for longer is
 * killed with its children; the exit status is then 124, else the command's own.
 *
 * Linked statically: it needs nothing of the machine on which it runs. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t child;
static volatile sig_atomic_t is_over;

static void over(int signal)
{
    (void)signal;
    is_over = 1;
    kill(-child, SIGKILL);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: within SECONDS COMMAND...\n", stderr);
        return 2;
    }
    double start = now();
    child = fork();
    if (child == 0) {
        setpgid(0, 0);
        execv(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    /* Both do it: whichever comes first, the group is there before it is killed. */
    setpgid(child, child);
    signal(SIGALRM, over);
    signal(SIGINT, over);
    signal(SIGTERM, over);
    alarm((unsigned)atoi(argv[1]));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    double took = now() - start;
    if (is_over) return 124;
    if (!WIFEXITED(status)) return 128 + WTERMSIG(status);
    printf("process_start us %.1f\n", took);
    return WEXITSTATUS(status);
}
