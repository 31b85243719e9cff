// One region, from the begin of the program until the file in argv[1] is there.
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
#pragma omp parallel num_threads(2) // the only one
    {
#pragma omp master
        {
            puts("ready");
            fflush(stdout);
        }
        while (argc > 1 && access(argv[1], F_OK)) continue;
    }
    return 0;
}
