/* Ordered dynamic loops whose chunks are short, long, or block: the order holds with more threads
 * than processors too, and every iteration is executed once. */
#include "check.h"
#include <unistd.h>

static int next, executed;

static void take_turn(int k)
{
    CHECK_EQ(next, k);
    next = k + 1;
}

static void check_all(int count)
{
    CHECK_EQ(next, count);
    CHECK_EQ(executed, count);
    next = executed = 0;
}

int main(void)
{
#pragma omp parallel for ordered schedule(dynamic, 1) reduction(+ : executed)
    for (int k = 0; k < 20000; k++) {
        executed++;
#pragma omp ordered
        take_turn(k);
    }
    check_all(20000);

#pragma omp parallel for ordered schedule(dynamic, 3) reduction(+ : executed)
    for (int k = 0; k < 5000; k++) {
        executed++;
#pragma omp ordered
        take_turn(k);
    }
    check_all(5000);

#pragma omp parallel for ordered schedule(dynamic, 1) reduction(+ : executed)
    for (int k = 0; k < 40; k++) {
        executed++;
        usleep(300);
#pragma omp ordered
        take_turn(k);
    }
    check_all(40);

    /* Short ones first, so that members rest when the blocking ones come. */
#pragma omp parallel reduction(+ : executed)
    {
#pragma omp for ordered schedule(dynamic, 1)
        for (int k = 0; k < 3000; k++) {
            executed++;
            if (k > 2960)
                usleep(200);
#pragma omp ordered
            take_turn(k);
        }
        for (int r = 0; r < 50; r++) {
#pragma omp for ordered schedule(dynamic, 1)
            for (int k = 0; k < 20; k++) {
                executed++;
#pragma omp ordered
                take_turn(3000 + r * 20 + k);
            }
        }
    }
    check_all(4000);
    return check_done();
}
