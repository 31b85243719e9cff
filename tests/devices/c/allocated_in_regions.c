/* What a region allocates is the device's: in the region, between regions, by threads of teams, and
 * where the host had something that it freed, and has a pointer to it still. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 16, LENGTH = 100 };

static int in_one_region(void) {
    int sum = 0;
#pragma omp target map(tofrom : sum)
    {
        int *some = malloc(LENGTH * sizeof *some), *zero = calloc(LENGTH, sizeof *zero);
        for (int i = 0; i < LENGTH; i++) some[i] = i + zero[i];
        some = realloc(some, 8 * LENGTH * sizeof *some);
        some[8 * LENGTH - 1] = 1;
        void *aligned = NULL;
        if (!posix_memalign(&aligned, 64, 256)) memset(aligned, 1, 256);
        char *text = strdup("a text");
        sum = some[LENGTH - 1] + some[8 * LENGTH - 1] + ((char *)aligned)[255] + (int)strlen(text);
        free(text), free(aligned), free(zero), free(some);
    }
    return sum;
}

static int between_regions(void) {
    int *rows[ROWS] = {0}, sum = 0;
#pragma omp target data map(tofrom : rows)
    {
#pragma omp target teams distribute parallel for num_teams(2)
        for (int i = 0; i < ROWS; i++) {
            rows[i] = malloc(LENGTH * sizeof *rows[i]);
            for (int j = 0; j < LENGTH; j++) rows[i][j] = i * j;
        }
#pragma omp target map(tofrom : sum)
        for (int i = 0; i < ROWS; i++) {
            rows[i] = realloc(rows[i], 10 * LENGTH * sizeof *rows[i]);
            sum += rows[i][LENGTH - 1];
        }
#pragma omp target
        for (int i = 0; i < ROWS; i++) {
            free(rows[i]);
            rows[i] = NULL;
        }
    }
    return sum;
}

static int where_the_host_had_some(void) {
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        int *gone = malloc(800);
        for (int i = 0; i < 200; i++) gone[i] = i;
#pragma omp target map(tofrom : gone[0 : 200])
        for (int i = 0; i < 200; i++) gone[i] += round;
        free(gone);
        struct {
            int *gone, round;
        } both = {gone, round};
#pragma omp target map(tofrom : sum) map(to : both) firstprivate(gone)
        {
            int *own = malloc(800);
            for (int i = 0; i < 200; i++) own[i] = i + both.round;
            for (int i = 0; i < 200; i++) sum += own[i];
            free(own);
        }
    }
    return sum;
}

int main(void) {
    printf("%d %d %d\n", in_one_region(), between_regions(), where_the_host_had_some());
}
