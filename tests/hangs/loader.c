// dl_iterate_phdr holds the loader's lock: its callback begins a region, a member asks it too.
// @kind: barrier-in-cycle
// @says: the dynamic linker's lock, which thread 0 holds (taken at loader.c:34)
#define _GNU_SOURCE
#include "hang.h"

#include <link.h>
#include <stddef.h>

static volatile int seen;

static int count(struct dl_phdr_info *info, size_t size, void *data) {
    (void)info, (void)size, (void)data;
    seen++;
    return 0;
}

static int in_the_lock(struct dl_phdr_info *info, size_t size, void *data) {
    (void)info, (void)size, (void)data;
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            dl_iterate_phdr(count, NULL); // <A>
            seen++;
        }
        #pragma omp barrier // <B>
        seen++;
    }
    return 1;
}

int main(void) {
    dl_iterate_phdr(in_the_lock, NULL);
    return seen;
}
