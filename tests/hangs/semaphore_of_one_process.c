// A semaphore in memory of two processes was made for one: the child's post wakes nobody.
// @kind: waits-for-ever
// @says: (it has been posted, and nobody woke the thread)
// @says: the object is one that was made for a single process (pshared 0, PTHREAD_PROCESS_PRIVATE)
// @stock: waits-for-ever
#include "hang.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

struct board {
    sem_t done;
    double result;
};

static void serve(struct board *board) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // glibc counts in the second word how many wait.
    while (((volatile unsigned *)&board->done)[1] == 0) usleep(1000);
    usleep(100000);
    board->result = 1;
    sem_post(&board->done);
    ready();
    pause();
}

static void await_result(struct board *board) {
    sem_wait(&board->done); // <A>
}

int main(void) {
    struct board *board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED) return 1;
    sem_init(&board->done, 0, 0);
    if (fork() == 0) {
        serve(board);
        _exit(0);
    }
    await_result(board); // <A>
    double sum = board->result;
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += 1;
    return (int)sum;
}
