// Members read, one after the other, what a child process writes now and then: it is slow, and goes
// on.
// @kind: none
#include "hang.h"

int main(void) {
    FILE *from = popen("while :; do echo 1; sleep 0.7; done", "r");
    if (!from) return 1;
    ready();
    #pragma omp parallel num_threads(3)
    for (;;) {
        #pragma omp critical(input)
        if (fgetc(from) == EOF) _exit(1);
    }
}
