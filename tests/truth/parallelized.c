// Loops without a directive that the compiler shares out by itself.
// @compilers: gcc — the only one that does
// @flags: -O2 -ffast-math -ftree-parallelize-loops=2 — at this level alone
#include "truth.h"

enum { LENGTH = 1 << 20, TIMES = 10 };
static double from[LENGTH], to[LENGTH];

APART void scale(double by)
{
    double half = by / 2;
    for (int i = 0; i < LENGTH; i++) // mark: scale
        to[i] = from[i] * by + half;
}

APART double total(void)
{
    double sum = 0;
    for (int i = 0; i < LENGTH; i++) // mark: total
        sum += to[i] * to[i];
    return sum;
}

int main(void)
{
    double begin = now(), sum = 0, scaling = 0, adding = 0;
    for (int i = 0; i < TIMES; i++) {
        double entered = now();
        scale(i);
        scaling += now() - entered;
        entered = now();
        sum += total();
        adding += now() - entered;
    }
    truth("region@scale", scaling);
    truth("instances@scale", TIMES);
    truth("region@total", adding);
    truth("instances@total", TIMES);
    truth("elapsed", now() - begin);
    return sum < 0;
}
