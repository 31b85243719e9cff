// Some members of structures are mapped, and structures are copied with what is between their
// members.
#include <stdio.h>
#include <string.h>

struct mixed {
    char tag;
    double value;
    short small;
    unsigned bits : 3, more : 13;
    int array[5];
    char end;
};

int main(void) {
    struct mixed one, two[4], copy;
    memset(&copy, 0, sizeof copy);
    one = (struct mixed){.tag = 'a', .value = 2, .small = 3, .bits = 5, .more = 77, .end = 'e'};
    for (int i = 0; i < 5; i++)
        one.array[i] = i;
    for (int i = 0; i < 4; i++)
        two[i] = one;
#pragma omp target map(to : one) map(tofrom : two) map(from : copy)
    {
        copy = one;
        two[2] = one;
        two[1].bits = 6;
        two[3].value += copy.value + two[0].array[4];
    }
    printf("%c %g %d %u %d\n", copy.tag, two[3].value, copy.small, two[1].bits, two[1].more);
#pragma omp target enter data map(to : one.value, one.array)
    one.tag = 'b';
    one.small = 9;
    one.more = 12;
#pragma omp target
    one.value += one.array[3];
#pragma omp target update from(one.value)
#pragma omp target exit data map(release : one.value, one.array)
    printf("%c %g %d\n", one.tag, one.value, one.small);
    return 0;
}
