/* The chunks of a guided loop, as compilers' code asks for them. One thread takes them all, so each
 * length follows from what is left: chunks do not grow, also at the loop's end, none is more than
 * an even share of what is left, and there are far fewer than iterations. Where all threads take
 * them, in whatever order, they get the same chunks, and each iteration once. */
#include "../check.h"
#include <sched.h>
#include <stdint.h>

static _Thread_local long first, next;

/* How long the chunk that begins there was when one thread took all. */
static long lengths[1234568];

#ifdef __clang__
extern int __kmpc_global_thread_num(void *);
extern void __kmpc_dispatch_init_8(void *, int, int, int64_t, int64_t, int64_t, int64_t);
extern int __kmpc_dispatch_next_8(void *, int, int *, int64_t *, int64_t *, int64_t *);
enum { GUIDED = 36 };

static int more(void)
{
    int last;
    int64_t from, to, step;
    int gtid = __kmpc_global_thread_num(NULL);
    int any = __kmpc_dispatch_next_8(NULL, gtid, &last, &from, &to, &step);
    if (any) {
        first = from;
        next = to + 1;
    }
    return any;
}

static int start(long trip)
{
    __kmpc_dispatch_init_8(NULL, __kmpc_global_thread_num(NULL), GUIDED, 0, trip - 1, 1, 1);
    return more();
}

static void end(void) {}
#else
extern _Bool GOMP_loop_guided_start(long, long, long, long, long *, long *);
extern _Bool GOMP_loop_guided_next(long *, long *);
extern void GOMP_loop_end_nowait(void);

static int more(void) { return GOMP_loop_guided_next(&first, &next); }
static int start(long trip) { return GOMP_loop_guided_start(0, trip, 1, 1, &first, &next); }
static void end(void) { GOMP_loop_end_nowait(); }
#endif

static void take_all(long trip, long size)
{
    long done = 0, before = LONG_MAX, chunks = 0;
    for (int any = start(trip); any; any = more()) {
        long length = next - first, left = trip - done;
        CHECK_EQ(first, done);
        CHECK(length > 0);
        CHECK(length <= before);
        CHECK(length <= (left + size - 1) / size);
        lengths[first] = length;
        done = next;
        before = length;
        chunks++;
    }
    end();
    CHECK_EQ(done, trip);
    CHECK(chunks <= trip);
    if (trip >= 1000 * size)
        CHECK(chunks <= trip / 10);
}

/* One thread of several. Returns how many iterations it got. */
static long take_some(long trip)
{
    long mine = 0;
    for (int any = start(trip); any; any = more()) {
        /* Nobody else got it. */
        CHECK_EQ(__atomic_exchange_n(&lengths[first], 0, __ATOMIC_RELAXED), next - first);
        mine += next - first;
        if (mine % 3 == 0)
            sched_yield();
    }
    end();
    return mine;
}

int main(void)
{
    static const long trips[] = {1,   2,    7,    31,   32,     33,     64, 100,
                                 255, 1000, 1600, 4097, 100000, 1234567};
    for (unsigned i = 0; i < sizeof trips / sizeof *trips; i++) {
        int over = 0;
        long taken = 0;
#pragma omp parallel shared(over) reduction(+ : taken)
        {
            if (omp_get_thread_num() == 0) {
                take_all(trips[i], omp_get_num_threads());
                __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
            } else {
                while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
                    sched_yield();
                CHECK(!start(trips[i]));
                end();
            }
#pragma omp barrier
            taken = take_some(trips[i]);
        }
        CHECK_EQ(taken, trips[i]);
    }
    return check_done();
}
