/* Constructs in functions that call themselves, and that end in the runtime. */
#include <omp.h>
#include <stdio.h>

static int tree(int n)
{
    int left = 0, right = 0;
    if (n == 0)
        return 1;
#pragma omp task shared(left)
    left = tree(n - 1);
#pragma omp task shared(right)
    right = tree(n - 1);
#pragma omp taskwait /* taskwait */
    return left + right; /* behind taskwait */
}

static int deep(int n)
{
    int sum = n; /* deep starts */
    if (n == 0)
        return 0;
#pragma omp critical(gate) /* critical */
    {
        sum++; /* in critical */
    }
    sum += deep(n - 1); /* behind critical */
    return sum;
}

int main(void)
{
    int leaves = 0, size = 0;
#pragma omp parallel num_threads(2) /* region */
    {
#pragma omp single
        leaves = tree(6);
        if (omp_get_thread_num() == 0)
            size = omp_get_num_threads() + omp_get_level(); /* asks */
    } /* last */
    size += deep(4); /* behind region */
    printf("%d %d\n", leaves, size);
    return 0;
}
