// healthy
// A tree of taskgroups: each node makes two tasks and waits for them and all that they make.
#include "truth.h"

static own_t nodes[2], leaves[2];

static void tree(int depth)
{
    nodes[omp_get_thread_num()].seconds += burn(0.001);
    if (depth == 0) {
        leaves[omp_get_thread_num()].seconds += burn(0.006);
        return;
    }
    #pragma omp taskgroup
    {
        #pragma omp task // mark: left
        tree(depth - 1);
        #pragma omp task // mark: right
        tree(depth - 1);
    }
}

int main(void)
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    tree(6);
    truth("work@region", sum_of(nodes, 2) + sum_of(leaves, 2));
    truth("tasks@left", 63);
    truth("tasks@right", 63);
    truth("elapsed", now() - begin);
}
