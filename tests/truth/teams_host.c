// A league of teams on the host, each with a region of its own.
#include "truth.h"

static own_t alone[2], inside[2];

int main(void)
{
    double begin = now();
    for (int step = 0; step < 15; step++) {
        #pragma omp teams num_teams(2) thread_limit(1) // mark: league
        {
            int team = omp_get_team_num();
            alone[team].seconds += burn(0.008);
            #pragma omp parallel num_threads(1) // mark: region
            inside[team].seconds += burn(0.016);
        }
    }
    truth("work@region", sum_of(inside, 2));
    truth("instances@league", 15);
    truth("instances@region", 30);
    truth("elapsed", now() - begin);
}
