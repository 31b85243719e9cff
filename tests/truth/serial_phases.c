// Serial work in two functions between regions: half of the time, most of it in one of them.
#include "truth.h"

static double serial;

APART void read_input(void)
{
    serial += burn(0.004);
}

APART void assemble(void)
{
    static volatile double x = 1;
    double from = now();
    while (now() < from + 0.016)
        for (int i = 0; i < 200; i++)
            x = x * 1.0000001;
    serial += now() - from;
}

int main(void)
{
    double begin = now(), work = 0;
    for (int step = 0; step < 25; step++) {
        read_input();
        assemble(); // disease: serial-time anywhere
        #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
        work += burn(0.015);
    }
    truth("serial", serial);
    truth("work@region", work);
    truth("instances@region", 25);
    truth("elapsed", now() - begin);
}
