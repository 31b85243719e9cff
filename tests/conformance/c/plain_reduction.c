/* Where threads combine their parts of a reduction is no task scheduling point, unless a barrier
 * follows: a thread that waits for its turn, or for the part of another one, begins no task.
 * @distrust: clang — LLVM's runtime executes tasks where it combines by its tree */
#include "waits.h"

enum { ROUNDS = 5, TRIP = 100 };

static void reduce(void)
{
    long a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
    long array[100] = {0};
#pragma omp parallel
    {
        for (int round = 0; round < ROUNDS; round++) {
            make_some(4);
            nothing_begins(1);
            if (omp_get_thread_num() == (round + 1) % omp_get_num_threads())
                usleep(LONG / 3);
#pragma omp for reduction(+ : a, b, c, d, e, f, array) nowait
            for (int i = 0; i < TRIP; i++)
                a++, b += 2, c += 3, d += 4, e += 5, f += 6, array[i] += i;
            nothing_begins(0);
        }
    }
    CHECK_EQ(a + b + c + d + e + f, 21 * ROUNDS * TRIP);
    CHECK_EQ(array[99], 99 * ROUNDS);
}

int main(void)
{
    reduce();
    CHECK_EQ(done, 4 * ROUNDS * check_threads());
    return check_done();
}
