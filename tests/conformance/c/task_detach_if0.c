/* An undeferred task with dependences and an event: a later sibling that depends on it begins only
   when the event is fulfilled, whatever the kinds and however many there are. What another
   construct waited for is no dependence of a task with an event.

   @distrust: clang — LLVM's runtime forgets the dependences
   @distrust: gcc — a thread alone waits for the event and does not execute the body's task */

#include "check.h"
#include <unistd.h>

/* How many dependent tasks began before the event. */
static int early;

/* The event is fulfilled late, by a task that the body makes. */
__attribute__((noinline)) static void fulfil_later(omp_event_handle_t event, int *fulfilled)
{
#pragma omp task firstprivate(event, fulfilled)
    {
        usleep(2000);
        __atomic_store_n(fulfilled, 1, __ATOMIC_SEQ_CST);
        omp_fulfill_event(event);
    }
}

static void begins(const int *fulfilled)
{
    if (!__atomic_load_n(fulfilled, __ATOMIC_SEQ_CST))
        __atomic_add_fetch(&early, 1, __ATOMIC_RELAXED);
}

static void one(void)
{
    int x = 0, fulfilled = 0;
    omp_event_handle_t event;
#pragma omp task if (0) depend(out : x) detach(event) shared(fulfilled)
    fulfil_later(event, &fulfilled);
#pragma omp task depend(in : x) shared(fulfilled)
    begins(&fulfilled);
#pragma omp taskwait
}

static void many(void)
{
    int x[20], fulfilled = 0, before = 0;
    omp_event_handle_t event;
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(mutexinoutset : x[i]) shared(before)
        __atomic_add_fetch(&before, 1, __ATOMIC_RELAXED);
    }
#pragma omp task if (0) detach(event) shared(fulfilled, before) \
    depend(in : x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12]) \
    depend(inout : x[13], x[14], x[15], x[16]) depend(mutexinoutset : x[16], x[17], x[18], x[19])
    {
        CHECK_EQ(before, 20);
        fulfil_later(event, &fulfilled);
    }
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(mutexinoutset : x[i]) shared(fulfilled)
        begins(&fulfilled);
    }
#pragma omp taskwait depend(inout : x[7])
    begins(&fulfilled);
#pragma omp taskwait
}

#ifdef __clang__
/* Code of clang's goes on behind the body. The event is fulfilled by a task that would wait for it
   if what the `taskwait` waited for were taken for the dependences of the task with the event. */
static void others_wait(void)
{
    int y = 0;
    omp_event_handle_t event;
#pragma omp task depend(out : y) shared(y)
    y = 1;
#pragma omp taskwait depend(in : y)
    CHECK_EQ(y, 1);
#pragma omp task if (0) detach(event) shared(y)
    y = 2;
#pragma omp task depend(out : y) firstprivate(event) shared(y)
    {
        CHECK_EQ(y, 2);
        omp_fulfill_event(event);
    }
#pragma omp taskwait
}
#endif

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 30; i++) {
        one();
        many();
#ifdef __clang__
        others_wait();
#endif
    }
    CHECK_EQ(early, 0);
    return check_done();
}
