/* No task of a taskloop waits behind one that somebody executes while another thread has nothing to
 * do: each of these loops has one iteration that lasts until all others are over, also where all
 * iterations were short when the same loop came before. In a team of one nothing waits.
 * @distrust: clang — LLVM's runtime leaves tasks in a queue behind the one that lasts, now and
 *   then */
#include "check.h"
#include <unistd.h>

enum { N = 64 };

static int over;

static int passed(void)
{
    return __atomic_load_n(&over, __ATOMIC_SEQ_CST);
}

static void again(void)
{
    __atomic_store_n(&over, 0, __ATOMIC_SEQ_CST);
}

/* Iteration `i` of a loop whose iteration `slow` is the long one. */
static void iteration(int i, int slow)
{
    if (i == slow && omp_get_num_threads() > 1) {
        for (int tries = 0; passed() < N - 1 && tries < 200000; tries++)
            usleep(100);
        CHECK_EQ(passed(), N - 1);
    }
    __atomic_fetch_add(&over, 1, __ATOMIC_SEQ_CST);
}

static void loop(int slow)
{
    again();
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < N; i++)
        iteration(i, slow);
    CHECK_EQ(passed(), N);
}

int main(void)
{
    static const int places[] = {0, 1, 7, N / 2, N - 1};
#pragma omp parallel
#pragma omp single
    for (int place = 0; place < 5; place++) {
        int slow = places[place];
        loop(slow);
        for (int round = 0; round < 5; round++)
            loop(-1);
        loop(slow);
        again();
#pragma omp taskloop num_tasks(N)
        for (int i = 0; i < N; i++)
            iteration(i, slow);
        CHECK_EQ(passed(), N);
        again();
#pragma omp taskgroup
        {
#pragma omp taskloop grainsize(1) nogroup
            for (int i = 0; i < N; i++)
                iteration(i, slow);
        }
        CHECK_EQ(passed(), N);
    }
    return check_done();
}
