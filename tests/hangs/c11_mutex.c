// A mutex of C11 and a critical section in a circle.
// @kind: lock-cycle
// @says: (taken at c11_mutex.c:15)
// @alone
// @also: -O0
#include "hang.h"
#include <threads.h>
static mtx_t table;
int main(void) {
    mtx_init(&table, mtx_plain);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num()) {
            mtx_lock(&table);
            wait_for_all(2);
            #pragma omp critical(files) // <A>
            mtx_unlock(&table);
        } else {
            #pragma omp critical(files)
            {
                wait_for_all(2);
                mtx_lock(&table); // <B>
                mtx_unlock(&table);
            }
        }
    }
    return 0;
}
