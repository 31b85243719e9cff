/* Who gets which iteration of static loops of many lengths, written out in each way that the
 * compiler has,
   one line a loop, for environment/shares.rs. */
#include <omp.h>
#include <stdio.h>

enum { THREADS = 4, MOST = 21 };
static int who[MOST];

static void show(const char *kind, int trip, int last)
{
    printf("%s %d last %d:", kind, trip, last);
    for (int i = 0; i < trip; i++)
        printf(" %d", who[i]);
    puts("");
}

int main(void)
{
    for (int trip = 1; trip <= MOST; trip++) {
        int last = -1;
#pragma omp parallel for num_threads(THREADS) schedule(static) lastprivate(last)
        for (int i = 0; i < trip; i++)
            who[i] = omp_get_thread_num(), last = i;
        show("static", trip, last);
#pragma omp parallel for num_threads(THREADS) schedule(static) lastprivate(last)
        for (long i = 3 * trip; i > 0; i -= 3)
            who[i / 3 - 1] = omp_get_thread_num(), last = (int)i;
        show("down", trip, last);
#pragma omp parallel for num_threads(THREADS) schedule(static) ordered
        for (int i = 0; i < trip; i++)
#pragma omp ordered
            who[i] = omp_get_thread_num();
        show("ordered", trip, trip - 1);
#pragma omp parallel for num_threads(THREADS) schedule(runtime) lastprivate(last)
        for (int i = 0; i < trip; i++)
            who[i] = omp_get_thread_num(), last = i;
        show("runtime", trip, last);
#pragma omp parallel for num_threads(THREADS) schedule(static, 2) lastprivate(last)
        for (int i = 0; i < trip; i++)
            who[i] = omp_get_thread_num(), last = i;
        show("chunks", trip, last);
#pragma omp teams distribute num_teams(THREADS) thread_limit(1)
        for (int i = 0; i < trip; i++)
            who[i] = omp_get_team_num();
        show("distribute", trip, trip - 1);
    }
    return 0;
}
