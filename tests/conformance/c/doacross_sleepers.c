/* More threads than processors: who waits for an iteration sleeps, several for the same one, some
 * for one that is far, and each is woken by the post that it waits for. */
/* @threads: 2 8 */
#include "check.h"
#include <unistd.h>
#define N 48
#define FAR 7

static int posted[N];

static void take_time(int i)
{
    /* Now and then long enough for who waits to fall asleep. */
    if (i % 16 == 0) usleep(2000);
}

#define LOOP(clause) \
    do { \
        memset(posted, 0, sizeof posted); \
        int early = 0; \
        _Pragma("omp parallel reduction(+ : early)") \
        { \
            _Pragma(clause) for (int i = 0; i < N; i++) \
            { \
                take_time(i); \
                _Pragma("omp ordered depend(sink : i - 1) depend(sink : i - 7)") if (i > 0) \
                    early += !__atomic_load_n(&posted[i - 1], __ATOMIC_ACQUIRE); \
                if (i >= FAR) early += !__atomic_load_n(&posted[i - FAR], __ATOMIC_ACQUIRE); \
                __atomic_store_n(&posted[i], 1, __ATOMIC_RELEASE); \
                _Pragma("omp ordered depend(source)") \
            } \
        } \
        CHECK_EQ(early, 0); \
        for (int i = 0; i < N; i++) CHECK_EQ(posted[i], 1); \
    } while (0)

/* Two wait for each even iteration. */
#define TWO(clause) \
    do { \
        int early = 0; \
        memset(posted, 0, sizeof posted); \
        _Pragma("omp parallel reduction(+ : early)") \
        { \
            _Pragma(clause) for (int i = 0; i < N; i++) \
            { \
                if (i % 2) { \
                    _Pragma("omp ordered depend(sink : i - 1)") \
                        early += !__atomic_load_n(&posted[i - 1], __ATOMIC_ACQUIRE); \
                } else if (i > 0) { \
                    _Pragma("omp ordered depend(sink : i - 2)") \
                        early += !__atomic_load_n(&posted[i - 2], __ATOMIC_ACQUIRE); \
                } \
                take_time(i); \
                __atomic_store_n(&posted[i], 1, __ATOMIC_RELEASE); \
                _Pragma("omp ordered depend(source)") \
            } \
        } \
        CHECK_EQ(early, 0); \
    } while (0)

int main(void)
{
    check_threads();
    LOOP("omp for ordered(1) schedule(static, 1)");
    LOOP("omp for ordered(1) schedule(dynamic, 1)");
    LOOP("omp for ordered(1) schedule(static)");
    TWO("omp for ordered(1) schedule(static, 1)");
    TWO("omp for ordered(1) schedule(dynamic, 2)");
    TWO("omp for ordered(1) schedule(guided)");
    return check_done();
}
