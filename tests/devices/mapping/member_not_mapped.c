/* Two members of a structure are mapped; the one between them is used.
 * @finds: beyond-section|never-written-on-device s */
#include <stdio.h>

struct three {
    long first;
    long middle;
    long last;
};

int main(void) {
    struct three s = {1, 2, 3};
    long sum = 0;
    struct three *p = &s;
#pragma omp target map(to : p->first, p->last) map(from : sum)
    sum = p->first + p->middle + p->last; /* @here */
    printf("%ld\n", sum);
    return 0;
}
