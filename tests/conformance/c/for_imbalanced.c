/* Dynamic loops whose iterations differ a thousandfold. */
#include "check.h"

static unsigned spin(unsigned long n)
{
    unsigned x = 1;
    for (unsigned long i = 0; i < n; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

int main(void)
{
    unsigned want = 0, got = 0;
    for (int i = 0; i < 200; i++)
        want += spin(i % 50 == 0 ? 100000 : 100);
#pragma omp parallel for schedule(dynamic) reduction(+ : got)
    for (int i = 0; i < 200; i++)
        got += spin(i % 50 == 0 ? 100000 : 100);
    CHECK_EQ(got, want);
    got = 0;
#pragma omp parallel for schedule(guided) reduction(+ : got)
    for (int i = 0; i < 200; i++)
        got += spin(i % 50 == 0 ? 100000 : 100);
    CHECK_EQ(got, want);
    return check_done();
}
