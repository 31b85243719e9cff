/* What a region wrote and nobody needs lies in memory that is freed, and given out again with what
 * is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int in_block(void)
{
    int sum = 0, *block = malloc(40 * sizeof *block);
    memset(block, 0, 40 * sizeof *block);
#pragma omp target map(to : block[0 : 40]) map(tofrom : sum)
    for (int i = 0; i < 40; i++) sum += block[i] = i;
    free(block);
    return sum;
}

int main(void)
{
    printf("%d\n", in_block());
    int *again = malloc(40 * sizeof *again), same = 0;
    for (volatile int *at = again; at < again + 40; at++) same += *at == *at;
    printf("%d\n", same);
    free(again);
    return 0;
}
