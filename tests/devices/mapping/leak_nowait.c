/* What a task has mapped is never unmapped: the line and the name are those of its construct.
 * @finds: never-unmapped numbers */
#include <stdio.h>

int main(void) {
    static int numbers[10] = {1, 2, 3};
    int total = 0;
#pragma omp target enter data map(to : numbers) nowait /* @here */
#pragma omp taskwait
#pragma omp target map(tofrom : total) nowait
    for (int i = 0; i < 10; i++)
        total += numbers[i];
#pragma omp taskwait
    printf("%d\n", total);
    return 0;
}
