// Dependences on members and elements, with iterators and depend objects.
#include "check.h"
#include <vector>

int main()
{
    std::vector<int> cells(20, 0);
    int total = 0;
#pragma omp parallel
#pragma omp single
    {
        int *c = cells.data();
        for (int i = 0; i < 20; i++) {
#pragma omp task depend(out : c[i]) firstprivate(i, c)
            c[i] = i + 1;
        }
#pragma omp task depend(iterator(k = 0 : 20), in : c[k]) shared(total) firstprivate(c)
        for (int i = 0; i < 20; i++)
            total += c[i];
#pragma omp taskwait
        CHECK_EQ(total, 210);
        omp_depend_t handle;
#pragma omp depobj(handle) depend(inout : total)
#pragma omp task depend(depobj : handle) shared(total)
        total = 1;
#pragma omp task depend(depobj : handle) shared(total)
        total = total * 10 + 2;
#pragma omp taskwait
        CHECK_EQ(total, 12);
        // clang 22 asks for an argument of OpenMP 5.2's, and then refuses it.
#if _OPENMP < 202411
#pragma omp depobj(handle) destroy
#endif
    }
    return check_done();
}
