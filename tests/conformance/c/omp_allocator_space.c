/* OMP_ALLOCATOR with a memory space and no traits means the space's own allocator.
 *
 * @env: OMP_ALLOCATOR=omp_large_cap_mem_space
 * @threads: 1 4
 * @distrust: gcc — libgomp takes spaces from GCC 13 on
 * @distrust: clang — libomp makes an allocator of its own
 */
#include "check.h"

int main(void)
{
    CHECK(omp_get_default_allocator() == omp_large_cap_mem_alloc);
    char *block = omp_alloc(1 << 20, omp_null_allocator);
    CHECK(block != NULL);
    omp_free(block, omp_null_allocator);
    return check_done();
}
