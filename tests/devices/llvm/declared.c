// Variables that the device has of its own, linked ones, mappers, private copies, tasks.
// @says: 15: the host has 7 and 2, the device 8 and 50
// @says: linked 107
// @says: mapped 1005
// @says: present 1 0, updated 33, ordered 15
// @says: own 17, the host's 1
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
int counter = 7, table[4] = {1, 2, 3, 4};
int next(int x) { return 2 * x + counter; }
#pragma omp end declare target

int linked[8];
#pragma omp declare target link(linked)

typedef struct { int length; int *items; } vector;
#pragma omp declare mapper(vector v) map(v, v.items[0 : v.length])

static void declared(void) {
    int result = 0, before, there;
#pragma omp target map(from : result)
    {
        result = next(4);
        counter++;
        table[1] = 50;
    }
    if (omp_get_num_devices() == 0) counter--, table[1] = 2;
    before = counter, there = table[1];
    if (omp_get_num_devices() == 0) counter++, table[1] = 50;
#pragma omp target update from(counter, table)
    printf("%d: the host has %d and %d, the device %d and %d\n", result, before, there, counter,
           table[1]);
}

int main(void) {
    declared();
    for (int i = 0; i < 8; i++) linked[i] = i;
#pragma omp target map(tofrom : linked)
    for (int i = 0; i < 8; i++) linked[i] += 100;
    printf("linked %d\n", linked[7]);

    vector v = {6, malloc(6 * sizeof(int))};
    for (int i = 0; i < 6; i++) v.items[i] = i;
#pragma omp target map(v)
    for (int i = 0; i < v.length; i++) v.items[i] += 1000;
    printf("mapped %d\n", v.items[5]);

    int *q = calloc(10, sizeof(int)), ordered = 1, device = omp_get_default_device();
#pragma omp target enter data map(to : q[0 : 10])
#pragma omp target
    q[3] = 33;
    int present = omp_target_is_present(q, device);
#pragma omp target update from(q[2 : 4])
#pragma omp target exit data map(delete : q[0 : 10])
    int gone = omp_target_is_present(q, device) && omp_get_num_devices();
#pragma omp target nowait map(tofrom : ordered) depend(out : ordered)
    ordered = 5;
#pragma omp target nowait map(tofrom : ordered) depend(inout : ordered)
    ordered *= 3;
#pragma omp taskwait
    printf("present %d %d, updated %d, ordered %d\n", present, gone, q[3], ordered);

    int copies[3] = {1, 2, 3}, own = 0;
    double half = 2.5;
#pragma omp target firstprivate(copies, half) map(from : own)
    {
        copies[0] = 9;
        own = copies[0] + copies[2] + (int)(half * 2);
    }
    printf("own %d, the host's %d\n", own, copies[0]);
    free(v.items);
    free(q);
    return 0;
}
