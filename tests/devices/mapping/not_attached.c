/* What the member points to was mapped before, but the pointer comes later, bit by bit.
 * @finds: pointer-not-attached data */
#include <stdlib.h>

struct node {
    double *data;
    int length;
};

int main(void) {
    struct node n;
    double *data = malloc(64 * sizeof(double));
    double sum = 0;
    for (int i = 0; i < 64; i++)
        data[i] = 1;
    n.data = data;
    n.length = 64;
#pragma omp target enter data map(to : data[0 : 64])
#pragma omp target map(to : n) map(tofrom : sum)
    for (int i = 0; i < n.length; i++)
        sum += n.data[i]; /* @here */
#pragma omp target exit data map(delete : data[0 : 64])
    free(data);
    return sum != 64;
}
