/* task depend(inoutset), omp_all_memory, and taskwait depend nowait.
 * @compilers: clang — gcc 12 knows none of them */
#include "check.h"

#define MANY 40

int main(void)
{
    int x = 0, y = 0, cells[MANY] = {0}, before = 0, inside = 0, after = 0;
#pragma omp parallel
#pragma omp single
    {
        /* The tasks of a set are after the writer and before the reader, and not ordered: the first
         * waits for what the second does. */
        omp_event_handle_t opened;
        int gate = 0;
#pragma omp task depend(out : x) shared(x)
        x = 1;
#pragma omp task detach(opened) depend(out : gate)
        ;
#pragma omp task depend(inoutset : x) depend(in : gate) shared(x, inside)
        {
            CHECK_EQ(x, 1);
#pragma omp atomic
            inside++;
        }
#pragma omp task depend(inoutset : x) shared(x, inside) firstprivate(opened)
        {
            CHECK_EQ(x, 1);
#pragma omp atomic
            inside++;
            omp_fulfill_event(opened);
        }
#pragma omp task depend(in : x) shared(inside)
        CHECK_EQ(inside, 2);
#pragma omp task depend(inoutset : x) shared(inside)
        CHECK_EQ(inside, 2);

        /* All memory is after everything and before everything. */
        for (int i = 0; i < MANY; i++) {
#pragma omp task depend(out : cells[i]) shared(before)
#pragma omp atomic
            before++;
        }
#pragma omp task depend(inout : omp_all_memory) shared(before, after)
        {
            CHECK_EQ(before, MANY);
            CHECK_EQ(after, 0);
        }
        for (int i = 0; i < MANY; i++) {
#pragma omp task depend(in : cells[i]) shared(before, after)
            {
                CHECK_EQ(before, MANY);
#pragma omp atomic
                after++;
            }
        }
#pragma omp task depend(out : omp_all_memory) shared(after)
        CHECK_EQ(after, MANY);

        /* A wait that does not wait stands between the tasks before it and those behind it. */
#pragma omp task depend(out : y) shared(y)
        y = 1;
#pragma omp taskwait depend(inout : y) nowait
#pragma omp task depend(inout : y) shared(y)
        {
            CHECK_EQ(y, 1);
            y = 2;
        }
#pragma omp taskwait depend(in : y)
        CHECK_EQ(y, 2);
    }
    CHECK_EQ(inside, 2);
    return check_done();
}
