// Nobody opens the gate, which a pointer in what a pointer leads to leads to.
// @kind: spins
// @says: the variable 'context->gate->open'
// @also: -O0
#include "hang.h"

#include <stdlib.h>

struct gate {
    int passed[5];
    volatile int open;
};

struct context {
    char name[16];
    struct gate *gate;
};

__attribute__((noinline)) static void pass(struct context *context) {
    while (!context->gate->open) // <A>
        usleep(100);             // <A>
    context->gate->passed[0]++;
}

__attribute__((noinline)) static void open_gate(struct context *context) {
    context->gate->open = 1; // <B>
}

int main(int count, char **words) {
    struct context *context = calloc(1, sizeof *context);
    context->gate = calloc(1, sizeof *context->gate);
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num()) pass(context);
        else if (count > 5 && words) open_gate(context);
    }
    return 0;
}
