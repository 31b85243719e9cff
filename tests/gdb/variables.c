/* Variables of every kind, seen from a task in the body of a region. */
#include <omp.h>
#include <unistd.h>

struct point {
    int x, y;
};

static int mine = 1;
#pragma omp threadprivate(mine)

static void park(void)
{
    for (;;)
        pause();
}

static int work(int n, struct point *to)
{
    static int kept = 300;
    int board[3] = {10, 11, 12}, shared = 50, unused = 77, first = 30;
    double length[n];
    long total = 100;
    for (int i = 0; i < n; i++)
        length[i] = i + 0.5;
#pragma omp parallel num_threads(2) firstprivate(first) reduction(+ : total) /* region */
    {
        int me = omp_get_thread_num();
        first += me;
        total += 7 + me;
        mine = 40 + me;
        if (me == 1)
            shared += board[1] + (int)length[2] + to->x + kept;
#pragma omp barrier
        if (me == 1) {
            int inner = 8;
#pragma omp task firstprivate(inner) shared(board) if (0)
            {
                inner += board[2];
                park(); /* parks */
            }
        }
    }
    return shared + unused + (int)total;
}

int main(void)
{
    struct point here = {21, 22};
    return work(4, &here);
}
