// A structure is copied with its pointer, which nobody attaches: the region writes where the host's
// data is, and the device's copy of that, which did not change, comes back over it.
// @host: 5
// @device: 0
#include <stdio.h>
#include <stdlib.h>
struct holder { int *data; int length; };
int main(void) {
    struct holder h = {calloc(8, sizeof(int)), 8};
    int *data = h.data;
#pragma omp target enter data map(to : data[0 : 8])
#pragma omp target map(to : h)
    h.data[3] = 5;
#pragma omp target exit data map(from : data[0 : 8])
    printf("%d\n", data[3]);
    free(data);
    return 0;
}
