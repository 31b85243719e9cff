// Variables of every kind, seen from the body of a region in a lambda in a method.
#include <omp.h>
#include <unistd.h>

struct Point {
    int x, y;
};

static int mine = 1;
#pragma omp threadprivate(mine)
static int of_file = 70;

static void park(void)
{
    for (;;)
        pause();
}

template <typename T> struct Box {
    T side = T(2.5);
    Point corner = {3, 4};
    int length;
    explicit Box(int n) : length(n) {}
    int work(T &given)
    {
        int local = 5, first = 30, copied = 8;
        int &ref = local;
        int board[3] = {10, 11, 12};
        Point here = {21, 22}, *to = &here;
        auto inner = [this, &ref, copied, &board](int k, int fresh, Point *at, T &taken) {
            long total = 100;
            int unshared = 600;
#pragma omp parallel num_threads(2) firstprivate(fresh) reduction(+ : total) // region
            {
                int me = omp_get_thread_num();
                fresh += me;
                total += 7 + me;
                mine = 40 + me;
                if (me == 1)
                    unshared += int(side) + ref + copied + board[1] + k + at->x + int(taken) +
                                length;
#pragma omp barrier
                if (me == 1)
                    park(); // parks
            }
            return total + unshared;
        };
        return inner(9, first, to, given);
    }
};

int main()
{
    double given = 6.25;
    Box<double> box(17);
    return box.work(given) + of_file;
}
