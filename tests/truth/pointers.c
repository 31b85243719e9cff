// Regions of several functions that one loop calls through a table of pointers.
#include "truth.h"

static own_t sums[4], late[2];

APART void even(int slot)
{
    double sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: even
    sum += burn(0.008);
    sums[slot].seconds += sum;
}

APART void uneven(int slot)
{
    double own[2] = {0};
    #pragma omp parallel num_threads(2) // mark: uneven, disease: imbalance
    own[omp_get_thread_num()] = burn(omp_get_thread_num() ? 0.016 : 0.004);
    sums[slot].seconds += own[0] + own[1];
    late[0].seconds += own[1] > own[0] ? own[1] - own[0] : own[0] - own[1];
}

APART void loops(int slot)
{
    double sum = 0;
    #pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(dynamic) // mark: loop
    for (int i = 0; i < 8; i++)
        sum += burn(0.002);
    sums[slot].seconds += sum;
}

static void (*volatile const table[])(int) = {even, uneven, loops, even};

int main(void)
{
    double begin = now();
    for (int step = 0; step < 60; step++)
        table[step % 4](step % 4);
    truth("work@even", sums[0].seconds + sums[3].seconds);
    truth("work@uneven", sums[1].seconds);
    truth("imbalance@uneven", late[0].seconds);
    truth("work@loop", sums[2].seconds);
    truth("instances@even", 30);
    truth("instances@uneven", 15);
    truth("instances@loop", 15);
    truth("elapsed", now() - begin);
}
