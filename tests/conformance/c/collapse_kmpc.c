/* Collapsed nests of LLVM's interface whose inner bounds depend on outer loops: the threads' parts,
 * one after the other, are the sequential loops. And the rectangular pair. */
/* @compilers: clang — they are in that interface only */
/* @distrust: clang — libomp's last part of an upper triangle ends behind the triangle */
#include "check.h"

typedef struct {
    int kind, variable, comparison, outer;
    unsigned long long lower0, lower1, upper0, upper1;
    long long step;
    unsigned long long trip;
} bounds;

typedef struct ident ident_t;
extern int __kmpc_global_thread_num(ident_t *);
extern int __kmpc_for_collapsed_init(ident_t *, int, bounds *, bounds *, int, int *);
extern void __kmpc_for_static_fini(ident_t *, int);
extern unsigned long long __kmpc_process_loop_nest_rectang(ident_t *, int, bounds *, int);
extern void __kmpc_calc_original_ivs_rectang(ident_t *, unsigned long long, const bounds *,
                                             unsigned long long *, int);

enum { LE, GE, NE, LT, GT, SIGNED = 5, MOST = 4000 };

static int order[MOST][3], count, parts[64][6], has[64], last_of[64];

static bounds loop(int comparison, int outer, int lower0, int lower1, int upper0, int upper1,
                   int step)
{
    return (bounds){SIGNED, SIGNED, comparison, outer, lower0, lower1, upper0, upper1, step, 0};
}

static int bound(const bounds *b, int low, const int *at)
{
    return low ? (int)b->lower0 + (int)b->lower1 * at[b->outer]
               : (int)b->upper0 + (int)b->upper1 * at[b->outer];
}

static int inside(const bounds *b, int value, int end)
{
    switch (b->comparison) {
    case LE: return value <= end;
    case GE: return value >= end;
    case NE: return value != end;
    case LT: return value < end;
    default: return value > end;
    }
}

/* The sequential nest. */
static void walk(const bounds *nest, int level, int *at)
{
    if (level == 3) {
        memcpy(order[count++], at, sizeof order[0]);
        return;
    }
    const bounds *b = &nest[level];
    int end = bound(b, 0, at);
    for (at[level] = bound(b, 1, at); inside(b, at[level], end); at[level] += (int)b->step)
        walk(nest, level + 1, at);
}

static void try_nest(const bounds *nest)
{
    int at[3] = {0, 0, 0};
    count = 0;
    walk(nest, 0, at);
    int threads = 0;
    memset(has, 0, sizeof has);
#pragma omp parallel
    {
        int me = omp_get_thread_num(), gtid = __kmpc_global_thread_num(NULL);
        bounds mine[3], part[3];
        memcpy(mine, nest, sizeof mine);
        has[me] = __kmpc_for_collapsed_init(NULL, gtid, mine, part, 3, &last_of[me]);
        for (int level = 0; has[me] && level < 3; level++) {
            parts[me][level] = (int)part[level].lower0;
            parts[me][3 + level] = (int)part[level].upper0;
            CHECK(part[level].lower1 == 0 && part[level].upper1 == 0);
        }
        __kmpc_for_static_fini(NULL, gtid);
#pragma omp barrier
#pragma omp single
        threads = omp_get_num_threads();
    }
    /* Parts follow each other: the next begins behind where one ends. */
    int next = 0, lasts = 0;
    for (int t = 0; t < threads; t++) {
        if (!has[t])
            continue;
        CHECK(next < count && !memcmp(parts[t], order[next], sizeof order[0]));
        while (next < count && memcmp(parts[t] + 3, order[next], sizeof order[0]))
            next++;
        CHECK(next < count);
        next++;
        lasts += last_of[t] != 0;
        CHECK(!last_of[t] || next == count);
    }
    CHECK_EQ(next, count);
    CHECK_EQ(lasts, count > 0);
}

int main(void)
{
    bounds cube[] = {loop(LT, 0, 0, 0, 7, 0, 1), loop(LE, 0, 1, 0, 9, 0, 2),
                     loop(GT, 0, 5, 0, -5, 0, -3)};
    bounds lower[] = {loop(LT, 0, 0, 0, 12, 0, 1), loop(LE, 0, 0, 0, 0, 1, 1),
                      loop(LT, 0, 0, 0, 3, 0, 1)};
    bounds upper[] = {loop(LT, 0, 0, 0, 12, 0, 1), loop(LT, 0, 0, 1, 12, 0, 1),
                      loop(LE, 1, 0, 1, 12, 0, 1)};
    bounds falling[] = {loop(GE, 0, 9, 0, -4, 0, -2), loop(LE, 0, 0, -1, 10, 0, 1),
                        loop(GE, 1, 0, 1, -3, 0, -1)};
    bounds empty[] = {loop(LT, 0, 3, 0, 3, 0, 1), loop(LT, 0, 0, 0, 5, 1, 1),
                      loop(LT, 0, 0, 0, 3, 0, 1)};
    try_nest(cube);
    try_nest(lower);
    try_nest(upper);
    try_nest(falling);
    try_nest(empty);

    unsigned long long at[3], total = __kmpc_process_loop_nest_rectang(NULL, 0, cube, 3);
    int sequential[3] = {0, 0, 0};
    count = 0;
    walk(cube, 0, sequential);
    CHECK_EQ(total, count);
    CHECK(cube[0].comparison == LE && cube[2].comparison == GE && cube[2].trip == 4);
    for (int i = 0; i < count; i++) {
        __kmpc_calc_original_ivs_rectang(NULL, i, cube, at, 3);
        for (int level = 0; level < 3; level++)
            CHECK_EQ((int)at[level], order[i][level]);
    }
    return check_done();
}
