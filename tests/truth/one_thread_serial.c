// Most of the run is serial, in one function, and each region gets one thread, as the program asks.
#include "truth.h"

static double serial;

APART void plasma(void)
{
    static volatile double x = 1;
    double from = now();
    while (now() < from + 0.030)
        for (int i = 0; i < 200; i++)
            x = x * 1.0000001; // disease: serial-time anywhere
    serial += now() - from;
}

int main(void)
{
    double begin = now(), work[3] = {0};
    int one = omp_in_parallel() + 1;
    for (int step = 0; step < 15; step++) {
        plasma();
        #pragma omp parallel num_threads(one) // mark: blur
        work[0] += burn(0.003);
        #pragma omp parallel num_threads(one) // mark: resize
        work[1] += burn(0.0025);
        #pragma omp parallel if (one > 1) // mark: sharpen
        work[2] += burn(0.0015);
    }
    truth("serial", serial);
    truth("work@blur", work[0]);
    truth("work@resize", work[1]);
    truth("work@sharpen", work[2]);
    truth("instances@sharpen", 15);
    truth("elapsed", now() - begin);
}
