/* LLVM's device library beside the runtime: it brings devices that are the host once more. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    enum { N = 100 };
    int a[N], on_host = -1, devices = omp_get_num_devices(), failed = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < N; i++)
        a[i] *= 2;
#pragma omp target map(from : on_host)
    on_host = omp_is_initial_device();
#pragma omp target nowait depend(out : a) map(tofrom : a)
    a[0] = 7;
#pragma omp taskwait
    for (int i = 1; i < N; i++)
        failed += a[i] != 2 * i;
    int *block = omp_target_alloc(sizeof a, 0),
        *local = omp_target_alloc(16, omp_get_initial_device());
    failed += !block || !local || devices < 1 || on_host || a[0] != 7;
    failed += omp_get_initial_device() != devices || omp_get_device_num() != devices;
    failed += omp_target_memcpy(block, a, sizeof a, 0, 0, 0, omp_get_initial_device()) != 0;
    a[5] = 0;
    failed += omp_target_memcpy(a, block, sizeof a, 0, 0, omp_get_initial_device(), 0) != 0;
    failed += a[5] != 10;
    omp_target_free(block, 0);
    omp_target_free(local, omp_get_initial_device());
    if (failed)
        printf("%d failures, %d devices, on the host %d\n", failed, devices, on_host);
    else
        puts("ok");
    return failed != 0;
}
