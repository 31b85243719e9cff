// Nearly all of a loop's body is ordered.
#include "truth.h"

int main(void)
{
    double begin = now(), inside = 0, free_part = 0, waited = 0;
    #pragma omp parallel for ordered schedule(static, 1) num_threads(2) \
        reduction(+ : free_part, waited)
    for (int i = 0; i < 100; i++) {
        free_part += burn(0.0005);
        double from = now();
        #pragma omp ordered // disease: hot-mutex, mark: ordered
        {
            waited += now() - from;
            inside += burn(0.005);
        }
    }
    truth("work", inside + free_part);
    truth("lock_wait@ordered", waited);
    truth("acquisitions@ordered", 100);
    truth("elapsed", now() - begin);
}
