/* Five levels of teams of two. */
#include "check.h"

static int leaves;

static void descend(int level)
{
    if (level == 5) {
#pragma omp atomic
        leaves++;
        return;
    }
#pragma omp parallel num_threads(2)
    {
        CHECK_EQ(omp_get_level(), level + 1);
        descend(level + 1);
    }
}

int main(void)
{
    omp_set_max_active_levels(8);
    descend(0);
    CHECK_EQ(leaves, 32);
    omp_set_max_active_levels(1);
    leaves = 0;
    descend(0);
    CHECK_EQ(leaves, 2);
    return check_done();
}
