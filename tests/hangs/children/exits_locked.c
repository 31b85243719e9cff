// A process that shares a mutex with others ends while it holds the mutex. Another one waits for
// the mutex, and their parent waits for any of its children.
#include "../hang.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

struct board {
    pthread_mutex_t mutex;
    volatile int begun;
    double best;
};

static void check(double value) {
    if (value < 0) {
        fputs("a bad value\n", stderr);
        _exit(3); // <C>
    }
}

static void __attribute__((noinline)) post(struct board *board, double value) {
    pthread_mutex_lock(&board->mutex); // <B>
    check(value);
    if (value > board->best) board->best = value;
    pthread_mutex_unlock(&board->mutex);
}

static int work(struct board *board, int me) {
    prctl(PR_SET_PDEATHSIG, 9);
    alarm(240);
    if (me == 0) post(board, -1);
    while (!board->begun) usleep(1000);
    #pragma omp parallel num_threads(2)
    post(board, omp_get_thread_num());
    return 0;
}

int main(void) {
    struct board *board =
        mmap(0, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&board->mutex, &shared);
    for (int me = 0; me < 2; me++)
        if (fork() == 0) _exit(work(board, me));
    int status = 0, bad = 0;
    if (waitpid(-1, &status, 0) > 0) bad += status != 0;
    board->begun = 1;
    ready();
    if (waitpid(-1, &status, 0) > 0) bad += status != 0; // <A>
    printf("%g, %d bad\n", board->best, bad);
    return 0;
}
