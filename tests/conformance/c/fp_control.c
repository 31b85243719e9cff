/* The control words of floating-point arithmetic in LLVM's interface: each member of a region
   begins with those of the encountering thread, whatever it had before, in nested regions, leagues
   and regions of one thread too. Behind the region the encountering thread has its own back.

   @compilers: clang — in code of GCC's compilers each thread keeps its own
   @env: OMP_MAX_ACTIVE_LEVELS=2 OMP_NUM_TEAMS=3
   @flags: -lm — rounding */

#include "check.h"
#include <fenv.h>
#include <xmmintrin.h>

/* Flags say what has happened; they are not inherited. */
enum { FLAGS = 0x3f, TO_ZERO = 0x8000, DOUBLE_PRECISION = 0x27f, EXTENDED = 0x37f };

static unsigned short x87(void)
{
    unsigned short word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}

static void set_x87(unsigned short word)
{
    __asm__ volatile("fldcw %0" : : "m"(word));
}

static unsigned mxcsr(void)
{
    return _mm_getcsr() & ~FLAGS;
}

/* Words that no thread has by chance. */
static void spoil(int by)
{
    fesetround(by % 2 ? FE_UPWARD : FE_TOWARDZERO);
    _mm_setcsr(_mm_getcsr() ^ TO_ZERO);
}

static void inside(void)
{
    unsigned own = mxcsr();
    unsigned short own_x87 = x87();
#pragma omp parallel
    {
        CHECK_EQ(mxcsr(), own);
        CHECK_EQ(x87(), own_x87);
        spoil(omp_get_thread_num());
#pragma omp barrier
        unsigned mine = mxcsr();
        unsigned short mine_x87 = x87();
#pragma omp parallel num_threads(2)
        {
            CHECK_EQ(mxcsr(), mine);
            CHECK_EQ(x87(), mine_x87);
            spoil(1 + omp_get_thread_num());
        }
        CHECK_EQ(mxcsr(), mine);
        CHECK_EQ(x87(), mine_x87);
    }
    CHECK_EQ(mxcsr(), own);
    CHECK_EQ(x87(), own_x87);
    volatile int serial = 1;
#pragma omp parallel if (!serial)
    {
        CHECK_EQ(mxcsr(), own);
        spoil(0);
        set_x87(EXTENDED);
    }
    CHECK_EQ(mxcsr(), own);
    CHECK_EQ(x87(), own_x87);
#pragma omp teams thread_limit(2)
    {
        CHECK_EQ(mxcsr(), own);
        spoil(omp_get_team_num());
        unsigned mine = mxcsr();
#pragma omp parallel
        {
            CHECK_EQ(mxcsr(), mine);
            spoil(omp_get_team_num() + omp_get_thread_num());
        }
    }
    CHECK_EQ(mxcsr(), own);
    CHECK_EQ(x87(), own_x87);
}

int main(void)
{
    for (int i = 0; i < 20; i++) {
        inside();
        fesetround(i % 2 ? FE_UPWARD : FE_DOWNWARD);
        _mm_setcsr((_mm_getcsr() & ~FLAGS) ^ TO_ZERO);
        set_x87(i % 3 ? DOUBLE_PRECISION : (x87() | 0xc00));
    }
    /* A trap that the encountering thread lets through. What a member did before traps nothing. */
    fesetround(FE_TONEAREST);
    volatile double zero = 0, got = 0;
    volatile long double long_zero = 0, long_got = 0;
#pragma omp parallel
    {
        double mine = 1 / zero;
        long double mine_too = 1 / long_zero;
#pragma omp critical
        got = mine, long_got = mine_too;
    }
    _mm_setcsr(_mm_getcsr() & ~(_MM_MASK_DIV_ZERO | FLAGS));
    __asm__ volatile("fnclex");
    set_x87(x87() & ~4);
#pragma omp parallel
    {
        CHECK_EQ(mxcsr() & _MM_MASK_DIV_ZERO, 0);
        CHECK_EQ(x87() & 4, 0);
        volatile long double one = 1, three = 3;
        CHECK(one / three > 0);
    }
    return check_done();
}
