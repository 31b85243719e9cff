// Clocks are read right before the calls of the runtime, by functions of another file that the
// compiler sets into the code: its calls have these functions' lines.
#include "truth.h"
#include "inlined_clock.h"

static struct {
    double work, wait, inside, ran;
    char apart[96];
} of[4];

static double elapsed;

APART void turns(void)
{
    double begin = wall_time();
    #pragma omp parallel for ordered schedule(static, 1) num_threads(2) // mark: region
    for (int i = 0; i < 40; i++) {
        int me = omp_get_thread_num();
        of[me].work += burn(0.001);
        double asked = wall_time(), before = thread_time();
        #pragma omp ordered // mark: ordered
        {
            double inside = wall_time();
            of[me].wait += inside - asked;
            burn(0.004);
            of[me].ran += thread_time() - before;
            of[me].inside += wall_time() - inside;
        }
    }
    elapsed += wall_time() - begin;
}

int main(void)
{
    turns(); // mark: call
    truth("work@region", of[0].work + of[1].work + of[0].inside + of[1].inside);
    truth("lock_wait@ordered", of[0].wait + of[1].wait);
    truth("callers@region", 1);
    truth("frames@region", 2);
    truth("elapsed", elapsed);
    return of[0].ran < 0;
}
