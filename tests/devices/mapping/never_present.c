/* What is released was never mapped: another array was.
 * @finds: released-twice b
 * @finds: never-unmapped a */
#include <stdio.h>

static int a[10], b[10];

int main(void) {
#pragma omp target enter data map(to : a) /* @here */
#pragma omp target exit data map(delete : b) /* @here */
    printf("%d\n", a[7] + b[7]);
    return 0;
}
