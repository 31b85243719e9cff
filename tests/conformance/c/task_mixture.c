/* tasks of all kinds in one tree: untied, undeferred, in groups, final, dependent, with
 * priority. */
#include "check.h"

static long tree(int depth, int width, unsigned seed)
{
    long part[8] = {0}, sum = 1;
    if (depth == 0)
        return 1;
    for (int i = 0; i < width; i++) {
        unsigned next = seed * 1103515245u + (unsigned)i * 12345u;
        switch ((next >> 16) % 6) {
        case 0:
#pragma omp task shared(part) firstprivate(i, next) untied
            part[i] = tree(depth - 1, width, next);
            break;
        case 1:
#pragma omp task shared(part) firstprivate(i, next) if (0)
            part[i] = tree(depth - 1, width, next);
            break;
        case 2:
#pragma omp taskgroup
        {
#pragma omp task shared(part) firstprivate(i, next)
            part[i] = tree(depth - 1, width, next);
        }
            CHECK(part[i] > 0);
            break;
        case 3:
#pragma omp task shared(part) firstprivate(i, next) final(depth < 3)
            part[i] = tree(depth - 1, width, next);
            break;
        case 4:
#pragma omp task shared(part) firstprivate(i, next) depend(inout : part[0])
            part[i] = tree(depth - 1, width, next);
            break;
        default:
#pragma omp task shared(part) firstprivate(i, next) priority(3)
            part[i] = tree(depth - 1, width, next);
        }
    }
#pragma omp taskwait
    for (int i = 0; i < width; i++)
        sum += part[i];
    return sum;
}

int main(void)
{
    for (unsigned seed = 0; seed < 4; seed++) {
        long sum = 0;
#pragma omp parallel
#pragma omp single
        sum = tree(5, 4, seed);
        CHECK_EQ(sum, 1365);
    }
    return check_done();
}
