/* Each thread's iterations of a dynamic loop rise in the code of every compiler if the variable of
 * LLVM's runtime asks for it. */
/* @env: KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE=true */
/* @threads: 2 4 16 */
#include "rising.h"

int main(void)
{
    for (int round = 0; round < 5; round++) {
        LOOP(schedule(dynamic))
        LOOP(schedule(nonmonotonic : dynamic, 3))
        LOOP(schedule(guided))
    }
    CHECK_EQ(fell, 0);
    return check_done();
}
