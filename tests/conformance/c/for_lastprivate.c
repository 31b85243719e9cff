/* lastprivate: the value of the sequentially last iteration, under every schedule. */
/* @distrust: clang — LLVM 19 loses the value under schedule(dynamic) when a chunk is stolen */
#include "check.h"

int main(void)
{
    int last = -1, first = 3;
    double real = 0;
#pragma omp parallel for lastprivate(last, real) firstprivate(first)
    for (int i = 0; i < 101; i++) {
        last = i + first;
        real = i / 2.0;
    }
    CHECK_EQ(last, 103);
    CHECK(real == 50.0);
#pragma omp parallel for lastprivate(last) schedule(dynamic, 4)
    for (int i = 0; i < 101; i++)
        last = i * 2;
    CHECK_EQ(last, 200);
#pragma omp parallel for lastprivate(last) schedule(guided)
    for (unsigned long long i = 0; i < 101; i++)
        last = (int)i * 3;
    CHECK_EQ(last, 300);
#pragma omp parallel for lastprivate(last) schedule(static, 7)
    for (int i = 100; i > 0; i--)
        last = i;
    CHECK_EQ(last, 1);
    return check_done();
}
