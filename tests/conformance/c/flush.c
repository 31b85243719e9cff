/* flush: a value and a flag handed from one thread to another. */
/* @threads: 2 4 */
#include "check.h"

int main(void)
{
    int data = 0, flag = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            data = 42;
#pragma omp flush
#pragma omp atomic write
            flag = 1;
#pragma omp flush
        } else {
            int seen = 0;
            while (!seen) {
#pragma omp flush
#pragma omp atomic read
                seen = flag;
            }
#pragma omp flush
            CHECK_EQ(data, 42);
        }
    }
    return check_done();
}
