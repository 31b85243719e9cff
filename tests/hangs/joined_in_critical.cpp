// A thread waits, inside a critical section, for the end of one that wants to enter it.
// @kind: join-in-cycle
// @says: critical section 'total'
// @debuggers
#include "hang.h"

#include <thread>

static int sum;

static void add() {
    #pragma omp critical(total) // <A>
    sum++; // <A>
}

int main() {
    ready();
    #pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        #pragma omp critical(total)
        {
            std::thread other(add);
            other.join(); // <B>
        } // <B>
    }
    return sum;
}
