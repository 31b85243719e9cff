// Variables and functions of declare target, also linked ones, and pointers among them.
#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
int counter = 5, table[8];
int *items;
static int next(int step) { return counter += step; }
struct { int *data; int length; } global;
#pragma omp end declare target

int linked[4] = {1, 2, 3, 4};
#pragma omp declare target link(linked)

int main(void) {
    int seen = 0;
#pragma omp target map(from : seen)
    {
        seen = next(2);
        for (int i = 0; i < 8; i++) table[i] = i * seen;
    }
#pragma omp target update from(counter, table)
    printf("%d %d %d\n", seen, counter, table[7]);
#pragma omp target map(always, tofrom : counter) map(tofrom : table)
    counter += table[2];
#pragma omp target update from(counter)
    printf("%d\n", counter);
#pragma omp target map(tofrom : linked)
    linked[3] += linked[0];
    printf("%d\n", linked[3]);
    items = malloc(6 * sizeof *items);
    for (int i = 0; i < 6; i++) items[i] = i;
#pragma omp target map(tofrom : items[0 : 6])
    items[5] = items[4] * 10;
    printf("%d\n", items[5]);
#pragma omp target enter data map(to : items[0 : 6])
    items[1] = 11;
#pragma omp target update to(items[1 : 1])
#pragma omp target
    items[2] = items[1] + 1;
#pragma omp target exit data map(from : items[0 : 6])
    printf("%d\n", items[2]);
    global.data = items;
    global.length = 6;
#pragma omp target map(tofrom : global.data[0 : 6])
    global.data[0] = 77;
    printf("%d\n", items[0]);
    free(items);
    return 0;
}
