/* lastprivate under schedule(dynamic) with the sequentially last iteration early in time: who
 * executed it goes on with others' chunks, and its value must survive that. */
/* @distrust: clang — LLVM 19 loses the value when a chunk is stolen after the last one */
#include "check.h"

static volatile unsigned sink;

static void work(int steps)
{
    for (int i = 0; i < steps; i++)
        sink += (unsigned)i;
}

int main(void)
{
    int wrong = 0;
    for (int round = 0; round < 300; round++) {
        int last = -1;
        long count = 0;
#pragma omp parallel for lastprivate(last) reduction(+ : count) schedule(nonmonotonic : dynamic, 1)
        for (int i = 0; i < 64; i++) {
            /* The first iterations are long: those who have the last ones come to help. */
            work(i < 16 ? 2000 : 1);
            last = i;
            count++;
        }
        wrong += last != 63 || count != 64;
        last = -1;
#pragma omp parallel for lastprivate(last) schedule(nonmonotonic : dynamic, 3)
        for (long i = 100; i > 0; i -= 2) {
            work(i > 80 ? 1500 : 1);
            last = (int)i;
        }
        wrong += last != 2;
    }
    CHECK_EQ(wrong, 0);
    return check_done();
}
