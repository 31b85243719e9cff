// A latch for as many as there are tasks and one more: its counting down stands in the place of its
// call.
// @kind: waits-for-ever
// @says: The code counts latches down at
// @also: -O0
#include "hang.h"

#include <latch>

static void finish(std::latch &done) {
    done.count_down(); // <B>
}

int main() {
    std::latch done(4);
    ready();
    #pragma omp parallel num_threads(3)
    #pragma omp single
    {
        for (int i = 0; i < 3; i++) {
            #pragma omp task shared(done)
            finish(done);
        }
        done.wait(); // <A>
    }
}
