/* KMP_INHERIT_FP_CONTROL=false: each thread keeps its own control words of floating-point
   arithmetic, from region to region and behind them.

   @compilers: clang — the variable is LLVM's
   @env: KMP_INHERIT_FP_CONTROL=false
   @flags: -lm — rounding */

#include "check.h"
#include <fenv.h>

int main(void)
{
    const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
#pragma omp parallel
    fesetround(modes[omp_get_thread_num() % 3]);
    CHECK_EQ(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        CHECK_EQ(fegetround(), thread ? modes[thread % 3] : FE_TONEAREST);
    }
    return check_done();
}
