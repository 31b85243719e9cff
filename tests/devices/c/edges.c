// Routines of devices with null pointers, no bytes and devices that are not there.
#include <omp.h>
#include <stdio.h>

static int a[4] = {1, 2, 3, 4}, b[4];

int main(void) {
    int host = omp_get_initial_device(), devices = omp_get_num_devices();
    size_t one = 1, none = 0, four = 4;
    int both[2] = {devices > 0 ? devices - 1 : host, host};
    for (int i = 0; i < 2; i++) {
        int device = both[i];
        void *there = omp_target_alloc(sizeof a, device);
        printf("zero %d", omp_target_memcpy(NULL, NULL, 0, 0, 0, device, host));
        printf(" %d", omp_target_memcpy(there, a, 0, 0, 0, device, host));
        int wrong = omp_target_associate_ptr(NULL, there, 4, 0, device) != 0;
        wrong += omp_target_associate_ptr(a, NULL, 4, 0, device) != 0;
        wrong += omp_target_associate_ptr(a, there, 0, 0, device) != 0;
        wrong += omp_target_disassociate_ptr(NULL, device) != 0;
        wrong += omp_target_disassociate_ptr(a, device) != 0;
        printf(" refused %d", wrong);
        omp_target_free(NULL, device);
        printf(" copied %d", omp_target_memcpy_rect(there, a, 4, 1, &one, &none, &none, &four,
                                                    &four, device, host));
        printf(" nothing %d", omp_target_memcpy_rect(there, a, 4, 1, &none, &none, &none, &four,
                                                     &four, device, host));
        omp_target_free(there, device);
        printf(" pause %d\n", omp_pause_resource(omp_pause_soft, device));
    }
    int beyond = devices + 5;
    printf("beyond %d %d %d %d\n", omp_target_alloc(8, beyond) != NULL,
           omp_target_is_present(a, beyond),
           omp_target_memcpy(b, a, 4, 0, 0, beyond, host) != 0,
           omp_target_associate_ptr(a, b, 4, 0, beyond) != 0);
    return 0;
}
