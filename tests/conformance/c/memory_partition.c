/* Memory partitions: an allocator asks the program's procedures for the parts of each allocation,
 * with the right arguments, and releases what they made. By C's names and by Fortran's. */
/* @distrust: gcc clang — no other runtime has the routines */
#include "newer.h"
#include <omp.h>

typedef uintptr_t handle;
typedef void (*compute_t)(uintptr_t, size_t, intptr_t, handle *);
typedef void (*release_t)(handle *);
NEWER(void, omp_init_mempartitioner, handle *, int, compute_t, release_t);
NEWER(void, omp_destroy_mempartitioner, const handle *);
NEWER(void, omp_init_mempartition, handle *, size_t, const void *);
NEWER(void, omp_destroy_mempartition, const handle *);
NEWER(int, omp_mempartition_set_part, handle *, size_t, int, size_t);
NEWER(void *, omp_mempartition_get_user_data, const handle *);
NEWER(size_t, omp_get_memspace_pagesize, uintptr_t);
NEWER(void, omp_init_mempartitioner_, handle *, const int *, compute_t, release_t);
NEWER(void, omp_destroy_mempartitioner_, const handle *);
NEWER(void, omp_init_mempartition_, handle *, const size_t *, void *const *);
NEWER(void, omp_destroy_mempartition_, const handle *);
NEWER(int, omp_mempartition_set_part_, handle *, const size_t *, const int *, const size_t *);
NEWER(void *, omp_mempartition_get_user_data_, const handle *);
NEWER(size_t, omp_get_memspace_pagesize_, const uintptr_t *);

enum { PARTITION = 8, PARTITIONER = 15, ARGUMENT = 16, BY_PARTITIONER = 23, DYNAMIC = 3 };

static int computed, released, by_fortran;
static size_t page;
static char data;

static void compute(uintptr_t space, size_t size, intptr_t argument, handle *partition)
{
    computed++;
    if (by_fortran)
        space = *(uintptr_t *)space;
    CHECK_EQ(space, omp_large_cap_mem_space);
    CHECK(size == 2 * page + 100 && argument == 77 && *partition == 0);
    newer_omp_init_mempartition(partition, 3, &data);
    CHECK(newer_omp_mempartition_get_user_data(partition) == &data);
    CHECK_EQ(newer_omp_mempartition_set_part(partition, 0, 0, page), 0);
    CHECK_EQ(newer_omp_mempartition_set_part(partition, 1, 0, page + 1), -1);
    CHECK_EQ(newer_omp_mempartition_set_part(partition, 1, 1, page), -1);
    CHECK_EQ(newer_omp_mempartition_set_part(partition, 1, 0, page), 0);
    CHECK_EQ(newer_omp_mempartition_set_part(partition, 2, 0, 100), 0);
    CHECK_EQ(newer_omp_mempartition_set_part(partition, 3, 0, 0), -1);
}

static void compute_in_fortran(uintptr_t space, size_t size, intptr_t argument, handle *partition)
{
    size_t three = 3, part = 2, large = size - 2 * page;
    int resource = 0;
    void *mine = &data;
    compute(space, size, argument, partition);
    newer_omp_destroy_mempartition_(partition);
    CHECK_EQ(*partition, 0);
    newer_omp_init_mempartition_(partition, &three, &mine);
    CHECK(newer_omp_mempartition_get_user_data_(partition) == &data);
    CHECK_EQ(newer_omp_mempartition_set_part_(partition, &part, &resource, &large), 0);
}

static void release(handle *partition)
{
    released++;
    CHECK(newer_omp_mempartition_get_user_data(partition) == &data);
    newer_omp_destroy_mempartition(partition);
}

static omp_allocator_handle_t make(handle partitioner)
{
    omp_alloctrait_t traits[] = {
        {(omp_alloctrait_key_t)PARTITION, BY_PARTITIONER},
        {(omp_alloctrait_key_t)PARTITIONER, partitioner},
        {(omp_alloctrait_key_t)ARGUMENT, 77},
    };
    return omp_init_allocator(omp_large_cap_mem_space, 3, traits);
}

static void use(handle partitioner, int releases)
{
    omp_allocator_handle_t allocator = make(partitioner);
    computed = released = 0;
    CHECK(allocator != omp_null_allocator);
    for (int i = 0; i < 3; i++) {
        char *block = (char *)omp_alloc(2 * page + 100, allocator);
        CHECK(block && (uintptr_t)block % page == 0);
        if (block)
            memset(block, 1, 2 * page + 100);
        omp_free(block, allocator);
    }
    CHECK(computed >= 1 && released == (releases ? computed : 0));
    omp_destroy_allocator(allocator);
}

int main(void)
{
    handle partitioner = 0;
    uintptr_t space = omp_default_mem_space;
    const int lifetime = DYNAMIC;
    NEWER_FIND(omp_init_mempartitioner);
    NEWER_FIND(omp_destroy_mempartitioner);
    NEWER_FIND(omp_init_mempartition);
    NEWER_FIND(omp_destroy_mempartition);
    NEWER_FIND(omp_mempartition_set_part);
    NEWER_FIND(omp_mempartition_get_user_data);
    NEWER_FIND(omp_get_memspace_pagesize);
    NEWER_FIND(omp_init_mempartitioner_);
    NEWER_FIND(omp_destroy_mempartitioner_);
    NEWER_FIND(omp_init_mempartition_);
    NEWER_FIND(omp_destroy_mempartition_);
    NEWER_FIND(omp_mempartition_set_part_);
    NEWER_FIND(omp_mempartition_get_user_data_);
    NEWER_FIND(omp_get_memspace_pagesize_);
    page = newer_omp_get_memspace_pagesize(space);
    CHECK(page >= 4096 && newer_omp_get_memspace_pagesize_(&space) == page);

    CHECK(make(0) == omp_null_allocator);
    newer_omp_init_mempartitioner(&partitioner, DYNAMIC, compute, release);
    CHECK(partitioner != 0);
    use(partitioner, 1);
    newer_omp_destroy_mempartitioner(&partitioner);
    CHECK_EQ(partitioner, 0);

    /* Nobody to release it: that is the runtime's matter. */
    newer_omp_init_mempartitioner(&partitioner, 1, compute, NULL);
    use(partitioner, 0);
    newer_omp_destroy_mempartitioner_(&partitioner);

    by_fortran = 1;
    newer_omp_init_mempartitioner_(&partitioner, &lifetime, compute_in_fortran, release);
    use(partitioner, 1);
    newer_omp_destroy_mempartitioner(&partitioner);
    return check_done();
}
