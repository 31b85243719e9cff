// Names of devices; memory spaces and allocators of devices (OpenMP 6.0, 27.1 and 27.2), and LLVM's
// allocators of a device's memory: blocks are the device's, as those of omp_target_alloc.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uintptr_t handle;
// Compilers' own libraries do not have them yet.
static handle (*get_device_memspace)(int, handle), (*get_device_allocator)(int, handle);
static handle (*get_devices_memspace)(int, const int *, handle),
    (*get_submemspace)(handle, int, const int *);
static int (*get_memspace_num_resources)(handle), (*get_device_from_uid)(const char *);
static const char *(*get_uid_from_device)(int);

// LLVM's handles: the default memory space of either compiler's header, a device's memory, memory
// that it shares.
enum { DEFAULT_SPACE = 0, DEVICE_MEMORY = 100, SHARED_MEMORY = 102, N = 100 };

// A block of the allocator is one of this device.
static int is_of(int device, handle allocator) {
    int host[N], *block = omp_alloc(sizeof host, (omp_allocator_handle_t)allocator),
                 right = block != NULL;
    if (!right) return 0;
    for (int i = 0; i < N; i++) host[i] = i;
    right &= !omp_target_memcpy(block, host, sizeof host, 0, 0, device, omp_get_initial_device());
#pragma omp target is_device_ptr(block) device(device)
    for (int i = 0; i < N; i++) block[i] *= 2;
    memset(host, 0, sizeof host);
    right &= !omp_target_memcpy(host, block, sizeof host, 0, 0, omp_get_initial_device(), device);
    for (int i = 0; i < N; i++) right &= host[i] == 2 * i;
    omp_free(block, (omp_allocator_handle_t)allocator);
    return right;
}

int main(void) {
    int devices = omp_get_num_devices(), right = 1;
    get_device_memspace = dlsym(RTLD_DEFAULT, "omp_get_device_memspace");
    get_device_allocator = dlsym(RTLD_DEFAULT, "omp_get_device_allocator");
    get_devices_memspace = dlsym(RTLD_DEFAULT, "omp_get_devices_memspace");
    get_submemspace = dlsym(RTLD_DEFAULT, "omp_get_submemspace");
    get_memspace_num_resources = dlsym(RTLD_DEFAULT, "omp_get_memspace_num_resources");
    get_device_from_uid = dlsym(RTLD_DEFAULT, "omp_get_device_from_uid");
    get_uid_from_device = dlsym(RTLD_DEFAULT, "omp_get_uid_from_device");
    right &= get_device_from_uid("none") == -2 && get_uid_from_device(devices + 1) == NULL;
    for (int device = 0; device <= devices; device++)
        right &= get_device_from_uid(get_uid_from_device(device)) == device;
    for (int device = 0; device < devices; device++) {
        handle space = get_device_memspace(device, DEFAULT_SPACE);
        right &= space != 0 && get_memspace_num_resources(space) == 1;
        right &= space == get_device_memspace(device, DEFAULT_SPACE);
        right &= is_of(device, get_device_allocator(device, DEFAULT_SPACE));
        omp_allocator_handle_t made = omp_init_allocator((omp_memspace_handle_t)space, 0, NULL);
        right &= is_of(device, (handle)made);
        omp_destroy_allocator(made);
        omp_set_default_device(device);
        right &= is_of(device, DEVICE_MEMORY) && is_of(device, SHARED_MEMORY);
        int two[2] = {0, 1}, first = 0, count = devices < 2 ? devices : 2;
        handle all = get_devices_memspace(count, two, DEFAULT_SPACE);
        right &= all != 0 && get_memspace_num_resources(all) == count;
        right &= get_submemspace(all, 1, &first) == get_device_memspace(0, DEFAULT_SPACE);
    }
    right &= devices == 0 || get_device_memspace(devices + 3, DEFAULT_SPACE) == 0;
    // In a region: its own memory.
    int sum = 0;
#pragma omp target map(tofrom : sum)
    {
        int *own = omp_alloc(N * sizeof *own, omp_default_mem_alloc);
        for (int i = 0; i < N; i++) own[i] = i;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
        for (int i = 0; i < N; i++) sum += own[i];
        omp_free(own, omp_default_mem_alloc);
    }
    right &= sum == N * (N - 1) / 2;
    // On the host they are the host's.
    int *block = omp_alloc(4, (omp_allocator_handle_t)(handle)DEVICE_MEMORY);
    right &= block != NULL;
    omp_free(block, omp_null_allocator);
    printf("%s\n", right ? "right" : "wrong");
    return !right;
}
