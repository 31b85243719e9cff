// A request to a child process lies in the buffer of a stream, while both wait for the other one.
// @kind: system-call
// @says: which the code has written to it and not flushed (fflush)
#include "hang.h"

#include <signal.h>
#include <sys/prctl.h>

static void serve(int in, int out) {
    char byte;
    while (read(in, &byte, 1) == 1 && write(out, &byte, 1) == 1) continue;
    _exit(0);
}

int main(void) {
    int there[2], back[2], sum = 0;
    if (pipe(there) || pipe(back)) return 1;
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(there[1]);
        close(back[0]);
        serve(there[0], back[1]);
    }
    close(there[0]);
    close(back[1]);
    FILE *out = fdopen(there[1], "w"), *in = fdopen(back[0], "r");
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        #pragma omp single
        {
            for (int i = 0; i < 3; i++) {
                fputc('a' + i, out);
                if (i < 2) fflush(out); // <A>
                sum += fgetc(in); // <B>
            }
        }
    }
    return sum;
}
