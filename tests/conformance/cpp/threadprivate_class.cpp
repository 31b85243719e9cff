// threadprivate objects: built in each thread before first use, copied by copyin.
#include "check.h"
#include <vector>

static int built;
struct Cell {
    int value;
    Cell() : value(11)
    {
#pragma omp atomic
        built++;
    }
};
extern Cell cell;
#pragma omp threadprivate(cell)
Cell cell;
extern std::vector<int> list;
#pragma omp threadprivate(list)
std::vector<int> list(3, 4);

int main()
{
    int n = check_threads();
#pragma omp parallel
    {
        CHECK_EQ(cell.value, 11);
        CHECK_EQ(list.size(), 3);
        cell.value = omp_get_thread_num();
        list.push_back(omp_get_thread_num());
    }
    CHECK_EQ(built, n);
#pragma omp parallel
    {
        CHECK_EQ(cell.value, omp_get_thread_num());
        CHECK_EQ(list.back(), omp_get_thread_num());
    }
    list.assign(100, 9);
#pragma omp parallel copyin(list)
    {
        CHECK_EQ(list.size(), 100);
        CHECK_EQ(list[99], 9);
    }
    return check_done();
}
