/* is_device_ptr with an address of the host's.
 * @finds: host-address-on-device p */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = calloc(40, sizeof *p), value = 1;
#pragma omp target is_device_ptr(p) map(from : value)
    value = p[2]; /* @here */
    printf("%d\n", value);
    free(p);
    return 0;
}
