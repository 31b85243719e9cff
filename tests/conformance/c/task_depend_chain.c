/* task depend: a chain of inout runs in order; readers run between writers. */
#include "check.h"

int main(void)
{
    int value = 0, wrong = 0, readers = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 300; i++) {
#pragma omp task depend(inout : value) shared(value, wrong) firstprivate(i)
        {
            if (value != i)
#pragma omp atomic
                wrong++;
            value = i + 1;
        }
        for (int r = 0; r < 3; r++) {
#pragma omp task depend(in : value) shared(value, wrong, readers) firstprivate(i)
            {
                if (value != i + 1)
#pragma omp atomic
                    wrong++;
#pragma omp atomic
                readers++;
            }
        }
    }
    CHECK_EQ(value, 300);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(readers, 900);
    return check_done();
}
