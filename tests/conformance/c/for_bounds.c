/* for over every type and direction, near the ends of the types and of 64-bit trip counts, on every
 * schedule, chunk and modifier: exactly the values of the serial loop, each once. */
/* @distrust: gcc — libgomp 12 multiplies large chunks by large steps without looking */
/* @distrust: clang — libomp at times takes lastprivate from another thread where loops steal */
/* @threads: 1 2 4 */
/* @flags: -O0 — the same calls for each loop; -O2 takes 4 to 6 s of compiling */
#include "check.h"

static unsigned long long count, sum, mix;

static void add(unsigned long long value)
{
#pragma omp atomic
    count++;
#pragma omp atomic
    sum += value;
#pragma omp atomic
    mix += value * value * 0x9e3779b97f4a7c15ull + (value >> 7);
}

/* The loop under one clause, against what it gave serially. */
#define UNDER(clause, type, first, test, step) \
    do { \
        unsigned long long count_ = count, sum_ = sum, mix_ = mix; \
        count = sum = mix = 0; \
        type last_ = 0; \
        _Pragma("omp parallel") \
        { \
            _Pragma(clause) for (type v = (first); v test; v += (step)) \
            { \
                add((unsigned long long)v); \
                last_ = v; \
            } \
        } \
        CHECK_EQ(count, count_); \
        CHECK_EQ(sum, sum_); \
        CHECK_EQ(mix, mix_); \
        if (count_) \
            CHECK(last_ == serial_last_); \
    } while (0)

#define ALL(type, first, test, step) \
    do { \
        count = sum = mix = 0; \
        type serial_last_ = 0; \
        for (type v = (first); v test; v += (step)) { \
            add((unsigned long long)v); \
            serial_last_ = v; \
        } \
        UNDER("omp for lastprivate(last_) schedule(static)", type, first, test, step); \
        UNDER("omp for lastprivate(last_) schedule(static, 1)", type, first, test, step); \
        UNDER("omp for lastprivate(last_) schedule(static, 100000)", type, first, test, step); \
        UNDER("omp for lastprivate(last_) schedule(monotonic : dynamic)", type, first, test, \
              step); \
        UNDER("omp for lastprivate(last_) schedule(nonmonotonic : dynamic)", type, first, test, \
              step); \
        UNDER("omp for lastprivate(last_) schedule(nonmonotonic : dynamic, 3)", type, first, test, \
              step); \
        UNDER("omp for lastprivate(last_) schedule(dynamic, 2147483647)", type, first, test, \
              step); \
        UNDER("omp for lastprivate(last_) schedule(guided)", type, first, test, step); \
        UNDER("omp for lastprivate(last_) schedule(nonmonotonic : guided, 3)", type, first, test, \
              step); \
        UNDER("omp for lastprivate(last_) schedule(guided, 2147483647)", type, first, test, step); \
        UNDER("omp for lastprivate(last_) schedule(auto)", type, first, test, step); \
        UNDER("omp for lastprivate(last_) ordered schedule(dynamic, 2)", type, first, test, step); \
        UNDER("omp for lastprivate(last_) ordered schedule(static, 2)", type, first, test, step); \
        for (unsigned kind_ = 1; kind_ <= 4; kind_++) \
            for (unsigned monotonic_ = 0; monotonic_ < 2; monotonic_++) \
                for (int chunk_ = -1; chunk_ < 8; chunk_ += 4) { \
                    omp_set_schedule((omp_sched_t)(kind_ | monotonic_ << 31), chunk_); \
                    UNDER("omp for lastprivate(last_) schedule(runtime)", type, first, test, \
                          step); \
                } \
    } while (0)

int main(void)
{
    check_threads();
    ALL(int, 0, < 100, 1);
    ALL(int, INT_MIN, < INT_MIN + 50, 7);
    ALL(int, INT_MAX - 50, < INT_MAX - 6, 7);
    ALL(int, 0, < INT_MAX - 500000000, 500000000);
    ALL(int, INT_MAX, > INT_MAX - 50, -3);
    ALL(int, INT_MAX, > 500000000, -500000000);
    ALL(int, 5, < 5, 1);
    ALL(int, 5, > 9, -1);
    ALL(unsigned, 0u, < 100u, 3u);
    ALL(unsigned, UINT_MAX - 40, < UINT_MAX - 4, 5u);
    ALL(unsigned, 0u, < UINT_MAX - 1500000000u, 1500000000u);
    ALL(long long, LLONG_MIN, < LLONG_MIN + 50, 7);
    ALL(long long, LLONG_MAX - 50, < LLONG_MAX - 6, 7);
    ALL(long long, LLONG_MAX, > LLONG_MAX - 50, -3);
    ALL(long long, 0, < LLONG_MAX - (1ll << 57), 1ll << 57);
    ALL(long long, 0, > LLONG_MIN + (1ll << 57), -(1ll << 57));
    ALL(unsigned long long, ULLONG_MAX - 50, < ULLONG_MAX - 6, 7);
    ALL(unsigned long long, 0, < ULLONG_MAX - (1ull << 58), 1ull << 58);
    return check_done();
}
