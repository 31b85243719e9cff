/* taskgroup: waits for children and all they spawn, and for no others. */
#include "check.h"

static void tree(int depth, int *count)
{
#pragma omp atomic
    (*count)++;
    if (depth == 0)
        return;
    for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(depth, count)
        tree(depth - 1, count);
    }
}

int main(void)
{
    int inside = 0, outside = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(outside)
        tree(6, &outside);
        for (int r = 1; r <= 10; r++) {
#pragma omp taskgroup
            {
#pragma omp task shared(inside)
                tree(5, &inside);
#pragma omp taskgroup
                {
#pragma omp task shared(inside)
                    tree(2, &inside);
                }
            }
            int seen;
#pragma omp atomic read
            seen = inside;
            CHECK_EQ(seen, r * (63 + 7));
        }
    }
    CHECK_EQ(outside, 127);
    return check_done();
}
