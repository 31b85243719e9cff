/* An allocator's pool: what the runtime puts around a block counts too, so that two blocks of half
 * the pool never fit; a block that grows pays only for what it grows by; freed memory is there
 * again.
 *
 * @distrust: clang — its runtime takes a growing block for a second one
 */
#include "check.h"
#include <stdint.h>

int main(void)
{
    omp_alloctrait_t traits[2] = {{omp_atk_pool_size, 1 << 20},
                                  {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    CHECK(pool != omp_null_allocator);
    for (int round = 0; round < 3; round++) {
        char *first = omp_alloc(1 << 19, pool);
        CHECK(first != NULL);
        CHECK(omp_alloc(1 << 19, pool) == NULL);
        omp_free(first, pool);
        char *small = omp_alloc(100, pool);
        CHECK(small != NULL);
        memset(small, 7, 100);
        char *large = omp_realloc(small, 900000, pool, pool);
        CHECK(large != NULL && large[99] == 7);
        char *larger = omp_realloc(large, 1000000, pool, pool);
        CHECK(larger != NULL && larger[0] == 7);
        CHECK(omp_realloc(larger, 1 << 20, pool, pool) == NULL);
        CHECK(larger[99] == 7);
        omp_free(larger, pool);
    }
    omp_destroy_allocator(pool);
    return check_done();
}
