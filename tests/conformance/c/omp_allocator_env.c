/* OMP_ALLOCATOR describes the default allocator by a memory space and traits.
 *
 * @env: OMP_ALLOCATOR=omp_default_mem_space:alignment=256,pool_size=65536,fallback=null_fb
 * @threads: 1 4
 * @distrust: gcc — libgomp takes spaces and traits from GCC 13 on
 */
#include "check.h"
#include <stdint.h>

int main(void)
{
    CHECK(omp_get_default_allocator() != omp_null_allocator);
#pragma omp parallel
    for (int i = 1; i < 20; i++) {
        char *block = omp_alloc(i, omp_null_allocator);
        CHECK(block != NULL && (uintptr_t)block % 256 == 0);
        if (block)
            memset(block, i, i);
        omp_free(block, omp_null_allocator);
    }
    /* The pool is smaller than this, and there is no other. */
    CHECK(omp_alloc(1 << 17, omp_null_allocator) == NULL);
    char *named = omp_alloc(1 << 17, omp_default_mem_alloc);
    CHECK(named != NULL);
    omp_free(named, omp_default_mem_alloc);
    omp_set_default_allocator(omp_default_mem_alloc);
    CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
    char *large = omp_alloc(1 << 17, omp_null_allocator);
    CHECK(large != NULL);
    omp_free(large, omp_null_allocator);
    return check_done();
}
