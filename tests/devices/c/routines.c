// The routines: memory of a device, copies in pieces and in rectangles, associations, what is
// present.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int host = omp_get_initial_device(), devices = omp_get_num_devices();
    int device = devices > 0 ? devices - 1 : host;
    omp_set_default_device(device);
    int a[20], back[20];
    for (int i = 0; i < 20; i++) a[i] = i, back[i] = -1;
    int *there = omp_target_alloc(sizeof a, device);
    printf("%d\n", omp_target_memcpy(there, a, sizeof a, 0, 0, device, host));
#pragma omp target is_device_ptr(there) device(device)
    for (int i = 0; i < 20; i++) there[i] += 100;
    printf("%d", omp_target_memcpy(back, there, 5 * sizeof(int), 0, 3 * sizeof(int), host, device));
    printf(" %d %d\n", back[0], back[4]);
    size_t volume[2] = {2, 3}, to[2] = {1, 1}, from[2] = {0, 2};
    size_t to_size[2] = {4, 5}, from_size[2] = {4, 5};
    printf("%d", omp_target_memcpy_rect(back, there, sizeof(int), 2, volume, to, from, to_size,
                                        from_size, host, device));
    printf(" %d %d %d\n", back[6], back[8], back[11]);
    omp_target_free(there, device);
    printf("%d\n", omp_target_memcpy(there, a, 4, 0, 0, devices + 7, host) != 0);
    if (devices > 0) {
        int *other = omp_target_alloc(sizeof a, device);
        int error = omp_target_associate_ptr(a, other, sizeof a, 0, device);
        int there = omp_target_is_present(a + 3, device);
        for (int i = 0; i < 20; i++) a[i] = -i;
#pragma omp target update to(a)
#pragma omp target map(tofrom : a)
        a[7] *= 2;
        int unchanged = a[7] == -7;
#pragma omp target update from(a)
        int *place = a, mapped = 0;
#pragma omp target data use_device_ptr(place)
        mapped = place == other;
        int taken = omp_target_disassociate_ptr(a, device);
        int again = omp_target_disassociate_ptr(a, device) != 0;
        omp_target_free(other, device);
        if (error || !there || !unchanged || a[7] != -14 || !mapped || taken || !again
            || omp_target_is_present(a, device))
            printf("association: %d %d %d %d %d %d %d\n", error, there, unchanged, a[7], mapped,
                   taken, again);
    }
    int *p = malloc(40);
    memset(p, 0, 40);
#pragma omp target data map(tofrom : p[0 : 10]) use_device_ptr(p)
    {
        int *q = p;
#pragma omp target is_device_ptr(q)
        q[9] = 12;
    }
    int array[4] = {1, 2, 3, 4};
#pragma omp target data map(tofrom : array) use_device_addr(array)
    {
#pragma omp target has_device_addr(array)
        array[1] += 40;
    }
    printf("%d %d\n", p[9], array[1]);
    printf("%d\n", omp_target_is_present(p, device) == (device == host));
    free(p);
    return 0;
}
