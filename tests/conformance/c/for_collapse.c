/* for collapse: the whole rectangle (and a triangle), every point once. */
#include "check.h"

int main(void)
{
    int hit[7][11][3];
    memset(hit, 0, sizeof hit);
#pragma omp parallel for collapse(3) schedule(dynamic, 5)
    for (int i = 0; i < 7; i++)
        for (long j = 10; j >= 0; j--)
            for (unsigned k = 0; k < 3; k++)
#pragma omp atomic
                hit[i][j][k]++;
    for (int i = 0; i < 7 * 11 * 3; i++)
        CHECK_EQ(((int *)hit)[i], 1);

    long sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < i; j++)
            sum += i * 100 + j;
    long want = 0;
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < i; j++)
            want += i * 100 + j;
    CHECK_EQ(sum, want);
    return check_done();
}
