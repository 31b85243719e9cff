// A region's code faults, in the way that the argument says: one line names the construct, and the
// program ends by the signal.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void own(int signal) {
    (void)signal;
    static const char text[] = "the program's own handler\n";
    (void)!write(2, text, sizeof text - 1);
    _exit(3);
}

int main(int count, char **arguments) {
    const char *how = count > 1 ? arguments[1] : "";
    int read = !strcmp(how, "read"), divide = !strcmp(how, "divide"), kill = !strcmp(how, "raise");
    int thread = !strcmp(how, "thread"), illegal = !strcmp(how, "illegal"), sum = 0;
    volatile int zero = 0;
    int *nowhere = (int *)(16l + zero);
    if (!strcmp(how, "handled")) signal(SIGSEGV, own), read = 1;
    if (!strcmp(how, "ignored")) signal(SIGFPE, SIG_IGN);
    if (!strcmp(how, "outside")) {
#pragma omp target map(tofrom : sum)
        sum++;
        return *nowhere;
    }
    if (!strcmp(how, "later")) {
#pragma omp target map(tofrom : sum)
        sum++;
        signal(SIGSEGV, own), read = 1;
    }
    fprintf(stderr, "before\n");
#pragma omp target map(tofrom : sum) is_device_ptr(nowhere) firstprivate(zero) // the construct
    {
        if (read) sum += *nowhere;
        if (divide) sum += 7 / zero;
        if (kill) raise(SIGBUS);
        if (illegal) __builtin_trap();
        if (thread)
#pragma omp parallel num_threads(3) reduction(+ : sum)
            sum += *nowhere;
    }
    printf("went on %d\n", sum);
    return 0;
}
