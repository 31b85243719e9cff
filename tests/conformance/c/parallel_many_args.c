/* A region that shares many variables of many types: the outlined function gets many arguments. */
#include "check.h"

int main(void)
{
    char a = 1;
    short b = 2;
    int c = 3;
    long d = 4;
    long long e = 5;
    float f = 6;
    double g = 7;
    long double h = 8;
    int i[3] = {9, 10, 11};
    struct {
        double x, y, z;
    } j = {12, 13, 14};
    unsigned char k = 15;
    int l = 16, m = 17, n = 18, o = 19, p = 20, q = 21, r = 22, s = 23, t = 24;
    double sums[64] = {0};
    int size = 0;
#pragma omp parallel firstprivate(b, g, h, j) num_threads(3)
    {
        sums[omp_get_thread_num()] = a + b + c + d + e + f + g + (double)h + i[0] + i[1] + i[2] +
                                     j.x + j.y + j.z + k + l + m + n + o + p + q + r + s + t;
#pragma omp single
        size = omp_get_num_threads();
#pragma omp critical
        {
            l += 0;
            c += 0;
        }
    }
    CHECK_EQ(size, 3);
    for (int x = 0; x < size; x++)
        CHECK_EQ(sums[x], 300);
    return check_done();
}
