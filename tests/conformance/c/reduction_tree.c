/* Reductions combined by the tree. */
/* @env: KMP_FORCE_REDUCTION=tree */
#include "check.h"

struct extent {
    double low, high;
    long count, pad[9];
};

static void join(struct extent *into, const struct extent *from)
{
    if (from->low < into->low)
        into->low = from->low;
    if (from->high > into->high)
        into->high = from->high;
    into->count += from->count;
}

#pragma omp declare reduction(extent : struct extent : join(&omp_out, &omp_in)) \
    initializer(omp_priv = {1e300, -1e300, 0, {0}})

int main(void)
{
    struct extent all = {1e300, -1e300, 0, {0}};
#pragma omp parallel for reduction(extent : all) schedule(dynamic, 3)
    for (int i = 0; i < 1000; i++) {
        struct extent one = {i * 37 % 1000 - 500, i * 37 % 1000 - 500, 1, {0}};
        join(&all, &one);
    }
    CHECK(all.low == -500);
    CHECK(all.high == 499);
    CHECK_EQ(all.count, 1000);
    return check_done();
}
