/* The address space runs out under the runtime's own records: one line says so, and the process
 * ends. The tasks' data are large, so that no memory that lies about is enough for those that
 * wait. */
#include "../conformance/check.h"
#include <sys/resource.h>

enum { SIZE = 1 << 20, TASKS = 200 };
struct block { char bytes[SIZE]; };

static struct block block;
static volatile int made;

int main(void)
{
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members++;
    CHECK_EQ(members, 2);
    struct rlimit limit = {0, 0};
    CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(block)
                CHECK_EQ(block.bytes[SIZE - 1], 0);
            }
            made = 1;
        } else {
            /* No task of the other's ends before all are there. */
            while (!made)
                ;
        }
    }
    return check_done();
}
