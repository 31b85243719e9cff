// The first thread that comes makes a function's static table; the other one waits for it.
#include "truth.h"

struct Table {
    double seconds;
    Table() : seconds(burn(0.400)) {}
};

__attribute__((noinline)) static const Table &table()
{
    static const Table made;
    return made;
}

int main()
{
    double begin = now(), work = 0, idle = 0;
    #pragma omp parallel num_threads(2) reduction(+ : work, idle) // mark: region, disease: blocked
    {
        if (omp_get_thread_num() == 1)
            work += burn(0.020);
        double asked = now();
        double made = table().seconds;
        if (omp_get_thread_num() == 0)
            work += made;
        else
            idle += now() - asked;
        work += burn(0.100);
    }
    truth("work@region", work);
    truth("blocked@region", idle);
    truth("elapsed", now() - begin);
}
