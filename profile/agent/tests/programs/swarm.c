// More tasks and critical sections than can be timed, of a few instructions each: in a tree with
// taskwait, in a tree that the closing barrier waits for, and in a loop.
#include <stdio.h>

enum { DEPTH = 13 };

static volatile long left, right, loose, taken;

static void count(volatile long *counter) {
#pragma omp atomic
    ++*counter;
}

static void tree(int depth) {
    if (depth == 0)
        return;
#pragma omp task
    {
        count(&left);
        tree(depth - 1);
    }
#pragma omp task
    {
        count(&right);
        tree(depth - 1);
    }
#pragma omp taskwait
}

static void spread(int depth) {
    if (depth == 0)
        return;
    for (int i = 0; i < 2; i++) {
#pragma omp task
        {
            count(&loose);
            spread(depth - 1);
        }
    }
}

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    tree(DEPTH);
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        spread(DEPTH);
    }
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 20000; i++) {
#pragma omp critical
        taken++;
    }
    printf("left %ld\nright %ld\nloose %ld\ntaken %ld\n", left, right, loose, taken);
    return 0;
}
