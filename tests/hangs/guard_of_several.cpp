// A guard of two mutexes at once, and a critical section, taken in opposite order.
// @kind: lock-cycle
// @alone
// @also: -O0
#include "hang.h"

#include <mutex>
#include <shared_mutex>

static std::recursive_mutex accounts;
static std::shared_mutex journal;
static int sum;

static void transfer() {
    std::scoped_lock both(accounts, journal); // <A>
    wait_for_all(2);
    #pragma omp critical(audit)
    sum++;
}

static void look() {
    #pragma omp critical(audit)
    {
        wait_for_all(2);
        std::shared_lock reader(journal); // <B>
        sum++;
    }
}

int main() {
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            transfer();
        else
            look();
    }
    return sum;
}
