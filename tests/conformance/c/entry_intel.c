/* The names that libiomp5 has and LLVM's libomp has not, called by name. */
/* @compilers: clang — they are in that interface only */
/* @distrust: clang — libomp has none of them */
#include "newer.h"

typedef struct ident ident_t;
typedef uintptr_t handle;
extern int __kmpc_global_thread_num(ident_t *);
NEWER(void, __kmpc___atomic_load_n, size_t, void *, void *, int);
NEWER(void, __kmpc___atomic_store_n, size_t, void *, void *, int);
NEWER(bool, __kmpc___atomic_compare_exchange_n, size_t, void *, void *, void *, bool, int, int);
NEWER(void, __kmpc_flush_explicit, ident_t *, int, int);
NEWER(unsigned long long, __kmpc_get_timestamp, void);
NEWER(void *, __kmpc_get_current_task, int);
NEWER(int, __kmpc_get_offload_device_num, int);
NEWER(void, __kmpc_set_device_trait, int, const char **, const char **, const char **,
      const char **);
NEWER(const char *, __kmpc_getenv_device, const char *, int);
NEWER(const char *, __kmpc_get_uid_from_device, int);
NEWER(const char *, omp_get_uid_from_device, int);
NEWER(const char *, __kmpc_get_interop_name, void *, int);
NEWER(const char *, __kmpc_get_interop_str, void *, int, int *);
NEWER(const char *, __kmpc_get_interop_type_desc, void *, int);
NEWER(const char *, __kmpc_get_interop_rc_desc, void *, int);
NEWER(void *, __kmpc_get_interop_ptr, void *, int, int *);
NEWER(handle, omp_get_device_memspace_, int *, handle *);
NEWER(handle, omp_get_device_allocator_, int *, handle *);
NEWER(handle, omp_get_devices_and_host_memspace_, int *, const int *, handle *);
NEWER(handle, omp_get_devices_all_allocator_, handle *);
NEWER(handle, omp_get_submemspace_, handle *, int *, int *);
NEWER(int, omp_get_memspace_num_resources_, handle *);
NEWER(int, omp_get_device_from_uid_, const char *, int);
NEWER(int, omp_get_device_from_uid, const char *);
NEWER(int, omp_ancestor_is_free_agent_, int);
NEWER(void *, ompx_get_dyn_cgroup_mem, void);
NEWER(int, omp_target_memcpy_async_, void *, const void *, size_t, size_t, size_t, int, int, int,
      void *);
struct text {
    const char *address;
    size_t length, offset, flags;
};
NEWER(void, omp_lib_mp_omp_get_uid_from_device_, struct text *, const int *);
NEWER(void, omp_lib_mp_omp_get_interop_name_, struct text *, void **, const int *);
NEWER(void, omp_lib_mp_omp_get_interop_rc_desc_, struct text *, void **, const int *);
NEWER(void, omp_lib_mp_omp_get_interop_ptr_, void **, void **, const int *, int *);

/* Each size that the processor has, an odd one, and one at an odd address. */
static void atomics(int threads)
{
    static const size_t sizes[] = {1, 2, 4, 8, 3, 16, 32, 4};
    for (int kind = 0; kind < 8; kind++) {
        unsigned char storage[80] = {0}, *object = storage + (kind == 7), seen[32], zero[32] = {0};
        object += (16 - (uintptr_t)storage % 16) % 16;
        size_t size = sizes[kind];
        memset(seen, 9, sizeof seen);
        newer___kmpc___atomic_store_n(size, object, zero, 5);
#pragma omp parallel firstprivate(size, object) private(seen)
        for (int i = 0; i < 10; i++) {
            unsigned char wanted[32];
            newer___kmpc___atomic_load_n(size, object, seen, 5);
            do {
                memcpy(wanted, seen, size);
                wanted[0]++;
                if (size > 1)
                    wanted[size - 1]++;
            } while (!newer___kmpc___atomic_compare_exchange_n(size, object, seen, wanted, false, 5,
                                                               5));
        }
        CHECK_EQ(object[0], (unsigned char)(10 * threads));
        CHECK_EQ(object[size - 1], (unsigned char)(10 * threads));
        CHECK_EQ(object[size], 0);
    }
}

static void find_all(void)
{
    NEWER_FIND(__kmpc___atomic_load_n);
    NEWER_FIND(__kmpc___atomic_store_n);
    NEWER_FIND(__kmpc___atomic_compare_exchange_n);
    NEWER_FIND(__kmpc_flush_explicit);
    NEWER_FIND(__kmpc_get_timestamp);
    NEWER_FIND(__kmpc_get_current_task);
    NEWER_FIND(__kmpc_get_offload_device_num);
    NEWER_FIND(__kmpc_set_device_trait);
    NEWER_FIND(__kmpc_getenv_device);
    NEWER_FIND(__kmpc_get_uid_from_device);
    NEWER_FIND(omp_get_uid_from_device);
    NEWER_FIND(__kmpc_get_interop_name);
    NEWER_FIND(__kmpc_get_interop_str);
    NEWER_FIND(__kmpc_get_interop_type_desc);
    NEWER_FIND(__kmpc_get_interop_rc_desc);
    NEWER_FIND(__kmpc_get_interop_ptr);
    NEWER_FIND(omp_get_device_memspace_);
    NEWER_FIND(omp_get_device_allocator_);
    NEWER_FIND(omp_get_devices_and_host_memspace_);
    NEWER_FIND(omp_get_devices_all_allocator_);
    NEWER_FIND(omp_get_submemspace_);
    NEWER_FIND(omp_get_memspace_num_resources_);
    NEWER_FIND(omp_get_device_from_uid_);
    NEWER_FIND(omp_get_device_from_uid);
    NEWER_FIND(omp_ancestor_is_free_agent_);
    NEWER_FIND(ompx_get_dyn_cgroup_mem);
    NEWER_FIND(omp_target_memcpy_async_);
    NEWER_FIND(omp_lib_mp_omp_get_uid_from_device_);
    NEWER_FIND(omp_lib_mp_omp_get_interop_name_);
    NEWER_FIND(omp_lib_mp_omp_get_interop_rc_desc_);
    NEWER_FIND(omp_lib_mp_omp_get_interop_ptr_);
}

int main(void)
{
    find_all();
    atomics(check_threads());
    unsigned long long before = newer___kmpc_get_timestamp();
    newer___kmpc_flush_explicit(NULL, __kmpc_global_thread_num(NULL), 4);
    CHECK(before > 0 && newer___kmpc_get_timestamp() >= before);
    CHECK(newer___kmpc_get_current_task(0) == NULL);
#pragma omp task if (0)
    CHECK(newer___kmpc_get_current_task(0) != NULL);

    CHECK_EQ(newer___kmpc_get_offload_device_num(3), 3);
    newer___kmpc_set_device_trait(0, NULL, NULL, NULL, NULL);
    CHECK(newer___kmpc_getenv_device("OMP_NUM_TEAMS", 0) == NULL);
    CHECK(newer_ompx_get_dyn_cgroup_mem() == NULL && newer_omp_ancestor_is_free_agent_(0) == 0);

    const char *host = newer___kmpc_get_uid_from_device(-1);
    CHECK(host && !strcmp(host, newer_omp_get_uid_from_device(omp_get_initial_device())));
    CHECK(newer___kmpc_get_uid_from_device(7) == NULL);
    char padded[64];
    snprintf(padded, sizeof padded, "%s   ", host);
    CHECK_EQ(newer_omp_get_device_from_uid_(padded, strlen(padded)), omp_get_initial_device());
    CHECK_EQ(newer_omp_get_device_from_uid_("nowhere", 7), -2);
    CHECK_EQ(newer_omp_get_device_from_uid("HOST"), omp_get_initial_device());
    CHECK_EQ(newer_omp_get_device_from_uid("nowhere"), -2);

    int code = 9, device = -1, first = 0, one = 1, none = 7, name = -1;
    CHECK(newer___kmpc_get_interop_ptr(NULL, -1, &code) == NULL && code == -1);
    CHECK(newer___kmpc_get_interop_str(NULL, -20, &code) == NULL && code == -2);
    CHECK(!strcmp(newer___kmpc_get_interop_name(NULL, -1), "fr_id"));
    CHECK(newer___kmpc_get_interop_type_desc(NULL, -3) != NULL);
    CHECK(newer___kmpc_get_interop_rc_desc(NULL, 0) != NULL);

    handle space = 3;
    CHECK_EQ(newer_omp_get_device_memspace_(&device, &space), 3);
    CHECK_EQ(newer_omp_get_device_memspace_(&none, &space), 0);
    CHECK_EQ(newer_omp_get_device_allocator_(&device, &space), 4);
    CHECK_EQ(newer_omp_get_devices_and_host_memspace_(&one, &device, &space), 3);
    CHECK_EQ(newer_omp_get_devices_all_allocator_(&space), 4);
    CHECK_EQ(newer_omp_get_memspace_num_resources_(&space), 1);
    CHECK_EQ(newer_omp_get_submemspace_(&space, &one, &first), 3);

    /* Texts for Intel's Fortran. */
    struct text text = {NULL, 0, 0, 0};
    void *interop = NULL, *pointer = &pointer;
    newer_omp_lib_mp_omp_get_uid_from_device_(&text, &device);
    CHECK(text.address == host && text.length == strlen(host) && text.flags == 5);
    newer_omp_lib_mp_omp_get_uid_from_device_(&text, &none);
    CHECK(text.address == NULL && text.flags == 0);
    newer_omp_lib_mp_omp_get_interop_name_(&text, &interop, &name);
    CHECK(text.length == 5 && !memcmp(text.address, "fr_id", 5));
    newer_omp_lib_mp_omp_get_interop_rc_desc_(&text, &interop, &first);
    CHECK(text.address != NULL && text.length > 0);
    newer_omp_lib_mp_omp_get_interop_ptr_(&pointer, &interop, &name, NULL);
    CHECK(pointer == NULL);

    int from = 5, to = 0;
    CHECK_EQ(newer_omp_target_memcpy_async_(&to, &from, sizeof to, 0, 0, -1, -1, 0, NULL), 0);
    CHECK_EQ(to, 5);
    return check_done();
}
