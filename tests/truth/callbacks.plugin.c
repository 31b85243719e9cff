#include "truth.h"

void walk(void (*visit)(int), void (*alone)(void))
{
    #pragma omp parallel num_threads(2)
    for (int i = 0; i < 4; i++)
        visit(omp_get_thread_num());
    alone();
}
