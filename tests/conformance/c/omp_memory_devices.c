/* Memory spaces and allocators of devices (OpenMP 6.0) with a device library in the process: here
 * the program itself stands for it, with three devices of two resources each. */
/* @compilers: clang — LLVM's runtime speaks to such a library */
/* @distrust: clang — releases before 21 do not */
/* @flags: -Wl,--export-dynamic */
#include "check.h"
#include <dlfcn.h>
#include <stdint.h>

/* o_NAME is omp_NAME with plain handles; old headers do not declare all of them. */
#define ROUTINE(type, name, ...) static type (*o_##name)(__VA_ARGS__)
#define FIND(name) CHECK((*(void **)&o_##name = dlsym(RTLD_DEFAULT, "omp_" #name)) != NULL)
typedef uintptr_t handle;
ROUTINE(int, get_num_devices, void);
ROUTINE(handle, get_device_memspace, int, handle);
ROUTINE(handle, get_device_and_host_memspace, int, handle);
ROUTINE(handle, get_devices_memspace, int, const int *, handle);
ROUTINE(handle, get_devices_all_memspace, handle);
ROUTINE(handle, get_device_allocator, int, handle);
ROUTINE(handle, get_devices_all_allocator, handle);
ROUTINE(int, get_memspace_num_resources, handle);
ROUTINE(handle, get_submemspace, handle, int, const int *);
ROUTINE(handle, init_allocator, handle, int, const void *);
ROUTINE(void, destroy_allocator, handle);
ROUTINE(void *, alloc, size_t, handle);
ROUTINE(void *, calloc, size_t, size_t, handle);
ROUTINE(void *, realloc, void *, size_t, handle, handle);
ROUTINE(void, free, void *, handle);

static int blocks, host_asked;
static handle last_space;

int __tgt_get_num_devices(void)
{
    return 3;
}

int __tgt_get_mem_resources(int count, const int *devices, int host, handle space, int *resources)
{
    CHECK_EQ(space, 99);
    host_asked = host;
    for (int i = 0; resources && i < count; i++) {
        resources[2 * i] = 10 * devices[i] + 1;
        resources[2 * i + 1] = 10 * devices[i];
    }
    return 2 * count;
}

void *__tgt_omp_alloc(size_t size, handle allocator)
{
    last_space = *(handle *)allocator;
#pragma omp atomic
    blocks++;
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

void __tgt_omp_free(void *block, handle allocator)
{
    CHECK_EQ(*(handle *)allocator, last_space);
#pragma omp atomic
    blocks--;
    free(block);
}

static void spaces(void)
{
    const int two[] = {2, 0}, turned[] = {0, 2}, wrong[] = {0, 4};
    CHECK_EQ(o_get_num_devices(), 3);
    handle one = o_get_device_memspace(1, 99);
    CHECK(one != 0 && one == o_get_device_memspace(1, 99) && !host_asked);
    CHECK(o_get_device_and_host_memspace(1, 99) == one && host_asked);
    handle both = o_get_devices_memspace(2, two, 99);
    CHECK(both != 0 && both != one && both == o_get_devices_memspace(2, turned, 99));
    CHECK_EQ(o_get_devices_memspace(2, wrong, 99), 0);
    CHECK_EQ(o_get_device_memspace(7, 99), 0);
    CHECK_EQ(o_get_device_allocator(7, 99), 0);
    /* The host has all it had. */
    CHECK_EQ(o_get_device_memspace(-1, 99), 99);
    CHECK_EQ(o_get_device_allocator(3, 99), 1);

    const int places[] = {3, 0}, beyond[] = {0, 4};
    CHECK_EQ(o_get_memspace_num_resources(99), 1);
    CHECK_EQ(o_get_memspace_num_resources(0), 0);
    CHECK_EQ(o_get_memspace_num_resources(both), 4);
    handle part = o_get_submemspace(both, 2, places);
    CHECK(part != 0 && part != both);
    CHECK_EQ(o_get_memspace_num_resources(part), 2);
    CHECK_EQ(o_get_submemspace(both, 2, beyond), 0);
    handle all = o_get_devices_all_memspace(99);
    const int all_places[] = {0, 1, 2, 3, 4, 5};
    CHECK_EQ(o_get_memspace_num_resources(all), 6);
    CHECK_EQ(o_get_submemspace(all, 6, all_places), all);
}

static void allocate(handle space, handle allocator)
{
    char *block = o_alloc(100, allocator);
    CHECK(block && blocks == 1 && last_space == space);
    /* The host can neither set a device's memory (so the fallback serves) nor move it. */
    char *zeroed = o_calloc(1, 100, allocator);
    CHECK(zeroed && blocks == 1 && zeroed[99] == 0);
    o_free(zeroed, allocator);
    CHECK(!o_realloc(block, 200, 1, allocator));
    char *here = o_alloc(100, 1);
    CHECK(!o_realloc(here, 200, allocator, 1));
    o_free(here, 1);
    CHECK_EQ(blocks, 1);
    /* Also without a name. */
    o_free(block, 0);
    CHECK_EQ(blocks, 0);
    o_destroy_allocator(allocator);
}

int main(void)
{
    FIND(get_num_devices);
    FIND(get_device_memspace);
    FIND(get_device_and_host_memspace);
    FIND(get_devices_memspace);
    FIND(get_devices_all_memspace);
    FIND(get_device_allocator);
    FIND(get_devices_all_allocator);
    FIND(get_memspace_num_resources);
    FIND(get_submemspace);
    FIND(init_allocator);
    FIND(destroy_allocator);
    FIND(alloc);
    FIND(calloc);
    FIND(realloc);
    FIND(free);

    spaces();
    allocate(o_get_device_memspace(2, 99), o_get_device_allocator(2, 99));
    allocate(o_get_devices_all_memspace(99), o_get_devices_all_allocator(99));
    handle space = o_get_device_memspace(0, 99);
    allocate(space, o_init_allocator(space, 0, NULL));

    /* A pool of 1000 bytes, else null (traits 4 and 5). */
    const struct { int key; uintptr_t value; } traits[] = {{4, 1000}, {5, 12}};
    handle pool = o_init_allocator(space, 2, traits);
    void *most = o_alloc(900, pool);
    CHECK(most && !o_alloc(200, pool));
    o_free(most, pool);
    CHECK((most = o_alloc(1000, pool)) != NULL);
    o_free(most, pool);
    o_destroy_allocator(pool);

    handle shared = o_get_device_allocator(1, 99);
#pragma omp parallel
    for (int i = 0; i < 100; i++) {
        handle seen = o_get_device_memspace(1, 99);
        void *block = o_alloc(64, shared);
        CHECK(seen == o_get_device_memspace(1, 99) && block);
        o_free(block, shared);
    }
    CHECK_EQ(blocks, 0);
    o_destroy_allocator(shared);
    return check_done();
}
