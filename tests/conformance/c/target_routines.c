/* The device routines where there is no device but the host. */
/* @compilers: gcc — LLVM keeps them in libomptarget */
#include "check.h"

int main(void)
{
    CHECK_EQ(omp_get_num_devices(), 0);
    CHECK_EQ(omp_get_initial_device() == omp_get_num_devices() || omp_get_initial_device() < 0, 1);
    CHECK_EQ(omp_is_initial_device(), 1);
    int host = omp_get_initial_device();
    int from[10], to[10] = {0};
    for (int i = 0; i < 10; i++)
        from[i] = i * i;
    CHECK_EQ(omp_target_memcpy(to, from, 5 * sizeof(int), 2 * sizeof(int), 1 * sizeof(int), host,
                               host),
             0);
    CHECK_EQ(to[2], 1);
    CHECK_EQ(to[6], 25);
    CHECK_EQ(to[7], 0);
    CHECK(omp_target_is_present(from, host));
    char *block = omp_target_alloc(64, host);
    CHECK(block != NULL);
    block[63] = 1;
    omp_target_free(block, host);
    omp_set_default_device(host);
    CHECK_EQ(omp_get_default_device(), host);
    return check_done();
}
