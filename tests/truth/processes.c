// healthy
// Three processes: the last child does most of the work, and only it says what it knows.
#include "truth.h"
#include <sys/wait.h>
#include <unistd.h>

static double go(int steps)
{
    double work = 0;
    for (int i = 0; i < steps; i++) {
        #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
        work += burn(0.010);
    }
    return work;
}

int main(void)
{
    go(3);
    for (int child = 0; child < 2; child++) {
        pid_t pid = fork();
        if (pid == 0) {
            double work = go(child ? 60 : 5);
            if (child)
                truth("work@region", work), truth("instances@region", 60);
            exit(0);
        }
        waitpid(pid, 0, 0);
    }
}
