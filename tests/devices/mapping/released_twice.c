/* One count too many is given back.
 * @finds: released-twice a */
#include <stdio.h>

int main(void) {
    int a[10] = {0};
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(from : a)
#pragma omp target exit data map(from : a) /* @here */
    printf("%d\n", a[7]);
    return 0;
}
