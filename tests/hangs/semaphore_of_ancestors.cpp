// Tasks that have a slot of a semaphore wait for their children, which want a slot too. Each way
// through a task gives its slot back: no way past that is named.
// @kind: waits-for-ever
// @never: has a way past
// @stock: waits-for-ever
#include "hang.h"

#include <semaphore>

static std::counting_semaphore<> slots(2);

struct Slot {
    __attribute__((noinline)) Slot() { slots.acquire(); } // <A>
    __attribute__((noinline)) ~Slot() { slots.release(); }
};

static int __attribute__((noinline)) visit(int depth) {
    Slot slot;
    int left = 0, right = 0;
    if (depth > 0) {
        #pragma omp task shared(left)
        left = visit(depth - 1);
        #pragma omp task shared(right)
        right = visit(depth - 1);
        #pragma omp taskwait
    }
    return left + right + 1;
}

int main() {
    int count = 0;
    ready();
    #pragma omp parallel num_threads(3)
    #pragma omp single
    count = visit(6);
    return count > 0;
}
