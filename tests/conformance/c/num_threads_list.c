/* `num_threads` with a list and with `strict`, as LLVM 21 and later call for them: the first number
 * is for the region, the others for those nested inside; a strict number that cannot be had is told
 * of. */
/* @compilers: clang — LLVM's interface has them */
/* @distrust: clang — libomp has them from LLVM 21 on */
/* @threads: 4 */
#include "newer.h"
#include <unistd.h>

typedef struct ident ident_t;
extern int __kmpc_global_thread_num(ident_t *);
NEWER(void, __kmpc_push_num_threads_list, ident_t *, int, unsigned, int *);
NEWER(void, __kmpc_push_num_threads_list_strict, ident_t *, int, unsigned, int *, int,
      const char *);
NEWER(void, __kmpc_push_num_threads_strict, ident_t *, int, int, int, const char *);

/* Team sizes of four levels without a clause of their own, below a region with the list. */
static void sizes(int outer, int second, int third, int fourth)
{
#pragma omp parallel
    {
        CHECK_EQ(omp_get_num_threads(), outer);
        CHECK_EQ(omp_get_max_threads(), second);
#pragma omp parallel
        {
            CHECK_EQ(omp_get_num_threads(), second);
#pragma omp parallel
            {
                CHECK_EQ(omp_get_num_threads(), third);
#pragma omp parallel
                CHECK_EQ(omp_get_num_threads(), fourth);
            }
        }
    }
}

int main(void)
{
    NEWER_FIND(__kmpc_push_num_threads_list);
    NEWER_FIND(__kmpc_push_num_threads_list_strict);
    NEWER_FIND(__kmpc_push_num_threads_strict);
    int me = __kmpc_global_thread_num(NULL), three[] = {3, 2, 1}, two[] = {2, 3};
    omp_set_max_active_levels(4);
    for (int round = 0; round < 3; round++) {
        newer___kmpc_push_num_threads_list(NULL, me, 3, three);
        sizes(3, 2, 1, 1);
        newer___kmpc_push_num_threads_list_strict(NULL, me, 2, two, 2, "never told");
        sizes(2, 3, 3, 3);
    }
    /* The clause is used up. */
    omp_set_max_active_levels(1);
    CHECK_EQ(omp_get_max_threads(), 4);
#pragma omp parallel
    CHECK_EQ(omp_get_num_threads(), 4);

    /* A strict number is had, or told of: here as a warning. */
    newer___kmpc_push_num_threads_strict(NULL, me, 5, 2, NULL);
#pragma omp parallel
    CHECK_EQ(omp_get_num_threads(), 5);
    fflush(stderr);
    int pipe_ends[2], saved = dup(2);
    CHECK_EQ(pipe(pipe_ends), 0);
    dup2(pipe_ends[1], 2);
#pragma omp parallel num_threads(2)
    {
        /* Only one level may be active. */
        newer___kmpc_push_num_threads_strict(NULL, __kmpc_global_thread_num(NULL), 2, 1, "too few");
#pragma omp parallel
        CHECK_EQ(omp_get_num_threads(), 1);
    }
    dup2(saved, 2);
    char said[512] = "";
    CHECK(read(pipe_ends[0], said, sizeof said - 1) > 0);
    CHECK(strstr(said, "too few") != NULL);
    return check_done();
}
