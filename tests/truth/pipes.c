// Two threads of a team, one of which reads what the other writes into a pipe.
#include "truth.h"
#include <unistd.h>

int main(void)
{
    double begin = now(), waited = 0;
    own_t own[2] = {{0}};
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
    #pragma omp parallel num_threads(2) // mark: region
    for (int i = 0; i < 30; i++) {
        char byte = 1;
        int me = omp_get_thread_num();
        if (me == 0) {
            own[me].seconds += burn(0.01);
            if (write(ends[1], &byte, 1) != 1)
                abort();
        } else {
            double asked = now();
            if (read(ends[0], &byte, 1) != 1)
                abort();
            waited += now() - asked;
            own[me].seconds += burn(0.003);
        }
    }
    truth("work@region", sum_of(own, 2));
    truth("blocked.read@region", waited);
    truth("elapsed", now() - begin);
}
