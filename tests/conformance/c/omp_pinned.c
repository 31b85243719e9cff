/* Pinned memory: a page is locked while a pinned block is in it, and no longer; where the system's
 * limit is in the way, the allocator has no memory to give.
 *
 * @threads: 1 4
 * @distrust: gcc — libgomp pins from GCC 14 on
 * @distrust: clang — libomp does not pin the host's memory
 */
#include "check.h"
#include <sys/mman.h>
#include <sys/resource.h>

static int locked(void)
{
    char line[256];
    int kilobytes = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "VmLck: %d", &kilobytes) == 1)
            break;
    fclose(status);
    return kilobytes;
}

static omp_allocator_handle_t pins(int fallback)
{
    omp_alloctrait_t traits[] = {{omp_atk_pinned, 1}, {omp_atk_fallback, fallback}};
    return omp_init_allocator(omp_default_mem_space, 2, traits);
}

int main(void)
{
    omp_allocator_handle_t none = pins(omp_atv_null_fb), other = pins(omp_atv_default_mem_fb);
    CHECK(none != omp_null_allocator && other != omp_null_allocator && locked() == 0);
    /* Small blocks share a page, which stays locked until the last one goes. */
    char *a = omp_alloc(100, none), *b = omp_alloc(100, none);
    CHECK(a && b && locked() >= 4);
    memset(b, 1, 100);
    omp_free(a, none);
    CHECK(locked() >= 4);
    b = omp_realloc(b, 200, none, none);
    CHECK(b && b[99] == 1 && locked() >= 4);
    omp_free(b, none);
    CHECK(locked() == 0);
    /* Almost a page, twice that, and again: each is more. */
    char *c = omp_alloc(4096 - 128, none);
    int first = locked();
    CHECK(c && first > 0);
    c = omp_realloc(c, 2 * (4096 - 128), none, none);
    int second = locked();
    CHECK(c && second > first);
    char *d = omp_calloc(1, 2 * (4096 - 128), none);
    CHECK(d && locked() > second);
    for (int i = 0; i < 2 * (4096 - 128); i++)
        CHECK(d[i] == 0);
    omp_free(c, none);
    omp_free(d, none);
    CHECK(locked() == 0);
    /* All at once, and of all sizes. */
#pragma omp parallel
    for (int i = 1; i < 400; i++) {
        char *mine[4];
        for (int k = 0; k < 4; k++) {
            mine[k] = omp_alloc(i * 7 * (k + 1), none);
            CHECK(mine[k] != NULL);
        }
        CHECK(locked() > 0);
        for (int k = 0; k < 4; k++)
            omp_free(mine[k], none);
    }
    CHECK(locked() == 0);
    /* Less may be locked than is asked for. Who may lock anything has no limit. */
    size_t size = 16 * 4096;
    struct rlimit limit = {size / 2, size / 2};
    void *probe = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (setrlimit(RLIMIT_MEMLOCK, &limit) == 0 && mlock(probe, size) != 0) {
        CHECK(omp_alloc(size, none) == NULL && omp_calloc(1, size, none) == NULL);
        char *plain = omp_alloc(size, omp_default_mem_alloc);
        CHECK(omp_realloc(plain, size, none, omp_default_mem_alloc) == NULL);
        CHECK(omp_realloc(plain, size, other, omp_default_mem_alloc) == plain);
        omp_free(plain, omp_default_mem_alloc);
        char *given = omp_alloc(size, other);
        CHECK(given != NULL);
        omp_free(given, other);
        CHECK(locked() == 0);
    }
    omp_destroy_allocator(none);
    omp_destroy_allocator(other);
    return check_done();
}
