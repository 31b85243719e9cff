/* task depend(mutexinoutset): tasks of a set exclude each other, on each of their objects, and are
 * not ordered.
 * @distrust: gcc — libgomp orders the tasks of a set, so the first part would wait for ever */
#include "check.h"

/* A task of the set that is made later may run while an earlier one still waits for something else:
 * here for what the later one does. */
static void unordered(void)
{
    int x = 0, gate = 0;
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t opened;
#pragma omp task detach(opened) depend(out : gate)
        ;
#pragma omp task depend(in : gate) depend(mutexinoutset : x) shared(x)
        x = x * 10 + 1;
#pragma omp task depend(mutexinoutset : x) shared(x) firstprivate(opened)
        {
            x = x * 10 + 2;
            omp_fulfill_event(opened);
        }
#pragma omp task depend(in : x) shared(x)
        CHECK_EQ(x, 21);
    }
}

#define OBJECTS 5

/* Many tasks with one, two and three objects in all orders. */
static void exclusive(void)
{
    int cells[OBJECTS] = {0}, busy[OBJECTS] = {0}, wrong = 0, expected[OBJECTS] = {0};
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 600; i++) {
            int a = i % OBJECTS, b = (i * 2 + 1) % OBJECTS, c = (i * 3 + 2) % OBJECTS;
            if (a == b || b == c || a == c) {
                expected[a]++;
#pragma omp task depend(mutexinoutset : cells[a]) shared(cells, busy, wrong)
                {
                    if (__atomic_add_fetch(&busy[a], 1, __ATOMIC_RELAXED) != 1)
#pragma omp atomic
                        wrong++;
                    cells[a]++;
#pragma omp task shared(cells)
                    ;
#pragma omp taskwait
                    __atomic_sub_fetch(&busy[a], 1, __ATOMIC_RELAXED);
                }
                continue;
            }
            expected[a]++, expected[b]++, expected[c]++;
#pragma omp task depend(mutexinoutset : cells[a], cells[b], cells[c]) shared(cells, busy, wrong)
            {
                int bad = __atomic_add_fetch(&busy[a], 1, __ATOMIC_RELAXED) != 1;
                bad |= __atomic_add_fetch(&busy[b], 1, __ATOMIC_RELAXED) != 1;
                bad |= __atomic_add_fetch(&busy[c], 1, __ATOMIC_RELAXED) != 1;
                if (bad)
#pragma omp atomic
                    wrong++;
                cells[a]++, cells[b]++, cells[c]++;
                __atomic_sub_fetch(&busy[a], 1, __ATOMIC_RELAXED);
                __atomic_sub_fetch(&busy[b], 1, __ATOMIC_RELAXED);
                __atomic_sub_fetch(&busy[c], 1, __ATOMIC_RELAXED);
            }
            /* A writer now and then ends one set and begins another. */
            if (i % 50 == 49) {
                expected[a]++;
#pragma omp task depend(inout : cells[a]) shared(cells, busy, wrong)
                {
                    if (__atomic_load_n(&busy[a], __ATOMIC_RELAXED) != 0)
#pragma omp atomic
                        wrong++;
                    cells[a]++;
                }
            }
        }
        /* One that is not deferred excludes the others too. */
#pragma omp task if (0) depend(mutexinoutset : cells[0]) shared(cells, busy, wrong)
        {
            if (__atomic_load_n(&busy[0], __ATOMIC_RELAXED) != 0)
#pragma omp atomic
                wrong++;
            cells[0]++;
        }
        expected[0]++;
    }
    CHECK_EQ(wrong, 0);
    for (int i = 0; i < OBJECTS; i++)
        CHECK_EQ(cells[i], expected[i]);
}

int main(void)
{
    unordered();
    exclusive();
    return check_done();
}
