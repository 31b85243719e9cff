// A reader of a shared mutex wants to write: it waits for itself, and everybody for the region's
// end.
// @kind: waits-for-ever
// @says: for the read-write lock 'table': it holds it for reading, and wants it for writing
// @also: -O0
#include "hang.h"

#include <shared_mutex>

static std::shared_mutex table;

int main() {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum) // <B>
    {
        if (omp_get_thread_num() == 1) {
            table.lock_shared();
            table.lock(); // <A>
            sum++;
            table.unlock();
            table.unlock_shared();
        }
    }
    return sum;
}
