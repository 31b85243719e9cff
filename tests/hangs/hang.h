// What the programs of this folder share: nobody's program runs on if its test is gone.
//
// A program's comments tell the test (`tests/hangs.rs`) what must be found: `@kind:` is the kind of
// the finding, `@says:` words of its text, `@never:` words that it must not have, `<A>` and `<B>`
// mark lines that it must name.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

// The program is about to hang (or to go on, if it is a healthy one).
static inline void ready(void) {
    alarm(240);
    puts("ready");
    fflush(stdout);
}

// Until so many threads have come here: each has what it takes first, however busy the machine is.
static inline void wait_for_all(int threads) {
    static int come;
    __atomic_add_fetch(&come, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&come, __ATOMIC_SEQ_CST) < threads) usleep(1000);
}

// Long enough that the others are where they wait.
static inline void pause_a_little(void) { usleep(100000); }
