// Threads of a region and its teams share what is mapped by atomics, locks and barriers.
#include <omp.h>
#include <stdio.h>

int main(void) {
    int count = 0, most = 0, order[8] = {0}, table[64] = {0};
#pragma omp target teams distribute parallel for map(tofrom : count, most, table)
    for (int i = 0; i < 640; i++) {
#pragma omp atomic
        count++;
#pragma omp atomic
        table[i % 64] += i;
#pragma omp critical
        if (i > most)
            most = i;
    }
#pragma omp target parallel num_threads(4) map(tofrom : order)
    {
        int me = omp_get_thread_num();
        order[me] = me + 1;
#pragma omp barrier
        if (me == 0)
            for (int i = 0; i < 4; i++)
                order[4 + i] = order[i] > 0;
    }
    printf("%d %d %d\n", count, most, table[63]);
    return 0;
}
