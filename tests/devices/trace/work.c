/*
 * Target constructs of every kind, as often as the first argument says, from as many threads as the
 * second: transfers both ways, deferred constructs, routines, every device.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int once(int device, int round)
{
    int a[64], sum = 0, scalar = round;
    for (int i = 0; i < 64; i++) a[i] = i + round;
#pragma omp target data map(to : a) device(device)
    {
#pragma omp target map(tofrom : sum) map(to : a) device(device)
        for (int i = 0; i < 64; i++) sum += a[i] + scalar - round;
        a[0] = 1000;
#pragma omp target update to(a[0 : 1]) device(device)
#pragma omp target map(from : sum) map(to : a) device(device)
        sum = a[0] + a[1];
    }
#pragma omp target enter data map(to : a[0 : 8]) device(device)
#pragma omp target nowait map(tofrom : a[0 : 8]) depend(inout : a) device(device)
    a[1] += 1;
#pragma omp taskwait
#pragma omp target exit data map(from : a[0 : 8]) device(device)
    int *there = omp_target_alloc(sizeof a, device), host = omp_get_initial_device();
    int back[64] = {0};
    omp_target_memcpy(there, a, sizeof a, 0, 0, device, host);
    omp_target_memcpy(back, there, sizeof a, 0, 0, host, device);
    omp_target_free(there, device);
    return sum == 1000 + 1 + round && a[1] == round + 2 && back[1] == a[1] &&
           back[63] == 63 + round;
}

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 1, threads = count > 2 ? atoi(arguments[2]) : 1,
        good = 0;
    int devices = omp_get_num_devices();
#pragma omp parallel for num_threads(threads) reduction(+ : good) schedule(dynamic)
    for (int round = 0; round < rounds; round++) good += once(devices ? round % devices : 0, round);
    printf("%s\n", good == rounds ? "right" : "wrong");
    return good != rounds;
}
