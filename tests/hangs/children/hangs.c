// A member waits for the end of a child, which wants what nobody there gives back.
// @kind: system-call
#include "../hang.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int spawn(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pthread_mutex_lock(&mutex); // <B>
        _exit(0);
    }
    ready();
    waitpid(child, &status, 0); // <A>
    return status;
}

int main(void) {
    int sum = 0;
    pthread_mutex_lock(&mutex);
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    if (omp_get_thread_num() == 1) sum += spawn();
    return sum;
}
