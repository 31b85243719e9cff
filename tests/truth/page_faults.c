// Threads wait for pages that another one brings late, as from a slow disk: 20 of 20 ms each.
#define _GNU_SOURCE
#include "truth.h"
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 40 };
static own_t waited[2], work[2];
static long faults;

static void *bring(void *unused)
{
    static char page[PAGE] __attribute__((aligned(PAGE)));
    for (int i = 0; i < PAGES; i++) {
        struct uffd_msg message;
        if (read(faults, &message, sizeof message) != sizeof message)
            return unused;
        usleep(20000);
        unsigned long to = message.arg.pagefault.address & ~(PAGE - 1ul);
        struct uffdio_copy copy = {.dst = to, .src = (unsigned long)page, .len = PAGE};
        ioctl(faults, UFFDIO_COPY, &copy);
    }
    return unused;
}

/// False where the system does not allow it.
static int slow_pages(unsigned long start)
{
    struct uffdio_api api = {.api = UFFD_API};
    struct uffdio_register range = {{start, PAGES * PAGE}, UFFDIO_REGISTER_MODE_MISSING, 0};
    pthread_t thread;
    faults = syscall(SYS_userfaultfd, O_CLOEXEC);
    return faults >= 0 && !ioctl(faults, UFFDIO_API, &api)
        && !ioctl(faults, UFFDIO_REGISTER, &range) && !pthread_create(&thread, 0, bring, 0);
}

int main(void)
{
    double begin = now();
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    volatile char *memory = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (!slow_pages((unsigned long)memory))
        memory = (volatile char *)calloc(PAGES, PAGE);
    #pragma omp parallel num_threads(2) // mark: region
    {
        int me = omp_get_thread_num();
        for (int i = 0; i < PAGES / 2; i++) {
            double asked = now();
            (void)memory[(i * 2 + me) * PAGE];
            waited[me].seconds += now() - asked;
            work[me].seconds += burn(0.005);
        }
    }
    if (sum_of(waited, 2) > 0.1)
        truth("blocked@region", sum_of(waited, 2));
    truth("elapsed", now() - begin);
}
