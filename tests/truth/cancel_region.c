// @env: OMP_CANCELLATION=true
// Regions and sections that one thread cancels: the others leave at their next point.
#include "truth.h"

static own_t searched[2], sections[2];

int main(void)
{
    double begin = now();
    for (int step = 0; step < 15; step++) {
        #pragma omp parallel num_threads(2) // mark: search
        {
            int me = omp_get_thread_num();
            for (int i = 0; i < 30; i++) {
                searched[me].seconds += burn(me ? 0.002 : 0.003);
                if (me == 0 && i == 5) {
                    #pragma omp cancel parallel
                }
                #pragma omp cancellation point parallel
            }
        }
        #pragma omp parallel num_threads(2) // mark: region
        {
            int me = omp_get_thread_num();
            #pragma omp sections // mark: sections
            {
                #pragma omp section
                {
                    sections[me].seconds += burn(0.006);
                    #pragma omp cancel sections
                }
                #pragma omp section
                for (int i = 0; i < 20; i++) {
                    #pragma omp cancellation point sections
                    sections[me].seconds += burn(0.001);
                }
            }
        }
    }
    truth("work@search", sum_of(searched, 2));
    truth("work@region", sum_of(sections, 2));
    truth("instances@search", 15);
    truth("instances@region", 15);
    truth("instances@sections", 15);
    truth("elapsed", now() - begin);
}
