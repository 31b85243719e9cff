// cancel taskgroup: objects that were copied for a task that never gets to run are destroyed all the
// same.
//
// @env: OMP_CANCELLATION=true
// @compilers: g++ — LLVM's runtime leaves the copies of cancelled tasks alone
#include "check.h"

static int alive;

struct Counted {
    Counted() { count(1); }
    Counted(const Counted &) { count(1); }
    ~Counted() { count(-1); }
    static void count(int by) { __atomic_fetch_add(&alive, by, __ATOMIC_SEQ_CST); }
};

int main()
{
    int executed = 0;
    {
        Counted one;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
        for (int i = 0; i < 50; i++)
#pragma omp task firstprivate(one) shared(executed)
        {
#pragma omp cancellation point taskgroup
#pragma omp atomic
            executed++;
#pragma omp cancel taskgroup if (i > 5)
        }
    }
    CHECK_EQ(alive, 0);
    CHECK(executed >= 1 && executed <= 50);
    return check_done();
}
