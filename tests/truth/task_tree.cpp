// healthy
// A recursive function makes two tasks each, down to leaves that work.
#include "truth.h"

static own_t leaves[4], nodes[4];

__attribute__((noinline)) static void descend(int depth)
{
    if (depth == 0) {
        double took = burn(0.002);
        leaves[omp_get_thread_num()].seconds += took;
        return;
    }
    nodes[omp_get_thread_num()].seconds += burn(0.0002);
    #pragma omp task // mark: left
    descend(depth - 1);
    #pragma omp task // mark: right
    descend(depth - 1);
    #pragma omp taskwait
}

int main()
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    descend(9);
    truth("tasks", 1022);
    truth("work@region", sum_of(leaves, 2) + sum_of(nodes, 2));
    truth("elapsed", now() - begin);
}
