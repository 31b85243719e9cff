/* Two branches end in a region each: clang -O2 makes one call of both, which has no line. */
#include <omp.h>
#include <unistd.h>

static volatile int left;

static void __attribute__((noinline)) work(int which) {
    if (which) {
        left = 1;
        #pragma omp parallel num_threads(2) /* first region */
        {
            left++;
            for (;;) pause(); /* in the first */
        }
    } else {
        left = 2;
        #pragma omp parallel num_threads(2) /* second region */
        {
            left--;
            for (;;) pause(); /* in the second */
        }
    }
    left = 0;
}

int main(int argc, char **argv) {
    (void)argv;
    alarm(240);
    work(argc > 1); /* calls work */
    return left;
}
