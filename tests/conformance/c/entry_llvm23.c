/* The names that LLVM 23 added: a host has no memory of a group of threads. */
/* @compilers: clang — they are in that interface only */
/* @distrust: clang — earlier ones have none of them */
#include "newer.h"

NEWER(void *, omp_get_dyn_gprivate_ptr, size_t, int);
NEWER(void *, omp_get_dyn_gprivate_nofb_ptr, size_t, int);
NEWER(size_t, omp_get_dyn_gprivate_size, int);
NEWER(uintptr_t, omp_get_dyn_gprivate_memspace, int);

int main(void)
{
    NEWER_FIND(omp_get_dyn_gprivate_ptr);
    NEWER_FIND(omp_get_dyn_gprivate_nofb_ptr);
    NEWER_FIND(omp_get_dyn_gprivate_size);
    NEWER_FIND(omp_get_dyn_gprivate_memspace);
    for (int group = 0; group < 2; group++) {
        CHECK(newer_omp_get_dyn_gprivate_ptr(0, group) == NULL);
        CHECK(newer_omp_get_dyn_gprivate_nofb_ptr(64, group) == NULL);
        CHECK_EQ(newer_omp_get_dyn_gprivate_size(group), 0);
        CHECK_EQ(newer_omp_get_dyn_gprivate_memspace(group), 0);
    }

    const uintptr_t *space = dlsym(RTLD_DEFAULT, "omp_cgroup_mem_space");
    CHECK(space && *space == 5);
    return check_done();
}
