// Nearly all work is inside of one critical region.
// limit: lock
// has: critical (table)
#include "limit.h"

static long table[16];

APART void insert(int number)
{
    WORK(2000);
    #pragma omp critical(table)
    {
        WORK(40000);
        table[number % 16]++;
    }
}

int main(void)
{
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < 4000; i++)
        insert(i);
    long sum = 0;
    for (int i = 0; i < 16; i++)
        sum += table[i];
    printf("%ld\n", sum);
    return 0;
}
