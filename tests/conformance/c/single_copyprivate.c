/* single copyprivate: all threads get the values of the one. */
#include "check.h"

int main(void)
{
#pragma omp parallel
    {
        for (int r = 0; r < 100; r++) {
            int number = -1;
            double real = -1;
            char text[16] = "";
            struct {
                long a, b[5];
            } record = {0, {0}};
            int *pointer = 0;
            int own = 40 + r;
#pragma omp single copyprivate(number, real, text, record, pointer)
            {
                number = r;
                real = r * 0.5;
                snprintf(text, sizeof text, "round %d", r);
                record.b[4] = r * 3;
                pointer = &own;
            }
            CHECK_EQ(number, r);
            CHECK(real == r * 0.5);
            CHECK_EQ(atoi(text + 6), r);
            CHECK_EQ(record.b[4], r * 3);
            CHECK_EQ(*pointer, 40 + r);
#pragma omp barrier
        }
    }
    return check_done();
}
