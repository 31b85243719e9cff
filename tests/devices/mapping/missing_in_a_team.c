/* A thread of a team is the first to follow a pointer that nothing maps, not the one that met the
 * construct.
 * @finds: missing-map r */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    enum { N = 400 };
    float *r = calloc(N, sizeof *r), sum = 0;
#pragma omp target parallel for num_threads(4) schedule(static) reduction(+ : sum) \
    map(tofrom : sum)
    for (int i = 0; i < N; i++) {
        if (i == 0) usleep(200000);
        sum += r[i]; /* @here */
    }
    printf("%g\n", sum);
    free(r);
    return 0;
}
