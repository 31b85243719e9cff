/*
 * Regions that do on devices what events have: teams, loops, tasks, critical sections, barriers.
 * The host does nothing of that.
 */
#include <omp.h>
#include <stdio.h>

static int region(int device)
{
    int sum = 0, tasks = 0, last = 0;
#pragma omp target map(tofrom : sum, tasks, last) device(device)
    {
#pragma omp parallel num_threads(3)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 20; i++)
#pragma omp critical
                sum += i;
#pragma omp single
            for (int i = 0; i < 4; i++)
#pragma omp task
#pragma omp atomic
                tasks += 1;
#pragma omp barrier
#pragma omp masked
            last = omp_get_num_threads();
        }
#pragma omp parallel for num_threads(2) reduction(+ : last)
        for (int i = 0; i < 8; i++) last += 1;
    }
    return sum == 190 && tasks == 4 && last == 11;
}

int main(void)
{
    int right = 1, devices = omp_get_num_devices();
    for (int round = 0; round < 10; round++) right &= region(devices ? round % devices : 0);
    printf("%s\n", right ? "right" : "wrong");
    return !right;
}
