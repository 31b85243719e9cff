// healthy
// A program that has regions, then forks; the child becomes the program anew, with another word.
#include "truth.h"
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    double work = 0;
    if (count > 1) {
        for (int i = 0; i < 30; i++) {
            #pragma omp parallel num_threads(2) reduction(+ : work) // mark: again
            work += burn(0.015);
        }
        truth("work@again", work);
        truth("instances@again", 30);
        return 0;
    }
    for (int i = 0; i < 5; i++) {
        #pragma omp parallel num_threads(2) reduction(+ : work)
        work += burn(0.005);
    }
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", arguments[0], "again", (char *)0);
        _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    return status != 0;
}
