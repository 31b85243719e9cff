/* A structure is mapped, and not what its member points to.
 * @finds: missing-map v.data */
#include <stdlib.h>

struct vector {
    int length;
    double *data;
};

int main(void) {
    struct vector v = {8, malloc(8 * sizeof(double))};
    double sum = 0;
    for (int i = 0; i < v.length; i++)
        v.data[i] = i;
#pragma omp target map(to : v) map(tofrom : sum)
    for (int i = 0; i < v.length; i++)
        sum += v.data[i]; /* @here */
    free(v.data);
    return sum == 28;
}
