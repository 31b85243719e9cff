/* Locks, nest locks, critical and atomic are no task scheduling points: a thread that waits for one
 * begins no task. Nor does one that fulfils an event.
 * @distrust: clang — LLVM's runtime executes what an event makes ready where it is fulfilled, on
 *   one thread
 * @flags: -latomic */
#include "waits.h"

enum { ROUNDS = 6 };
static omp_lock_t lock;
static omp_nest_lock_t nest;
static int locked, nested, unnamed; /* each under its own mutex */
static long double real;
static struct {
    char many[40];
} wide;

int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel
    {
        for (int round = 0; round < ROUNDS; round++) {
            make_some(4);
            nothing_begins(1);
            int sleeps = omp_get_thread_num() == round % omp_get_num_threads() ? LONG / 3 : 0;
            omp_set_lock(&lock);
            usleep(sleeps);
            locked++;
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
            usleep(sleeps);
            nested++;
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
#pragma omp critical
            {
                usleep(sleeps);
                unnamed++;
            }
#pragma omp critical(named)
            {
                usleep(sleeps);
                wide.many[round]++;
            }
            for (int i = 0; i < 100; i++)
#pragma omp atomic
                real += 1;
            nothing_begins(0);
        }
    }
    CHECK_EQ(locked, ROUNDS * check_threads());
    CHECK_EQ(nested, ROUNDS * check_threads());
    CHECK_EQ(unnamed, ROUNDS * check_threads());
    CHECK_EQ(real, 100 * ROUNDS * check_threads());
    CHECK_EQ(wide.many[0], check_threads());
    CHECK_EQ(done, 4 * ROUNDS * check_threads());
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);

    int cells[ROUNDS];
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < ROUNDS; round++) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : cells[round])
        ;
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(in : cells[round])
            ask();
        }
        nothing_begins(1);
        omp_fulfill_event(event);
        nothing_begins(0);
    }
    CHECK_EQ(done, 4 * ROUNDS * (check_threads() + 1));
    return check_done();
}
