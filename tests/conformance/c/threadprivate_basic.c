/* threadprivate: each thread its own copy, kept from region to region. */
#include "check.h"

static int counter = 5;
static double array[100];
static struct {
    long a, b;
} record = {1, 2};
#pragma omp threadprivate(counter, array, record)

int main(void)
{
    int n = check_threads();
    omp_set_dynamic(0);
    counter = 50;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        CHECK_EQ(counter, me == 0 ? 50 : 5);
        CHECK_EQ(record.b, 2);
        counter = 1000 + me;
        array[99] = me;
        record.a = me * 2;
    }
    CHECK_EQ(counter, 1000);
    for (int r = 0; r < 20; r++) {
#pragma omp parallel
        {
            int me = omp_get_thread_num();
            CHECK_EQ(counter, 1000 + me + r);
            counter++;
            CHECK(array[99] == me);
            CHECK_EQ(record.a, me * 2);
        }
    }
    (void)n;
    return check_done();
}
