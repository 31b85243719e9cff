/* GCC 17's entry points, called as its compiled code calls them: static loops that ask once for
 * count and number, barriers of each kind, single, masked and scope with their ends, reductions. */
/* @compilers: gcc — they are in its interface only */
/* @distrust: gcc — libgomp has them from GCC 17 on */
#include "newer.h"

NEWER(_Complex int, GOMP_loop_static_worksharing, unsigned long long);
NEWER(_Complex int, GOMP_loop_static_worksharing_start, unsigned long long);
NEWER(void, GOMP_loop_static_worksharing_dispatch, unsigned long long, unsigned long long);
NEWER(void, GOMP_loop_static_worksharing_end, void);
NEWER(_Complex int, GOMP_distribute_static_worksharing, unsigned long long);
NEWER(_Complex int, GOMP_distribute_static_worksharing_start, unsigned long long);
NEWER(void, GOMP_distribute_static_worksharing_dispatch, unsigned long long, unsigned long long);
NEWER(void, GOMP_distribute_static_worksharing_end, void);
NEWER(void, GOMP_barrier_ext, int);
NEWER(bool, GOMP_barrier_cancel_ext, int);
NEWER(bool, GOMP_has_masked_thread_num, int);
NEWER(bool, GOMP_has_masked_thread_num_with_end, int);
NEWER(void, GOMP_masked_end, void);
NEWER(bool, GOMP_single_start_with_end, void);
NEWER(void, GOMP_single_end, void);
NEWER(void, GOMP_scope_start_with_end, uintptr_t *);
NEWER(void, GOMP_scope_end, void);
NEWER(void, GOMP_reduction_start, void);
NEWER(void, GOMP_reduction_end, void);
NEWER(void *, GOMP_alloc, size_t, size_t, uintptr_t);
NEWER(void, GOMP_free, void *, uintptr_t);
NEWER(void, GOMP_add_alloc, void *);
NEWER(bool, GOMP_is_alloc, void *);
NEWER(void, GOMP_interop, int, int, void **, const void *, const char *, int, const void *, int,
      void **, unsigned, void **);
NEWER(void *, GOMP_target_map_indirect_ptr, void *);

/* What gfortran calls for functions with a text as their result. */
NEWER(void, omp_get_uid_from_device_, const char **, size_t *, int);
NEWER(void, omp_get_uid_from_device_8_, const char **, size_t *, long long);
NEWER(int, omp_get_device_from_uid_, const char *, size_t);
NEWER(void, omp_get_interop_name_, const char **, size_t *, void *, int);
NEWER(void, omp_get_interop_type_desc_, const char **, size_t *, void *, int);
NEWER(void, omp_get_interop_str_, const char **, size_t *, void *, int, int *);
NEWER(void, omp_get_interop_rc_desc_, const char **, size_t *, void *, int);

enum { N = 1000 };
static int touched[N];

/* What older code calls for a scope with a task reduction, GCC 17's calls with the same table. */
void GOMP_scope_start(uintptr_t *table)
{
    newer_GOMP_scope_start_with_end(table);
}

/* A static loop without a chunk, expanded as GCC does. */
static void static_loop(bool told)
{
    _Complex int pair =
        told ? newer_GOMP_loop_static_worksharing_start(N) : newer_GOMP_loop_static_worksharing(N);
    int count = __real__ pair, number = __imag__ pair;
    CHECK_EQ(count, omp_get_num_threads());
    CHECK_EQ(number, omp_get_thread_num());
    int share = N / count, rest = N % count;
    if (number < rest)
        share++, rest = 0;
    int first = share * number + rest;
    if (told && share > 0)
        newer_GOMP_loop_static_worksharing_dispatch(first, share);
    for (int i = first; i < first + share; i++)
        __atomic_add_fetch(&touched[i], 1, __ATOMIC_RELAXED);
    if (told)
        newer_GOMP_loop_static_worksharing_end();
    newer_GOMP_barrier_ext(1);
}

static void find_all(void)
{
    NEWER_FIND(GOMP_loop_static_worksharing);
    NEWER_FIND(GOMP_loop_static_worksharing_start);
    NEWER_FIND(GOMP_loop_static_worksharing_dispatch);
    NEWER_FIND(GOMP_loop_static_worksharing_end);
    NEWER_FIND(GOMP_distribute_static_worksharing);
    NEWER_FIND(GOMP_distribute_static_worksharing_start);
    NEWER_FIND(GOMP_distribute_static_worksharing_dispatch);
    NEWER_FIND(GOMP_distribute_static_worksharing_end);
    NEWER_FIND(GOMP_barrier_ext);
    NEWER_FIND(GOMP_barrier_cancel_ext);
    NEWER_FIND(GOMP_has_masked_thread_num);
    NEWER_FIND(GOMP_has_masked_thread_num_with_end);
    NEWER_FIND(GOMP_masked_end);
    NEWER_FIND(GOMP_single_start_with_end);
    NEWER_FIND(GOMP_single_end);
    NEWER_FIND(GOMP_scope_start_with_end);
    NEWER_FIND(GOMP_scope_end);
    NEWER_FIND(GOMP_reduction_start);
    NEWER_FIND(GOMP_reduction_end);
    NEWER_FIND(GOMP_alloc);
    NEWER_FIND(GOMP_free);
    NEWER_FIND(GOMP_add_alloc);
    NEWER_FIND(GOMP_is_alloc);
    NEWER_FIND(GOMP_interop);
    NEWER_FIND(GOMP_target_map_indirect_ptr);
    NEWER_FIND(omp_get_uid_from_device_);
    NEWER_FIND(omp_get_uid_from_device_8_);
    NEWER_FIND(omp_get_device_from_uid_);
    NEWER_FIND(omp_get_interop_name_);
    NEWER_FIND(omp_get_interop_type_desc_);
    NEWER_FIND(omp_get_interop_str_);
    NEWER_FIND(omp_get_interop_rc_desc_);
}

int main(void)
{
    find_all();
    int singles = 0, masked = 0, ends = 0, a = 0, b = 0, n = 0, scopes = 0;
#pragma omp parallel
    {
        for (int round = 0; round < 10; round++)
            static_loop(round % 2);
        if (newer_GOMP_single_start_with_end()) {
            singles++;
            newer_GOMP_single_end();
        }
        newer_GOMP_barrier_ext(1);
        if (newer_GOMP_has_masked_thread_num_with_end(omp_get_num_threads() - 1)) {
            masked++;
            CHECK_EQ(omp_get_thread_num(), omp_get_num_threads() - 1);
            newer_GOMP_masked_end();
        }
        if (newer_GOMP_has_masked_thread_num(0))
            ends++;
        newer_GOMP_scope_start_with_end(NULL);
        newer_GOMP_scope_end();
#pragma omp scope reduction(task, + : scopes)
        {
#pragma omp task in_reduction(+ : scopes)
            scopes += 3;
        }
        newer_GOMP_scope_end();
        for (int i = 0; i < 100; i++) {
            newer_GOMP_reduction_start();
            a += 1;
            b += 2;
            newer_GOMP_reduction_end();
        }
        newer_GOMP_barrier_ext(0);
        newer_GOMP_barrier_ext(2);
        CHECK(!newer_GOMP_barrier_cancel_ext(2));
#pragma omp single
        n = omp_get_num_threads();
    }
    for (int i = 0; i < N; i++)
        CHECK_EQ(touched[i], 10);
    CHECK_EQ(singles, 1);
    CHECK_EQ(masked, 1);
    CHECK_EQ(ends, 1);
    CHECK_EQ(scopes, 3 * n);
    CHECK_EQ(a, 100 * n);
    CHECK_EQ(b, 200 * n);

    int teams[64] = {0};
#pragma omp teams num_teams(3)
    {
        bool told = omp_get_team_num() % 2;
        _Complex int pair = told ? newer_GOMP_distribute_static_worksharing_start(N)
                                 : newer_GOMP_distribute_static_worksharing(N);
        CHECK_EQ(__real__ pair, omp_get_num_teams());
        CHECK_EQ(__imag__ pair, omp_get_team_num());
        __atomic_add_fetch(&teams[__imag__ pair], 1, __ATOMIC_RELAXED);
        if (told) {
            newer_GOMP_distribute_static_worksharing_dispatch(0, 1);
            newer_GOMP_distribute_static_worksharing_end();
        }
    }
    CHECK_EQ(teams[0] + teams[1] + teams[2], 3);

    /* Fortran's `allocators`: what was noted is known once. */
    void *block = newer_GOMP_alloc(64, 100, 1), *plain = malloc(10);
    newer_GOMP_add_alloc(block);
    newer_GOMP_add_alloc(NULL);
    CHECK(!newer_GOMP_is_alloc(plain) && !newer_GOMP_is_alloc(NULL));
    CHECK((uintptr_t)block % 64 == 0 && newer_GOMP_is_alloc(block) && !newer_GOMP_is_alloc(block));
    newer_GOMP_free(block, 0);
    free(plain);

    /* Without a device an interop object is none. */
    void *object = &object, *other = &other;
    void *made[] = {&object}, *ended[] = {&other};
    int kinds[] = {1};
    newer_GOMP_interop(-5, 1, made, kinds, NULL, 0, NULL, 1, ended, 0, NULL);
    CHECK(object == NULL && other == NULL);
    CHECK(newer_GOMP_target_map_indirect_ptr(&object) == &object);

    const char *text = "", *same = "";
    size_t length = 0;
    int code = 5;
    newer_omp_get_uid_from_device_(&text, &length, -1);
    CHECK(text && length == strlen(text));
    newer_omp_get_uid_from_device_8_(&same, &length, omp_get_initial_device());
    CHECK(same == text && newer_omp_get_device_from_uid_(text, length) == omp_get_initial_device());
    newer_omp_get_uid_from_device_(&text, &length, 99);
    CHECK(!text && length == 0 && newer_omp_get_device_from_uid_("nowhere ", 8) < 0);
    newer_omp_get_interop_name_(&text, &length, NULL, -1);
    CHECK(length == 5 && !memcmp(text, "fr_id", 5));
    newer_omp_get_interop_type_desc_(&text, &length, NULL, -3);
    CHECK(length == 3 && !memcmp(text, "int", 3));
    newer_omp_get_interop_str_(&text, &length, NULL, -2, &code);
    CHECK(!text && length == 0 && code == -1);
    newer_omp_get_interop_rc_desc_(&text, &length, NULL, 0);
    CHECK(length > 0);
    return check_done();
}
