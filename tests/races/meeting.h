/* Meetings that a race detector does not take for synchronisation: relaxed accesses order nothing.
 * Who meets does its conflicting access afterwards, and one of two a little later than the other:
 * ThreadSanitizer can miss accesses at the very same moment. */
#include <unistd.h>

static int arrived;

static inline void await(int count)
{
    while (__atomic_load_n(&arrived, __ATOMIC_RELAXED) < count)
        usleep(50);
}

static inline void meet(int count)
{
    __atomic_add_fetch(&arrived, 1, __ATOMIC_RELAXED);
    await(count);
}
