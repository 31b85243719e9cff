// Regions too short to tell of each, with barriers inside: an explicit one, and those of a loop and
// of a reduction. One thread comes late to the explicit one, now and then by milliseconds.
#include "truth.h"

enum { REGIONS = 10000, SELDOM = 1000 };

static own_t worked[2], waited[2], looped[2];

int main(void)
{
    double begin = now(), sum = 0, parts[2];
    for (int i = 0; i < REGIONS; i++) {
        #pragma omp parallel num_threads(2) // mark: region
        {
            int me = omp_get_thread_num();
            double late = i % SELDOM == 500 ? 2e-3 : 5e-6;
            double time = burn(me == 1 ? late : 1e-6), since = now();
            #pragma omp barrier // mark: inside
            waited[me].seconds += now() - since;
            time += burn(1e-6);
            double into = now();
            #pragma omp for // mark: loop
            for (int k = 0; k < 2; k++)
                parts[k] = burn(k == 0 ? 4e-6 : 1e-6);
            looped[me].seconds += now() - into - parts[me];
            #pragma omp for reduction(+ : sum)
            for (int k = 0; k < 2; k++)
                sum += parts[k];
            worked[me].seconds += time + parts[me];
        }
    }
    truth("work@region", sum_of(worked, 2));
    truth("wait@inside", sum_of(waited, 2));
    truth("wait@loop", sum_of(looped, 2));
    truth("instances@inside", REGIONS);
    truth("instances@loop", REGIONS);
    truth("ends@region", REGIONS);
    truth("elapsed", now() - begin);
    return sum > 0 ? 0 : 1;
}
