/* What no text promises and programs take for granted: member number n of a region is the same
 * thread of the system as in the region before. So thread-local variables stay, and with them what
 * libraries keep there; and the body of the same region finds its variables at the same addresses.
 * It holds when regions of other sizes, nested ones and pauses come between. */
/* @distrust: gcc clang — libgomp lets threads go after a region that is smaller than the one
 * before; in LLVM's runtime the primary's variables move when the number of members changes */
/* @threads: 2 4 16 */
#include "check.h"
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>
#define MOST 64

static _Thread_local int local;
static int private;
#pragma omp threadprivate(private)
static pthread_t thread_of[MOST];
static uintptr_t place_of[MOST];
static int known;

/* A region of `size` members: those whose number is known must be who they were. */
__attribute__((noinline)) static void region(int size)
{
#pragma omp parallel num_threads(size)
    {
        int num = omp_get_thread_num();
        volatile char here = 0;
        if (num >= known) {
            thread_of[num] = pthread_self();
            place_of[num] = (uintptr_t)&here;
            local = private = num + 1;
        }
        CHECK(pthread_equal(thread_of[num], pthread_self()));
        CHECK(place_of[num] == (uintptr_t)&here);
        CHECK_EQ(local, num + 1);
        CHECK_EQ(private, num + 1);
    }
    if (size > known)
        known = size;
}

int main(void)
{
    int n = check_threads();
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    region(1);
    for (int round = 0; round < 20; round++) {
        region(n);
        region(1 + round % n);
        region(n);
        if (round % 5 == 1)
            usleep(20000);
        if (round % 5 == 2)
            region(2 * n);
        if (round % 5 == 3) {
#pragma omp parallel num_threads(n)
#pragma omp parallel num_threads(2)
            {
            }
        }
        if (round % 5 == 4) {
#pragma omp parallel num_threads(n)
#pragma omp single
            for (int i = 0; i < 100; i++)
#pragma omp task
                usleep(1);
        }
    }
    return check_done();
}
