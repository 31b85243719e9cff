// Tasks that are executed at once have copies of their own, of any size and alignment: made where
// they stay, used there, and destroyed once each. Tasks inside them, too.
// @threads: 1 2 4
#include "check.h"
#include <cstdint>

static long alive, made, wrong;

// The alignment that a copy has at least. GCC tells the runtime what a task's data need; clang has
// no way to (`__kmpc_omp_task_alloc` takes sizes alone), and tasks are aligned as cache lines are:
// what needs more stands wrong on any runtime. Optimised code takes it for right without looking.
#ifdef __clang__
constexpr int LARGEST = 64;
#else
constexpr int LARGEST = 1 << 20;
#endif

template <int SIZE, int ALIGN> struct alignas(ALIGN) Held {
    Held *self;
    int number;
    unsigned char bytes[SIZE];

    explicit Held(int number) : self(this), number(number)
    {
        for (int i = 0; i < SIZE; i++) bytes[i] = (unsigned char)(number + i);
        __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED);
    }
    Held(const Held &other) : Held(other.number)
    {
        other.check();
        __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    }
    ~Held()
    {
        check();
        self = nullptr;
        __atomic_sub_fetch(&alive, 1, __ATOMIC_RELAXED);
    }
    void check() const
    {
        bool right = self == this && (uintptr_t)this % (ALIGN < LARGEST ? ALIGN : LARGEST) == 0;
        for (int i = 0; i < SIZE; i++) right &= bytes[i] == (unsigned char)(number + i);
        if (!right) __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    }
};

static long done;

template <class T> static void inside(const T &from, int depth)
{
    from.check();
    __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
    if (depth == 0) return;
    T held(from);
#pragma omp task firstprivate(held)
    inside(held, depth - 1);
#pragma omp task firstprivate(held)
    inside(held, depth - 1);
    held.check();
#pragma omp taskwait
}

template <class T> static void all(int tasks)
{
    done = 0;
#pragma omp parallel
#pragma omp single
    {
        T held(7);
        volatile int no = 0;
        for (int i = 0; i < tasks; i++) {
#pragma omp task firstprivate(held)
            inside(held, 0);
#pragma omp task firstprivate(held) if (no)
            inside(held, 0);
#pragma omp task firstprivate(held) priority(1) untied
            inside(held, i % 16 == 0 ? 3 : 0);
        }
#pragma omp task final(1) firstprivate(held)
        for (int i = 0; i < tasks; i++) {
#pragma omp task firstprivate(held)
            inside(held, 0);
        }
#pragma omp taskgroup
        inside(held, 6);
    }
    int nested = (tasks + 15) / 16 * 15 + tasks - (tasks + 15) / 16;
    CHECK_EQ(done, tasks + nested + tasks + tasks + 127);
    CHECK_EQ(alive, 0);
    CHECK_EQ(wrong, 0);
}

int main()
{
    all<Held<1, 8>>(5000);
    all<Held<96, 16>>(3000);
    all<Held<112, 8>>(2000);
    all<Held<113, 8>>(2000);
    all<Held<400, 64>>(3000);
    all<Held<480, 8>>(2000);
    all<Held<496, 8>>(2000);
    all<Held<497, 8>>(2000);
    all<Held<560, 64>>(2000);
    all<Held<40, 128>>(2000);
    all<Held<3000, 8>>(1500);
    CHECK(made > 0);
    return check_done();
}
