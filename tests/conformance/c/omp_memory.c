/* omp_alloc and omp_free with the predefined allocators, in and out of regions. */
#include "check.h"
#include <stdint.h>

int main(void)
{
    CHECK_EQ(omp_get_default_allocator(), omp_default_mem_alloc);
    long *numbers = omp_alloc(100 * sizeof *numbers, omp_default_mem_alloc);
    CHECK(numbers != NULL);
    for (int i = 0; i < 100; i++)
        numbers[i] = i;
    omp_free(numbers, omp_default_mem_alloc);
#pragma omp parallel
    for (int i = 0; i < 50; i++) {
        char *block = omp_alloc(1000 + i, omp_null_allocator);
        CHECK(block != NULL);
        memset(block, i, 1000 + i);
        omp_free(block, omp_null_allocator);
    }
    omp_alloctrait_t traits[1] = {{omp_atk_alignment, 256}};
    omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 1, traits);
    CHECK(aligned != omp_null_allocator);
    void *block = omp_alloc(10, aligned);
    CHECK(block != NULL && (uintptr_t)block % 256 == 0);
    omp_free(block, aligned);
    omp_destroy_allocator(aligned);
    return check_done();
}
