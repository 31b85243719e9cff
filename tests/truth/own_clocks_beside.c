// A balanced loop and an uneven one while two other processes want both processors: Work is what
// the threads ran by their own clocks, and what the others take is nobody's imbalance. The uneven
// loop takes too little of the run to be one.
// healthy
#include "own_clock.h"
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEPS 200000

static clock_t_of even[2], uneven[2];
static pid_t others[2];

int main(void)
{
    for (int i = 0; i < 2; i++) {
        others[i] = fork();
        if (others[i] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;)
                compute(STEPS);
        }
    }
    for (int step = 0; step < 30; step++) {
        #pragma omp parallel num_threads(2) // mark: even
        piece(&even[omp_get_thread_num()], 15 * STEPS);
        #pragma omp parallel num_threads(2) // mark: uneven
        piece(&uneven[omp_get_thread_num()], (1 + omp_get_thread_num()) * STEPS);
    }
    for (int i = 0; i < 2; i++) {
        kill(others[i], SIGKILL);
        waitpid(others[i], 0, 0);
    }
    tell("even", even, 2);
    tell("uneven", uneven, 2);
}
